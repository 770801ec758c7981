import { stat } from 'node:fs/promises';
import { InputError } from '../errors';
import type { WorkOptions } from '../progress';
import type { TraceRun } from './model';
import { readerOf, type TraceReader } from './open';
import { TraceSource } from './reading/source';
import { type LiveReading, readGrowingFile } from './readRun';

/** How a followed file changed since it was last looked at. */
export type Growth = 'same' | 'grew' | 'rewritten';

/** A trace that is still being written. Steps that come are added to `stepCount`; those that were there stay. */
export interface FollowedTrace extends TraceReader {
  /**
   * Reads what was added, from where the reading stood. A turn that is spread over several records counts once a record
   * of the next one is there. `rewritten` says that the file is another one now: close this and open it again.
   */
  grow(): Promise<Growth>;
}

/**
 * Follows a file of one record a line. It is read once from the start; afterwards only what is added is read.
 * @throws InputError `trace-not-followed` for other files and for formats that need the whole file before the first step.
 */
export async function followTrace(run: TraceRun, work: WorkOptions = {}): Promise<FollowedTrace> {
  const source = await TraceSource.open(run.file);
  const number = /#(\d+)$/.exec(run.id.slice(run.file.length))?.[1];
  let reading: LiveReading | null = null;
  try {
    reading = await readGrowingFile(source, work, number === undefined ? undefined : Number(number));
    const live = reading;
    if (!live || live.steps.length === 0) {
      await source.close();
      throw new InputError(
        `${run.file} cannot be followed; it is no list of records that gives its steps one by one.`,
        {
          code: 'trace-not-followed',
          nextStep: 'Read it again when it changed.',
        },
      );
    }
    // Records are read by a second handle, so that a look at a step never disturbs the reading.
    const records = await TraceSource.open(run.file);
    const reader = readerOf(run, records, live.format, live.steps);
    let growing: Promise<unknown> = Promise.resolve();
    return {
      run,
      get stepCount() {
        return live.steps.length;
      },
      summaries: (from, to) => reader.summaries(from, to),
      step: (n) => reader.step(n),
      raw: (n) => reader.raw(n),
      ranges: (n) => reader.ranges(n),
      grow: () => {
        const next = growing.then(() => grow(source, records, live));
        growing = next.catch(() => undefined);
        return next;
      },
      close: async () => {
        await growing;
        source.stopWaiting();
        await live.ended;
        await reader.close();
        await source.close();
      },
    };
  } catch (error) {
    source.stopWaiting();
    await reading?.ended;
    await source.close();
    throw error;
  }
}

async function grow(source: TraceSource, records: TraceSource, live: LiveReading): Promise<Growth> {
  const now = await stat(source.file).catch(() => null);
  if (!now || !(await source.isFile(now))) return 'rewritten';
  if (now.size < source.size) return 'rewritten';
  if (now.size === source.size) return (await source.changed()) ? 'rewritten' : 'same';
  if (!(await source.growTo(now))) return 'rewritten';
  await records.growTo(now);
  await live.caughtUp();
  return 'grew';
}
