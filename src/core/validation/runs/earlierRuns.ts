import type { RunManifest, Split } from '../model';
import type { BaselineReruns } from '../verdicts';
import { listRuns, readRun } from './runStore';

/** Runs beyond these add time, not knowledge. */
const mostRuns = 10;

/**
 * Trials of the same baseline in other runs of the suite: arms with the same tree. They tell how far reruns of the unchanged
 * harness lie apart.
 */
export async function baselineReruns(root: string, manifest: RunManifest): Promise<BaselineReruns[]> {
  const tree = manifest.arms.find((each) => each.arm === 'baseline')?.tree;
  if (!tree) return [];
  const found: BaselineReruns[] = [];
  for (const run of (await listRuns(root)).runs) {
    if (run.id === manifest.id || run.suiteName !== manifest.suiteName || found.length === mostRuns) continue;
    const arms = run.arms.filter((each) => each.tree === tree).map((each) => each.arm);
    if (arms.length === 0) continue;
    const { trials } = await readRun(root, run.id);
    const own = trials.filter((trial) => arms.includes(trial.arm) && manifest.tasks.includes(trial.task));
    if (own.length > 0) found.push({ name: run.id, trials: own });
  }
  return found;
}

/** Finished runs of two arms on a suite and split: every one was a look at its tasks. A/A runs decide nothing. */
export async function looksAt(root: string, suiteName: string, split: Split | undefined): Promise<RunManifest[]> {
  const { runs } = await listRuns(root);
  return runs.filter(
    (run) =>
      run.state === 'finished' &&
      run.suiteName === suiteName &&
      run.split === split &&
      run.arms.length > 1 &&
      run.arms.every((arm) => arm.seedOffset === undefined),
  );
}
