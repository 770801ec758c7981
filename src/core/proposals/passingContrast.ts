import type { Finding } from '../diagnosis';
import type { WorkOptions } from '../progress';
import { compareRuns, openTrace, type TraceRun } from '../traces';
import type { ProposeInput } from './propose';
import { stepText } from './stepText';

/** Comparing runs reads both from end to end; one good example says enough. */
const pairsTried = 3;

/**
 * The step at which a passing run of the same task went another way than a failing one with the flaw. None when no task
 * of the flaw was passed by another run.
 */
export async function passingContrast(
  findings: readonly Finding[],
  runs: readonly TraceRun[],
  work: WorkOptions = {},
): Promise<NonNullable<ProposeInput['steps']>[number][]> {
  for (const [failing, passing] of flippingPairs(findings, runs).slice(0, pairsTried)) {
    work.signal?.throwIfAborted();
    const [first, second] = await Promise.all([openTrace(failing), openTrace(passing)]);
    try {
      const step = (await compareRuns(first, second, work)).matters?.secondStep;
      if (step === null || step === undefined) continue;
      const heading = 'Another run of this task passed. Here it went another way:\n';
      return [{ run: passing.id, step, task: passing.task, text: heading + stepText(await second.step(step)) }];
    } finally {
      await Promise.all([first.close(), second.close()]);
    }
  }
  return [];
}

/** Failing runs with the flaw, each with a passing run of its task that has not got it; one pair a task. */
function flippingPairs(findings: readonly Finding[], runs: readonly TraceRun[]): [TraceRun, TraceRun][] {
  const flawed = new Set(findings.map(({ run }) => run));
  const pairs = new Map<string, [TraceRun, TraceRun]>();
  for (const failing of runs) {
    if (!flawed.has(failing.id) || failing.task === null || failing.outcome.verdict !== 'fail') continue;
    const passing = runs.find(
      (one) => one.task === failing.task && one.outcome.verdict === 'pass' && !flawed.has(one.id),
    );
    if (passing && !pairs.has(failing.task)) pairs.set(failing.task, [failing, passing]);
  }
  return [...pairs.values()];
}
