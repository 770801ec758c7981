import { basename, relative, sep } from 'node:path';
import { importTraces, type TraceRun } from '../../traces';
import { type FoundTrial, type ResultReader, secondsBetween, trialsOf } from './resultReader';

/**
 * Anything else that the trace readers know and that has verdicts: Inspect logs, mini-swe-agent and SWE-agent folders, the
 * run folders of optimizers. A trace without a verdict is a trial without one; runs without a task are no trials.
 */
export const traceResults: ResultReader = {
  id: 'traces',
  looksFor: 'traces with verdicts, such as Inspect logs',
  async recognizes(path) {
    return (await topRuns(path)).some(({ outcome }) => outcome.verdict !== 'unknown');
  },
  async read(path) {
    return trialsOf(
      basename(path),
      (await topRuns(path)).sort(byEpochAndTime).map((run) => foundTrial(run, path)),
    );
  },
};

async function topRuns(path: string): Promise<(TraceRun & { task: string })[]> {
  const { runs } = await importTraces([path]);
  return runs.filter((run): run is TraceRun & { task: string } => run.task !== null && !run.memberOf);
}

function byEpochAndTime(one: TraceRun, other: TraceRun): number {
  return (
    (epochOf(one) ?? 0) - (epochOf(other) ?? 0) ||
    (one.started ?? '').localeCompare(other.started ?? '') ||
    one.id.localeCompare(other.id)
  );
}

/** Inspect names the repeats of a sample by their epoch; other names of trials are no numbers of repeats. */
function epochOf(run: TraceRun): number | undefined {
  const epoch = run.format === 'inspect' ? Number(run.trial) : Number.NaN;
  return Number.isInteger(epoch) && epoch >= 1 ? epoch : undefined;
}

function foundTrial(run: TraceRun & { task: string }, path: string): FoundTrial {
  const { verdict, reward, exception } = run.outcome;
  const known = verdict === 'unknown' ? 'missing' : verdict;
  const { input, output } = run.tokens;
  const place = relative(path, run.file).split(sep).join('/') || basename(run.file);
  return {
    task: run.task,
    repeat: epochOf(run),
    verdict: known,
    // Scores outside 0 to 1 are kept in the trace; as a reward they would not mean what a reward means.
    reward: reward !== null && reward >= 0 && reward <= 1 ? reward : null,
    exception: exception === null ? null : { type: 'RunError', message: exception },
    infrastructure: known === 'missing' && exception !== null,
    started: run.started,
    seconds: secondsBetween(run.started, run.ended),
    tokens: input === null && output === null ? null : (input ?? 0) + (output ?? 0),
    costUsd: run.costUsd,
    trace: place,
    output: place,
  };
}
