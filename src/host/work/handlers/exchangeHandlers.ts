import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { syntaxErrors } from '../../../core/graph';
import { git, openHarness } from '../../../core/harness';
import {
  exportChangeManifest,
  exportRepairPlan,
  exportUnifiedDiff,
  importBranch,
  importDiff,
  openProposal,
} from '../../../core/proposals';
import { taskTexts } from '../../../core/validation';
import type { Handlers } from '../workServer';

/** Proposals from and for other tools. */
export function exchangeHandlers(): Pick<Handlers, 'exportProposal' | 'importProposal' | 'otherBranches'> {
  return {
    exportProposal: async ({ root, proposal, format }) => {
      const stored = await openProposal(root, proposal);
      if (format === 'diff') return exportUnifiedDiff(stored);
      const { config } = await openHarness(root);
      const made =
        format === 'plan' ? exportRepairPlan(stored, config.protected) : exportChangeManifest(stored.proposal);
      return `${JSON.stringify(made, null, 2)}\n`;
    },
    importProposal: async ({ root, from, source, by }, { signal }) => {
      const harness = await openHarness(root);
      const options = { syntaxErrors, tasks: await taskTexts(harness), who: by, signal };
      if (from === 'branch') return importBranch(harness, source, options);
      const text = await readFile(source, 'utf8');
      return importDiff(harness, text, { ...options, title: basename(source), request: `Imported from ${source}.` });
    },
    otherBranches: async ({ root }, { signal }) => {
      const args = ['branch', '--no-merged', 'HEAD', '--sort=-committerdate', '--format=%(refname:short)'];
      const { stdout, exitCode } = await git(root, args, { signal, allowFailure: true });
      return exitCode === 0 ? stdout.split('\n').filter(Boolean).slice(0, 200) : [];
    },
  };
}
