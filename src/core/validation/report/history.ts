import { Ledger } from '../../store';
import type { Arm, RunManifest, Split, Trial, Verdict } from '../model';
import { isNoiseRun } from '../model';
import { listRuns, readRun } from '../runs';

/** One arm of a run as a point of cost and score. */
export interface ArmPoint {
  arm: Arm;
  label: string;
  tree: string;
  /** Mean over tasks, 0..1. */
  score: number;
  /** Per trial; null where not every trial states it. */
  usd: number | null;
  tokens: number | null;
}

/** A run among the others of its suite. */
export interface HistoryEntry {
  run: string;
  createdAt: string;
  state: RunManifest['state'];
  split: Split | null;
  proposal: string | null;
  noise: boolean;
  verdict: Verdict['verdict'] | null;
  difference: number | null;
  interval: [number, number] | null;
  /** Reason of a person who went against the verdict; null without one. */
  override: string | null;
  /** Run whose candidate this run's baseline is; null for a first one. */
  parent: string | null;
  arms: ArmPoint[];
}

/** Runs beyond these are history that nobody reads. */
const mostRuns = 40;

/** The runs of a suite, newest first, each with its verdict, its cost and the run its baseline came from. */
export async function historyOf(root: string, suiteName: string): Promise<HistoryEntry[]> {
  const { runs } = await listRuns(root);
  const own = runs.filter((run) => run.suiteName === suiteName).slice(0, mostRuns);
  const overrides = new Map<string, string>();
  const { entries: records } = await (await Ledger.open(root)).read();
  for (const entry of records) {
    if (entry.kind === 'override') overrides.set(entry.run, entry.reason);
  }
  const entries: HistoryEntry[] = [];
  for (const manifest of own) {
    const { trials, verdict } = await readRun(root, manifest.id);
    const final = manifest.state === 'finished' ? verdict : null;
    entries.push({
      run: manifest.id,
      createdAt: manifest.createdAt,
      state: manifest.state,
      split: manifest.split ?? null,
      proposal: manifest.proposal,
      noise: isNoiseRun(manifest),
      verdict: final?.verdict ?? null,
      difference: final?.difference ?? null,
      interval: final?.interval ?? null,
      override: overrides.get(manifest.id) ?? null,
      parent: parentOf(manifest, own),
      arms: final ? armPoints(manifest, trials, final) : [],
    });
  }
  return entries;
}

function parentOf(manifest: RunManifest, runs: readonly RunManifest[]): string | null {
  const tree = treeOf(manifest, 'baseline');
  const parent = runs.find(
    (run) =>
      run.createdAt < manifest.createdAt && !isNoiseRun(run) && tree !== undefined && treeOf(run, 'candidate') === tree,
  );
  return parent?.id ?? null;
}

function treeOf(manifest: RunManifest, arm: Arm): string | undefined {
  return manifest.arms.find((each) => each.arm === arm)?.tree;
}

function armPoints(manifest: RunManifest, trials: readonly Trial[], verdict: Verdict): ArmPoint[] {
  return manifest.arms.map(({ arm, label, tree }) => {
    const own = trials.filter((trial) => trial.arm === arm);
    const perTrial = (of: (trial: Trial) => number | null) =>
      own.length === 0 || own.some((trial) => of(trial) === null)
        ? null
        : own.reduce((sum, trial) => sum + (of(trial) ?? 0), 0) / own.length;
    return {
      arm,
      label,
      tree,
      score: verdict.scores?.[arm].mean ?? 0,
      usd: perTrial((trial) => trial.costUsd),
      tokens: perTrial((trial) => trial.tokens),
    };
  });
}
