import { hostname } from 'node:os';
import { openHarness } from '../../../core/harness';
import { commitTaken } from '../../../core/proposals';
import { storePaths } from '../../../core/store';
import {
  cancelRun,
  createRun,
  extendRun,
  historyOf,
  judge,
  listRuns,
  overrideVerdict,
  readRun,
  reportOnRuns,
  writeReport,
} from '../../../core/validation';
import type { Handlers } from '../workServer';

/** Fixing, listing and judging runs; the trials themselves are made by a process of their own. */
export function validationHandlers(): Pick<
  Handlers,
  'createRun' | 'cancelRun' | 'listRuns' | 'judgeRun' | 'runHistory' | 'overrideRun' | 'extendRun' | 'writeReport'
> {
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
    runHistory: ({ root, suite }) => historyOf(root, suite),
    overrideRun: async ({ root, run, reason }) => {
      await overrideVerdict(root, run, reason);
      return null;
    },
    extendRun: async ({ root, run, repeats }) => {
      await extendRun(root, run, repeats);
      return null;
    },
    writeReport: async ({ root, run, against, format }) => {
      if (against !== null) return writeReport(format, await reportOnRuns(root, against, run));
      const { manifest, trials, verdict } = await readRun(root, run);
      return writeReport(format, { manifest, trials, verdict: verdict ?? judge(manifest, trials) });
    },
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
