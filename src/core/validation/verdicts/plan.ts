import type { RunManifest } from '../model';
import {
  differenceVariance,
  mean,
  type PairedVariance,
  repeatsFor,
  resolvableGap,
  sampleVariance,
  tasksFor,
} from '../statistics';
import { type TaskOutcomes, taskDifferences } from './differences';

/** What a design can see, and what would be needed to see more. Differences on the 0..1 scale. */
export interface Resolution {
  detectable: number | null;
  /** More tasks with these repeats, and more repeats of these tasks, that resolve the difference seen. */
  moreTasks: number | null;
  moreTrials: number | null;
  /** Tasks with these repeats that resolve the declared minimal effect. */
  tasksForEffect: number | null;
}

/** Repeats beyond this are no advice. */
const mostRepeats = 100;

/**
 * Plans from the spread of task differences (Miller 2024): gaps of 2.80 standard errors are found with 80 % power at 5 %.
 * Where all tasks differ alike one imagined task in each direction stands for the spread that was not seen.
 */
export function resolutionOf(manifest: RunManifest, outcomes: readonly TaskOutcomes[], level: number): Resolution {
  const differences = taskDifferences(outcomes);
  const tasks = differences.length;
  // Fewer than six tasks cannot give a p of 5 % whatever happens.
  const possible = 2 ** (1 - tasks) <= level;
  const taskVariance = spreadOf(differences);
  const options = { alpha: level > 0 ? level : manifest.rule.alpha };
  const { minimumEffect } = manifest.rule;
  const seen = Math.abs(mean(differences));
  const more = tasks === 0 || seen < 1e-9 ? null : tasksFor(seen, taskVariance, options);
  return {
    detectable: possible ? Math.min(1, resolvableGap(Math.sqrt(taskVariance / tasks), options)) : null,
    moreTasks: more === null ? null : Math.max(1, fewestTasks(level) - tasks, more - tasks),
    moreTrials: possible ? moreRepeats(manifest.trials, outcomes, seen, options) : null,
    tasksForEffect: minimumEffect === undefined || tasks === 0 ? null : tasksFor(minimumEffect, taskVariance, options),
  };
}

/** Tasks below which no outcome is significant at the level. */
function fewestTasks(level: number): number {
  return level > 0 ? Math.ceil(1 - Math.log2(level)) : 0;
}

function spreadOf(differences: readonly number[]): number {
  const variance = sampleVariance(differences);
  if (variance !== null && variance > 1e-12) return variance;
  return sampleVariance([...differences, -1, 1]) ?? 1;
}

function moreRepeats(
  repeats: number,
  outcomes: readonly TaskOutcomes[],
  seen: number,
  options: { alpha: number },
): number | null {
  const repeated = outcomes.filter(({ baseline, candidate }) => baseline.length > 1 && candidate.length > 1);
  if (repeated.length < 2 || seen < 1e-9) return null;
  const within = (arm: 'baseline' | 'candidate') => mean(repeated.map((task) => sampleVariance(task[arm]) ?? 0));
  const noise: PairedVariance = { effect: 0, withinBaseline: within('baseline'), withinCandidate: within('candidate') };
  const effect = Math.max(0, spreadOf(taskDifferences(repeated)) - differenceVariance(noise, repeats));
  const needed = repeatsFor(seen, outcomes.length, { ...noise, effect }, options);
  return needed === null || needed > mostRepeats ? null : Math.max(1, needed - repeats);
}
