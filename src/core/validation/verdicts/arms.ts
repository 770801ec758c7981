import type { Arm, RunManifest, TaskComparison, Trial, Verdict } from '../model';
import { mean, meanWithError, passAtK, passHatK, wilson } from '../statistics';
import { majorityPasses } from '../taskTable';
import type { TaskOutcomes } from './differences';

/** Mean score of an arm over tasks, with both denominators. */
export function armScore(
  manifest: RunManifest,
  arm: Arm,
  outcomes: readonly TaskOutcomes[],
  trials: readonly Trial[],
): NonNullable<Verdict['scores']>['baseline'] {
  const own = trials.filter((trial) => trial.arm === arm && manifest.tasks.includes(trial.task));
  const judged = own.filter((trial) => trial.verdict !== 'missing');
  const { mean: score, standardError } = meanWithError(outcomes.map((task) => mean(task[arm])));
  return {
    mean: outcomes.length === 0 ? 0 : score,
    standardError,
    passed: judged.filter((trial) => trial.verdict === 'pass').length,
    measured: judged.length,
    planned: manifest.tasks.length * manifest.trials,
    infrastructure: own.filter((trial) => trial.infrastructure).length,
  };
}

/**
 * pass@k and pass^k of both arms for k = 1 to the repeats, averaged over the tasks with at least k measured trials in both
 * arms; k that no task allows is left out.
 */
export function passAtOf(tasks: readonly TaskComparison[], repeats: number): NonNullable<Verdict['passAt']> {
  const found: NonNullable<Verdict['passAt']> = [];
  for (let k = 1; k <= repeats; k++) {
    const able = tasks.filter((task) => task.baseline.of >= k && task.candidate.of >= k);
    if (able.length === 0) break;
    const of = (arm: Arm) => ({
      any: mean(able.map((task) => passAtK(task[arm].of, task[arm].passed, k) ?? 0)),
      all: mean(able.map((task) => passHatK(task[arm].of, task[arm].passed, k) ?? 0)),
    });
    found.push({ k, baseline: of('baseline'), candidate: of('candidate') });
  }
  return found;
}

/** Of the tasks that the baseline passes by majority: how many the candidate still passes. */
export function retentionOf(tasks: readonly TaskComparison[]): NonNullable<Verdict['retention']> {
  const passed = tasks.filter((task) => task.group !== 'not measured' && majorityPasses(task.baseline));
  const kept = passed.filter((task) => majorityPasses(task.candidate)).length;
  return { kept, of: passed.length, interval: wilson(kept, passed.length) };
}

/** Why trials have no verdict, most frequent first. */
export function missingReasons(manifest: RunManifest, trials: readonly Trial[]): NonNullable<Verdict['missing']> {
  const counts = new Map<string, { arm: Arm; reason: string; trials: number }>();
  for (const trial of trials) {
    if (trial.verdict !== 'missing' || !manifest.tasks.includes(trial.task)) continue;
    const reason = trial.exception ? trial.exception.type : 'no verdict';
    const key = `${trial.arm} ${reason}`;
    const entry = counts.get(key) ?? { arm: trial.arm, reason, trials: 0 };
    counts.set(key, { ...entry, trials: entry.trials + 1 });
  }
  return [...counts.values()].sort((one, other) => other.trials - one.trials);
}

/** The two worst readings of missing trials, over all tasks. */
export function boundsOf(tasks: readonly TaskComparison[]): [number, number] {
  const total = { low: 0, high: 0 };
  for (const { baseline, candidate } of tasks) {
    const before = baseline.of + baseline.missing;
    const after = candidate.of + candidate.missing;
    if (before === 0 || after === 0) continue;
    total.low += candidate.passed / after - (baseline.passed + baseline.missing) / before;
    total.high += (candidate.passed + candidate.missing) / after - baseline.passed / before;
  }
  return [total.low / tasks.length, total.high / tasks.length];
}
