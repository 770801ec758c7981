import type { Arm, CostChange, Trial, VerdictRule } from '../model';
import { bootstrapMeans, quantile, signFlip } from '../statistics';

const units = {
  tokens: { of: (trial: Trial) => trial.tokens, steps: 1 },
  USD: { of: (trial: Trial) => trial.costUsd, steps: 1_000_000 },
  seconds: { of: (trial: Trial) => (trial.seconds > 0 ? trial.seconds : null), steps: 1_000 },
} as const;

/**
 * Relative change of tokens, price and time, paired over the tasks whose trials all state them in both arms. The interval
 * draws tasks with replacement; p is the sign-flip p of the mean task differences. Costs that fewer than the minimum
 * coverage of tasks state are left out: a part would compare unlike things.
 */
export function costChanges(tasks: readonly string[], trials: readonly Trial[], rule: VerdictRule): CostChange[] {
  return (Object.keys(units) as (keyof typeof units)[]).flatMap((unit) => {
    const pairs = pairsOf(tasks, trials, units[unit].of);
    if (pairs.length < 2 || pairs.length < rule.minimumCoverage * tasks.length) return [];
    const before = pairs.reduce((sum, pair) => sum + pair.baseline, 0);
    const after = pairs.reduce((sum, pair) => sum + pair.candidate, 0);
    if (!(before > 0)) return [];
    const differences = pairs.map((pair) => pair.candidate - pair.baseline);
    const scale = pairs.length / before;
    const means = bootstrapMeans(differences, { samples: rule.bootstrapSamples, seed: rule.bootstrapSeed }).sort();
    return [
      {
        unit,
        change: after / before - 1,
        interval: [quantile(means, 0.025) * scale, quantile(means, 0.975) * scale],
        p: signFlip(coarse(differences.map((each) => each * units[unit].steps)), { draws: 9_999 }),
        tasks: pairs.length,
      } satisfies CostChange,
    ];
  });
}

/** Whole numbers of at most five digits: the sign-flip count stays quick, and no cost is known better than that. */
function coarse(values: readonly number[]): number[] {
  const largest = Math.max(...values.map(Math.abs));
  const factor = largest > 10_000 ? 10_000 / largest : 1;
  return values.map((value) => Math.round(value * factor));
}

function pairsOf(tasks: readonly string[], trials: readonly Trial[], costOf: (trial: Trial) => number | null) {
  const sums = new Map<string, Record<Arm, { sum: number; trials: number; known: boolean }>>();
  const empty = () => ({ sum: 0, trials: 0, known: true });
  for (const task of tasks) sums.set(task, { baseline: empty(), candidate: empty() });
  for (const trial of trials) {
    const entry = sums.get(trial.task)?.[trial.arm];
    if (!entry) continue;
    const cost = costOf(trial);
    entry.known &&= cost !== null;
    entry.sum += cost ?? 0;
    entry.trials++;
  }
  return [...sums.values()].flatMap(({ baseline, candidate }) => {
    if (!baseline.known || !candidate.known || baseline.trials === 0 || candidate.trials === 0) return [];
    return [{ baseline: baseline.sum / baseline.trials, candidate: candidate.sum / candidate.trials }];
  });
}

/** Null unless every trial of the arm states its cost: a partial sum would compare unlike things. */
export function totalOf(trials: readonly Trial[], arm: Arm, costOf: (trial: Trial) => number | null): number | null {
  const own = trials.filter((trial) => trial.arm === arm);
  if (own.length === 0 || own.some((trial) => costOf(trial) === null)) return null;
  return own.reduce((sum, trial) => sum + (costOf(trial) ?? 0), 0);
}

/** The cost that clearly falls, if one does: p within the level, interval below zero, and the declared saving reached. */
export function clearSaving(
  changes: readonly CostChange[],
  level: number,
  minimumSaving: number,
): CostChange | undefined {
  // Time depends on the machine; only tokens and price belong to the candidate.
  return changes.find(
    ({ unit, change, interval, p }) => unit !== 'seconds' && p <= level && interval[1] < 0 && change <= -minimumSaving,
  );
}
