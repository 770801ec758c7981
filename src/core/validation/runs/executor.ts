import type { WorkOptions } from '../../progress';
import type { Candidate, RunManifest, Trial } from '../model';
import { makeTrial } from './makeTrial';
import { prepareArms } from './prepareArms';
import type { PlannedTrial } from './trialLog';

/** What trials of one run are made with, once everything they need is there. */
export interface ReadyExecutor {
  /** How many trials may be under way at once. */
  concurrency: number;
  /** Makes one trial and leaves its files in the run folder; undefined when it was cancelled. */
  make(trial: PlannedTrial, signal: AbortSignal): Promise<Trial | undefined>;
  /** Called once, also after a failure. */
  close(): Promise<void>;
}

/** Where trials are made: on this machine, or on those that take them from a queue. */
export type TrialExecutor = (
  root: string,
  runFolder: string,
  manifest: RunManifest,
  arms: readonly Candidate[],
  work: WorkOptions,
) => Promise<ReadyExecutor>;

/** Makes trials here, in one worktree an arm. */
export const localExecutor: TrialExecutor = async (root, runFolder, manifest, arms, work) => {
  const ready = await prepareArms(root, runFolder, manifest, arms, work);
  return {
    concurrency: manifest.suite.concurrency,
    async make(trial, signal) {
      const arm = ready.get(trial.arm);
      if (!arm) throw new Error(`no worktree for ${trial.arm}`);
      return makeTrial(manifest, trial, { runFolder, ...arm }, signal);
    },
    close: async () => undefined, // the worktrees are removed with the run's other leftovers
  };
};
