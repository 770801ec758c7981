import type { WorkOptions } from '../progress';
import { recognise, traceFormats } from './formats';
import type { RunFacts, StepDraft, StepHint, TraceFormat, TraceSink } from './formats/format';
import { shorten } from './formats/text';
import type { TraceRun } from './model';
import { fieldsOf } from './reading/fields';
import { readHead, type TraceHead } from './reading/head';
import { parseLenient } from './reading/lenientJson';
import { type ByteRange, TraceSource } from './reading/source';
import { RunTally } from './tally';

/** Where a step's records lie and how to build it again; the body is not kept. */
export interface StepPlace {
  ranges: ByteRange[];
  hint: StepHint;
}

/** One run of a file with the places of its steps. */
export interface RunReading {
  run: TraceRun;
  steps: StepPlace[];
}

export type FileReading =
  | { format: TraceFormat; runs: RunReading[]; archive: boolean }
  | { format: null; reason: string };

/**
 * Reads one file: recognises its format by content and passes over all of its steps once. The outcome beside it is not
 * looked up here. With `only`, formats may leave out the steps of other runs than that one (from 0).
 * @throws InputError when the file cannot be opened, CancelledError when the signal is aborted.
 */
export async function readTraceFile(file: string, work: WorkOptions = {}, only?: number): Promise<FileReading> {
  const source = await TraceSource.open(file);
  try {
    let head = await readHead(source, work);
    let format = head.container === 'none' ? null : recognise(head);
    const line = format === null ? asLine(head) : null;
    if (line !== null) {
      format = recognise(line);
      if (format !== null) head = line;
    }
    if (format === null) return { format, reason: head.reason === '' ? lookedFor(head) : head.reason };
    return await collect(source, head, format, work, only);
  } finally {
    await source.close();
  }
}

/** A file whose reading goes on as it grows. */
export interface LiveReading {
  format: TraceFormat;
  /** Places of the steps of the run so far; the list grows with the file. */
  steps: readonly StepPlace[];
  /** Resolves when all that is known of the file was read. */
  caughtUp(): Promise<void>;
  /** Resolves when the source waits no longer and the reading is over. */
  ended: Promise<void>;
}

/**
 * Reads a file of one record a line up to its end and waits there: after `growTo` of the source it goes on where it stood.
 * Null for a file of another kind. With `only`, the steps are those of that run (from 0).
 */
export async function readGrowingFile(
  source: TraceSource,
  work: WorkOptions = {},
  only?: number,
): Promise<LiveReading | null> {
  const head = await readHead(source, work);
  const format = head.container === 'lines' ? recognise(head) : null;
  if (format === null) return null;
  let atEnd: () => void = () => undefined;
  let waiting = new Promise<void>((resolve) => {
    atEnd = resolve;
  });
  source.waitAtEnd(() => atEnd());
  let collected: () => readonly RunCollector[] = () => [];
  const reading = collect(source, head, format, work, undefined, (now) => {
    collected = now;
  });
  // A reading that fails or ends by itself waits at no end.
  const ended = reading.then(
    () => undefined,
    () => undefined,
  );
  const caughtUp = async () => {
    await Promise.race([waiting, reading]);
    waiting = new Promise<void>((resolve) => {
      atEnd = resolve;
    });
  };
  await caughtUp();
  const steps = collected()[only ?? 0]?.steps ?? [];
  return { format, steps, caughtUp, ended };
}

/** A document of one line may be a log that has only its first record yet, or no other between words. */
function asLine(head: TraceHead): TraceHead | null {
  const [first = ''] = head.text.split('\n', 1);
  const alone = !head.text.trim().includes('\n') || (head.document?.more && parseLenient(first) !== null);
  const single = head.document?.root === 'object' && head.document.complete && alone;
  return single ? { ...head, container: 'lines', records: [head.members], document: null, members: {} } : null;
}

async function collect(
  source: TraceSource,
  head: TraceHead,
  format: TraceFormat,
  work: WorkOptions,
  only?: number,
  watch?: (collected: () => readonly RunCollector[]) => void,
): Promise<FileReading> {
  const whole = new RunCollector(0);
  const keyed = new Map<string, RunCollector>();
  watch?.(() => [...(keyed.size === 0 || whole.steps.length > 0 ? [whole] : []), ...keyed.values()]);
  let nothing: string | null = null;
  const run = (key: string): RunCollector => {
    const known = keyed.get(key) ?? new RunCollector(keyed.size);
    keyed.set(key, known);
    return known;
  };
  await format.read(
    source,
    head,
    {
      facts: (facts) => whole.facts(facts),
      time: (iso) => whole.time(iso),
      warn: (message) => whole.warn(message),
      step: (draft) => whole.step(draft),
      nothing: (reason) => {
        nothing ??= reason;
      },
      run,
      skip: (key) => only !== undefined && run(key).order !== only,
    },
    work,
  );
  if (await source.changed()) whole.warn('The file changed while it was read; import it again to see all of it.');
  if (nothing !== null && keyed.size === 0 && whole.steps.length === 0) return { format: null, reason: nothing };
  // What was said of the file is said of each of its runs; steps of its own make the file itself the first run.
  const collectors = [...(keyed.size === 0 || whole.steps.length > 0 ? [whole] : []), ...keyed.values()];
  if (collectors[0] !== whole) for (const warning of whole.warnings) collectors[0]?.warn(warning);
  const runs = collectors.map(({ tally, steps }, index) => {
    const id = collectors.length === 1 ? source.file : `${source.file}#${index}`;
    return { run: tally.run(source.file, format.id, id), steps };
  });
  return { format, runs, archive: head.container === 'archive' };
}

class RunCollector implements TraceSink {
  constructor(readonly order: number) {}

  readonly tally = new RunTally();
  readonly steps: StepPlace[] = [];
  readonly warnings: string[] = [];

  facts(facts: Partial<RunFacts>): void {
    this.tally.facts(facts);
  }

  time(iso: string | null): void {
    this.tally.time(iso);
  }

  warn(message: string): void {
    this.tally.warn(message);
    if (this.warnings.length < 50) this.warnings.push(message);
  }

  step(draft: StepDraft): void {
    this.tally.step(draft);
    this.steps.push({ ranges: draft.ranges.map(placeOf), hint: draft.hint });
  }
}

/** The place alone: formats hand on what they found there, such as members of a document with all their elements. */
function placeOf({ offset, length, part }: ByteRange): ByteRange {
  return part === undefined ? { offset, length } : { offset, length, part };
}

/**
 * Why no format took a file: what it holds, and what was looked for. All that readers look for would be pages for each
 * file, so only formats that come near tell theirs.
 */
function lookedFor(head: TraceHead): string {
  const near = traceFormats.filter((format) => format.sniff(head) > 0);
  const names = traceFormats.map((format) => format.title).join(', ');
  const close = near.map((format) => `${format.title} (${format.looksFor})`).join('; ');
  return [
    `JSON, but of no known trace format: ${shapeOf(head)}.`,
    close === '' ? '' : `It comes near to ${close}.`,
    `Looked for the marks of ${traceFormats.length} formats: ${names}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function shapeOf(head: TraceHead): string {
  const first = fieldsOf(head.records[0]);
  const keys = head.document?.root === 'object' ? head.document.members.map(({ key }) => key) : Object.keys(first);
  const what = head.container === 'lines' ? 'lines' : head.document?.root === 'list' ? 'a list' : 'an object';
  if (keys.length === 0) return `${what} without keys`;
  const shown = keys.slice(0, 8).map((key) => shorten(key, 40));
  return `${what} with ${shown.join(', ')}${keys.length > shown.length ? ` and ${keys.length - shown.length} more keys` : ''}`;
}
