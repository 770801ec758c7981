import type { Arm, TaskComparison, Trial } from './model';

type Counts = TaskComparison['baseline'];

/** Compares the arms task by task. Trials of other tasks are left out; trials that were not made count as missing. */
export function compareTasks(tasks: readonly string[], repeats: number, trials: readonly Trial[]): TaskComparison[] {
  const byTask = new Map<string, Record<Arm, Trial[]>>();
  for (const task of tasks) byTask.set(task, { baseline: [], candidate: [] });
  for (const trial of trials) byTask.get(trial.task)?.[trial.arm].push(trial);
  return [...byTask].map(([task, arms]) => {
    const baseline = count(arms.baseline, repeats);
    const candidate = count(arms.candidate, repeats);
    return { task, baseline, candidate, group: groupOf(baseline, candidate) };
  });
}

/** `of` holds measured trials only, so that a missing verdict is never read as a failure. */
function count(trials: readonly Trial[], repeats: number): Counts {
  const measured = trials.filter((trial) => trial.verdict !== 'missing');
  const passed = measured.filter((trial) => trial.verdict === 'pass').length;
  return { passed, of: measured.length, missing: Math.max(repeats, trials.length) - measured.length };
}

/**
 * True when more than half of the measured trials passed. A tie is no pass: an even split does not show that the task
 * is solved, and the rule is the same for both arms.
 */
export function majorityPasses({ passed, of }: Pick<Counts, 'passed' | 'of'>): boolean {
  return 2 * passed > of;
}

function groupOf(baseline: Counts, candidate: Counts): TaskComparison['group'] {
  if (baseline.of === 0 || candidate.of === 0) return 'not measured';
  const before = majorityPasses(baseline);
  const after = majorityPasses(candidate);
  if (before !== after) return after ? 'flipped up' : 'flipped down';
  if (baseline.passed === baseline.of && candidate.passed === candidate.of) return 'stable pass';
  if (baseline.passed === 0 && candidate.passed === 0) return 'stable fail';
  return 'flaky';
}
