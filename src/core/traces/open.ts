import { dirname, resolve } from 'node:path';
import { InputError } from '../errors';
import type { WorkOptions } from '../progress';
import type { TraceFormat } from './formats/format';
import type { RawRange, Step, StepSummary, TraceRun } from './model';
import { type ByteRange, RECORD_CAP, TraceSource } from './reading/source';
import { type RunReading, readTraceFile, type StepPlace } from './readRun';
import { savedReading } from './savedPlaces';
import { summaryOf } from './summary';

/** Reads single steps of one run on demand. Only places are held, no step bodies. Close it after use. */
export interface TraceReader {
  readonly run: TraceRun;
  readonly stepCount: number;
  /** Summaries of steps `from` to `to`, from 1, both ends included; clamped to the steps there are. */
  summaries(from: number, to: number): Promise<StepSummary[]>;
  /** Step `n`, from 1. Throws {@link InputError} `step-missing` for a number out of range. */
  step(n: number): Promise<Step>;
  /** The original text of a step's records, one a line when it has several. */
  raw(n: number): Promise<string>;
  /** Where the records of a step lie, in the order of {@link raw}. */
  ranges(n: number): RawRange[];
  close(): Promise<void>;
}

/** Steps are read in any order; a step near the last one is likely, a megabyte of them is not. */
const STEP_READ_AHEAD = 64 * 1024;

/**
 * Opens the file of a run. Where the places of its steps were saved and the file is still the same, it is not read; else it
 * is read once to find them. When it changed since the import the reader shows what is there now.
 * @throws InputError when the file cannot be read or no longer is a trace.
 */
export async function openTrace(run: TraceRun, work: WorkOptions = {}): Promise<TraceReader> {
  const number = /#(\d+)$/.exec(run.id.slice(run.file.length))?.[1];
  const saved = run.places === undefined ? null : await savedReading(run.places, run.file);
  let reading = saved ?? (await readTraceFile(run.file, work, number === undefined ? undefined : Number(number)));
  // In a file that was written again the number may be another run's: then all of them are read.
  const asked = reading.format === null ? undefined : reading.runs.find((one) => one.run.id === run.id);
  if (number !== undefined && asked?.run.sessionId !== run.sessionId) reading = await readTraceFile(run.file, work);
  if (reading.format === null) {
    throw new InputError(`${run.file} is no longer a trace: ${reading.reason}`, {
      code: 'trace-unreadable',
      nextStep: 'Import it again, or remove it from the list.',
    });
  }
  const found = sameRun(reading.runs, run);
  if (found === undefined) {
    throw new InputError(`${run.file} no longer holds the run ${run.sessionId ?? run.id}.`, {
      code: 'trace-unreadable',
      nextStep: 'Import it again, or remove it from the list.',
    });
  }
  const source = await TraceSource.open(run.file, STEP_READ_AHEAD);
  if (reading.archive) await source.archive();
  const fresh: TraceRun = { ...run, counts: found.run.counts, endsTruncated: found.run.endsTruncated };
  return new FileReader(fresh, source, reading.format, found.steps, reading.archive);
}

/** Where a file was written again, numbers move: the session tells which run was meant, then its number. */
function sameRun(runs: readonly RunReading[], run: TraceRun): RunReading | undefined {
  const sessions = runs.filter((one) => one.run.sessionId === run.sessionId);
  const numbered = (list: readonly RunReading[]) => list.find((one) => one.run.id === run.id);
  return numbered(sessions) ?? (run.sessionId === null ? undefined : sessions[0]) ?? numbered(runs) ?? runs[0];
}

/** A reader of the steps of one run at these places; steps that are added to the list later are read too. */
export function readerOf(
  run: TraceRun,
  source: TraceSource,
  format: TraceFormat,
  places: readonly StepPlace[],
): TraceReader {
  return new FileReader(run, source, format, places, false);
}

class FileReader implements TraceReader {
  constructor(
    readonly run: TraceRun,
    private readonly source: TraceSource,
    private readonly format: TraceFormat,
    private readonly places: readonly StepPlace[],
    private readonly inArchive: boolean,
  ) {}

  get stepCount(): number {
    return this.places.length;
  }

  async summaries(from: number, to: number): Promise<StepSummary[]> {
    const found: StepSummary[] = [];
    for (let n = Math.max(1, from); n <= Math.min(to, this.places.length); n += 1)
      found.push(summaryOf(await this.step(n)));
    return found;
  }

  async step(n: number): Promise<Step> {
    const place = this.place(n);
    const records: unknown[] = [];
    for (const range of place.ranges) records.push(await this.record(range));
    const first = place.ranges[0];
    const raw = first === undefined ? {} : { raw: this.rawRange(first) };
    return { n, ...this.format.stepOf(records, place.hint), ...raw };
  }

  /** A record that is no JSON (any more) is handed on as the text it is. */
  private async record(range: ByteRange): Promise<unknown> {
    if (this.format.text) return this.source.text(range);
    const value = await this.source.value(range);
    if (value !== null) return value.value;
    return range.length > RECORD_CAP ? undefined : this.source.text(range);
  }

  private rawRange({ offset, length, part }: ByteRange): RawRange {
    if (part === undefined) return { file: this.source.file, offset, length };
    if (this.inArchive) return { file: this.source.file, part, offset, length };
    return { file: resolve(dirname(this.source.file), part), offset, length };
  }

  async raw(n: number): Promise<string> {
    const texts: string[] = [];
    for (const range of this.place(n).ranges) texts.push(await this.source.text(range));
    return texts.join('\n');
  }

  ranges(n: number): RawRange[] {
    return this.place(n).ranges.map((range) => this.rawRange(range));
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private place(n: number): StepPlace {
    const place = Number.isInteger(n) ? this.places[n - 1] : undefined;
    if (place !== undefined) return place;
    throw new InputError(`${this.run.file} has no step ${n}; it has ${this.places.length} steps.`, {
      code: 'step-missing',
      nextStep: `Give a number from 1 to ${this.places.length}.`,
    });
  }
}
