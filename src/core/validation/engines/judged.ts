import { stat } from 'node:fs/promises';
import { realInside } from '../../harness';
import { exceptionOf, isInfrastructure, verdictOf } from './ends';
import type { TrialEnd, TrialOutcome, TrialRequest } from './engine';
import { readResultFile } from './resultFile';

/** The outcome by the `result` of the suite: the exit code, or the result file in `{out}`. */
export async function judged(end: TrialEnd, { suite, out }: TrialRequest): Promise<TrialOutcome> {
  const trace = suite.trace === undefined ? null : await existingInside(out, suite.trace);
  if (suite.result === 'exit-code') return { ...byExitCode(end), tokens: null, costUsd: null, trace };

  const found = await readResultFile(out, suite.result.file);
  return {
    verdict: verdictOf(found.reward),
    reward: found.reward,
    // What stopped the process explains more than what it left behind, so it comes first.
    exception:
      exceptionOf(end) ??
      found.exception ??
      (found.problem === null ? null : { type: 'ResultMissing', message: found.problem }),
    infrastructure: found.reward === null && (isInfrastructure(end) || found.malformed),
    tokens: found.tokens,
    costUsd: found.costUsd,
    trace,
  };
}

function byExitCode(end: TrialEnd): Pick<TrialOutcome, 'verdict' | 'reward' | 'exception' | 'infrastructure'> {
  if (end.kind === 'exited' && end.code <= 1) {
    const reward = end.code === 0 ? 1 : 0;
    return { verdict: verdictOf(reward), reward, exception: null, infrastructure: false };
  }
  return { verdict: 'missing', reward: null, exception: exceptionOf(end), infrastructure: isInfrastructure(end) };
}

/** A path below `{out}` that exists; null when it does not or leads outside: the trial counts all the same. */
export async function existingInside(out: string, path: string): Promise<string | null> {
  try {
    const full = await realInside(out, path);
    await stat(full);
    return full;
  } catch {
    return null;
  }
}
