import { isNoiseRun, type RunManifest, type Trial, type Verdict } from '../model';
import { normalQuantile, sampleVariance } from '../statistics';
import { outcomeOf } from './differences';

/** Trials of the unchanged harness from other runs, with the name people know them by. */
export interface BaselineReruns {
  name: string;
  trials: readonly Trial[];
}

/**
 * How far apart two runs of the unchanged harness lie 95 times of 100 by chance, with as many tasks and repeats as this
 * run: 1.96 sqrt(2 within / repeats / tasks), `within` being the mean variance of outcomes of the same task. Taken from
 * repeats of the baseline here, from both arms of an A/A run, and from earlier runs of the same baseline. Null where no
 * task was tried twice.
 */
export function noiseFloorOf(
  manifest: RunManifest,
  trials: readonly Trial[],
  reruns: readonly BaselineReruns[] = [],
): Verdict['noiseFloor'] {
  const same = isNoiseRun(manifest);
  const own = trials.filter((trial) => same || trial.arm === 'baseline');
  const used = [...own, ...reruns.flatMap((each) => each.trials)].filter((trial) => trial.verdict !== 'missing');
  const byTask = new Map<string, number[]>();
  for (const task of manifest.tasks) byTask.set(task, []);
  for (const trial of used) byTask.get(trial.task)?.push(outcomeOf(trial, manifest.rule.metric));
  const variances = [...byTask.values()].flatMap((outcomes) => sampleVariance(outcomes) ?? []);
  if (variances.length === 0) return null;
  const within = variances.reduce((sum, each) => sum + each, 0) / variances.length;
  const halfWidth = normalQuantile(0.975) * Math.sqrt((2 * within) / manifest.trials / manifest.tasks.length);
  const counted = [...byTask.values()].reduce((sum, outcomes) => sum + outcomes.length, 0);
  return { halfWidth, from: sourceWords(same, reruns), trials: counted };
}

function sourceWords(same: boolean, reruns: readonly BaselineReruns[]): string {
  const here = same ? 'both arms of this A/A run' : 'repeats of the baseline in this run';
  if (reruns.length === 0) return here;
  const names = reruns.map((each) => each.name);
  return `${here} and ${names.length === 1 ? names[0] : `${names.length} earlier runs of the same baseline`}`;
}
