import { createHash } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readTextIfPresent, writeFileAtomic } from '../store';
import { formatById } from './formats';
import type { StepHint, TraceFormat } from './formats/format';
import { TraceRun } from './model';
import { parseLenient } from './reading/lenientJson';
import type { FileReading, StepPlace } from './readRun';

/** Smaller files are read again as fast as their saved places. */
const SMALLEST = 2 * 1024 * 1024;
const MOST_STEPS = 300_000;
/** Bytes at the start and the end of a file that must be the same, beside its size and time. */
const EDGE = 64 * 1024;

/** Lists of a hundred thousand numbers are checked in a loop: one schema a number would take longer than reading. */
const Numbers = z.custom<number[]>(
  (value) => Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= 0),
);
const Hints = z.custom<(StepHint | null)[]>((value) => Array.isArray(value) && value.every(isHint));
const SavedSteps = z.object({
  /** For each step the number of its records, then offset, length and part of each; parts by their place in the list, plus 1. */
  numbers: Numbers,
  parts: z.array(z.string()),
  /** Empty when no step has one. */
  hints: Hints,
});
type SavedSteps = z.infer<typeof SavedSteps>;

const SavedPlaces = z.object({
  version: z.literal(1),
  file: z.string(),
  size: z.number(),
  mtimeMs: z.number(),
  edges: z.string(),
  format: z.string(),
  archive: z.boolean(),
  runs: z.array(z.object({ run: TraceRun, steps: SavedSteps })),
});

type Reading = Extract<FileReading, { format: TraceFormat }>;

/**
 * Writes down where the steps of a large file lie, so that it need not be read again to be opened. Returns the path to give to
 * {@link savedReading}; null for a small file, for one with parts in other files, and when it cannot be written.
 */
export async function savePlaces(folder: string, file: string, reading: Reading): Promise<string | null> {
  const mark = await markOf(file);
  if (mark === null || mark.size < SMALLEST) return null;
  const all = reading.runs.flatMap(({ steps }) => steps);
  if (all.length > MOST_STEPS) return null;
  if (!reading.archive && all.some(({ ranges }) => ranges.some(({ part }) => part !== undefined))) return null;
  const saved = {
    version: 1,
    file,
    ...mark,
    format: reading.format.id,
    archive: reading.archive,
    runs: reading.runs.map(({ run, steps }) => ({ run, steps: packed(steps) })),
  };
  const path = join(folder, `${createHash('sha256').update(file).digest('hex').slice(0, 32)}.json`);
  // A cache that cannot be written costs time only.
  return writeFileAtomic(path, JSON.stringify(saved)).then(
    () => path,
    () => null,
  );
}

/** The reading of a file from its saved places; null when they are missing, broken or of another state of the file. */
export async function savedReading(path: string, file: string): Promise<Reading | null> {
  const text = await readTextIfPresent(path).catch(() => undefined);
  const checked = SavedPlaces.safeParse(text === undefined ? null : parseLenient(text)?.value);
  if (!checked.success || checked.data.file !== file) return null;
  const { data } = checked;
  const format = formatById(data.format);
  const mark = await markOf(file);
  if (format === undefined || mark === null) return null;
  if (mark.size !== data.size || mark.mtimeMs !== data.mtimeMs || mark.edges !== data.edges) return null;
  return {
    format,
    archive: data.archive,
    runs: data.runs.map(({ run, steps }) => ({ run, steps: unpacked(steps) })),
  };
}

/** Removes saved places that no run of the catalog uses. */
export async function removeUnusedPlaces(folder: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (name.endsWith('.json') && !used.has(path)) await rm(path, { force: true });
  }
}

function packed(steps: readonly StepPlace[]): SavedSteps {
  const numbers: number[] = [];
  const parts = new Map<string, number>();
  for (const { ranges } of steps) {
    numbers.push(ranges.length);
    for (const { offset, length, part } of ranges) {
      if (part !== undefined && !parts.has(part)) parts.set(part, parts.size + 1);
      numbers.push(offset, length, part === undefined ? 0 : (parts.get(part) ?? 0));
    }
  }
  const hints = steps.some(({ hint }) => hint !== undefined) ? steps.map(({ hint }) => hint ?? null) : [];
  return { numbers, parts: [...parts.keys()], hints };
}

function unpacked({ numbers, parts, hints }: SavedSteps): StepPlace[] {
  const steps: StepPlace[] = [];
  for (let at = 0; at < numbers.length; ) {
    const ranges: StepPlace['ranges'] = [];
    for (let left = numbers[at++]; left > 0 && at + 2 < numbers.length; left -= 1, at += 3) {
      const [offset, length, part] = [numbers[at], numbers[at + 1], parts[numbers[at + 2] - 1]];
      ranges.push(part === undefined ? { offset, length } : { offset, length, part });
    }
    steps.push({ ranges, hint: hints[steps.length] ?? undefined });
  }
  return steps;
}

function isHint(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string' || typeof one === 'number');
  return value === null || typeof value === 'string' || typeof value === 'number';
}

/** What tells one state of a file from another, without reading all of it. */
async function markOf(file: string): Promise<{ size: number; mtimeMs: number; edges: string } | null> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { size, mtimeMs } = await handle.stat();
    const hash = createHash('sha256');
    for (const from of [0, Math.max(0, size - EDGE)]) {
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(Math.min(EDGE, size)),
        0,
        Math.min(EDGE, size),
        from,
      );
      hash.update(buffer.subarray(0, bytesRead));
    }
    return { size, mtimeMs, edges: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}
