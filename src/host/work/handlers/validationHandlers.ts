import { hostname } from 'node:os';
import { openHarness } from '../../../core/harness';
import { commitTaken } from '../../../core/proposals';
import { storePaths } from '../../../core/store';
import { cancelRun, createRun, judge, listRuns, readRun } from '../../../core/validation';
import type { Handlers } from '../workServer';

/** Fixing, listing and judging runs; the trials themselves are made by a process of their own. */
export function validationHandlers(): Pick<Handlers, 'createRun' | 'cancelRun' | 'listRuns' | 'judgeRun'> {
  return {
    createRun: async ({ root, suite, proposal, trials, tasks }) => {
      const harness = await openHarness(root);
      const candidate = proposal ? await commitTaken(root, proposal) : null;
      return createRun({
        harness,
        suiteName: suite,
        proposal,
        candidate: candidate ? { commit: candidate.commit, label: `proposal ${proposal}` } : 'same',
        trials: trials ?? undefined,
        tasks: tasks ?? undefined,
      });
    },
    cancelRun: async ({ root, run }) => {
      await cancelRun(root, run);
      return null;
    },
    listRuns: async ({ root }) => (await listRuns(root)).runs,
    judgeRun: async ({ root, run }) => {
      const { manifest, trials, verdict, runner } = await readRun(root, run);
      // A run under way has no stored verdict; what there is so far can be judged all the same.
      const provisional = manifest.arms.length > 1 && trials.length > 0 ? judge(manifest, trials) : null;
      return {
        manifest,
        trials,
        verdict: verdict ?? provisional,
        runner: runner && runner.host === hostname() ? runner.pid : null,
        folder: storePaths(root).run(run),
      };
    },
  };
}
