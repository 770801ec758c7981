import type { Arm, TaskComparison, Trial, VerdictRule } from '../model';
import { mean } from '../statistics';

/** Outcomes of one task that both arms have measured, on the 0..1 scale. */
export interface TaskOutcomes {
  task: string;
  baseline: number[];
  candidate: number[];
}

/** Outcomes of every measured trial by the metric of the rule, tasks in the order of the table. */
export function outcomesOf(
  tasks: readonly TaskComparison[],
  trials: readonly Trial[],
  metric: VerdictRule['metric'],
): TaskOutcomes[] {
  const found = new Map<string, Record<Arm, number[]>>();
  for (const task of tasks) {
    if (task.group !== 'not measured') found.set(task.task, { baseline: [], candidate: [] });
  }
  for (const trial of trials) {
    if (trial.verdict !== 'missing') found.get(trial.task)?.[trial.arm].push(outcomeOf(trial, metric));
  }
  return [...found].map(([task, arms]) => ({ task, ...arms }));
}

/** What one trial with a verdict counts. A reward that is no number counts by its verdict. */
export function outcomeOf(trial: Pick<Trial, 'verdict' | 'reward'>, metric: VerdictRule['metric']): number {
  const passed = trial.verdict === 'pass' ? 1 : 0;
  if (metric === 'pass rate' || trial.reward === null || !Number.isFinite(trial.reward)) return passed;
  return Math.min(1, Math.max(0, trial.reward));
}

/** Mean of the candidate minus mean of the baseline, a task each. */
export function taskDifferences(outcomes: readonly TaskOutcomes[]): number[] {
  return outcomes.map(({ baseline, candidate }) => mean(candidate) - mean(baseline));
}

/** Rewards finer than this tie. */
const rewardSteps = 1_000_000;

/**
 * The same differences as integers, so that equal sums are equal and no tie is broken by rounding: times the least common
 * multiple of the numbers of trials, which for equally many repeats gives differences of pass counts.
 */
export function integerDifferences(outcomes: readonly TaskOutcomes[]): number[] {
  const counts = outcomes.flatMap(({ baseline, candidate }) => [baseline.length, candidate.length]);
  const scale = counts.reduce((multiple, count) => Math.min(rewardSteps, leastCommonMultiple(multiple, count)), 1);
  const whole = outcomes.every(({ baseline, candidate }) => [...baseline, ...candidate].every(Number.isInteger));
  const steps = whole ? scale : rewardSteps;
  return taskDifferences(outcomes).map((difference) => Math.round(difference * steps));
}

function leastCommonMultiple(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b > 0) [a, b] = [b, a % b];
  return (one / a) * other;
}
