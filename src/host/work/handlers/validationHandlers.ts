import { hostname } from 'node:os';
import { InputError } from '../../../core/errors';
import { openHarness } from '../../../core/harness';
import { commitAccepted, numbersIn, openProposal, reviewOf } from '../../../core/proposals';
import { storePaths } from '../../../core/store';
import { createRun, judge, listRuns, readRun } from '../../../core/validation';
import type { Handlers } from '../workServer';

/** Numbers of the hunks a candidate consists of: accepted ones, and those that were applied already. */
async function takenHunks(root: string, proposal: string): Promise<number[]> {
  const { hunks } = await openProposal(root, proposal);
  const review = await reviewOf(root, proposal);
  const taken = [...numbersIn(review, hunks, 'accepted'), ...numbersIn(review, hunks, 'applied')];
  if (taken.length > 0) return taken;
  throw new InputError('No hunk of this proposal is accepted, so there is no candidate to validate.', {
    code: 'nothing-accepted',
    nextStep: 'Accept at least one hunk first.',
  });
}

/** Fixing, listing and judging runs; the trials themselves are made by a process of their own. */
export function validationHandlers(): Pick<Handlers, 'createRun' | 'listRuns' | 'judgeRun'> {
  return {
    createRun: async ({ root, suite, proposal, trials, tasks }) => {
      const harness = await openHarness(root);
      const candidate = proposal ? await commitAccepted(root, proposal, await takenHunks(root, proposal)) : null;
      return createRun({
        harness,
        suiteName: suite,
        proposal,
        candidate: candidate ? { commit: candidate.commit, label: `proposal ${proposal}` } : 'same',
        trials: trials ?? undefined,
        tasks: tasks ?? undefined,
      });
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
