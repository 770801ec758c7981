import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import { requestLogFile } from '../../core/models';
import { registerCommand, trusted } from '../commands';
import { DisposableStore } from '../disposable';
import { schemes } from '../ids';
import type { Services } from '../services';
import type { ProposalView } from '../work/methods';
import { chooseProposal } from './chooseProposal';
import { sideUri } from './reviewFiles';
import type { ReviewSession } from './reviewSession';

/** Proposals from elsewhere, for elsewhere, as a whole, and against their revisions. */
export function registerExchangeCommands(services: Services, session: ReviewSession): DisposableStore {
  const { log } = services;
  const store = new DisposableStore();
  store.add(
    registerCommand('harnessmith.overviewProposal', log, async (node) => {
      const view = await chooseProposal(services, () => session.proposal(node), 'Show all changes of which proposal?');
      if (view)
        await showChanges(
          view.proposal.title,
          filesOf(view).map((file) => pairOf(services, view, file)),
        );
    }),
  );
  store.add(
    registerCommand('harnessmith.compareRevisions', log, async (node) => {
      const isRevision = (view: ProposalView) => view.proposal.revises !== undefined;
      const title = 'Compare which revision with the proposal before it?';
      const view = await chooseProposal(services, () => session.proposal(node), title, isRevision);
      const before = view?.proposal.revises && services.proposals.proposal(view.proposal.revises.proposal);
      if (!view) return;
      if (!before) throw gone();
      const files = [...new Set([...filesOf(before), ...filesOf(view)])];
      const side = (of: ProposalView, file: string) =>
        sideUri(schemes.proposed, filesOf(of).includes(file) ? of.proposal.id : before.proposal.id, file);
      const changes = files.map((file): Change => [fileUri(services, file), side(before, file), side(view, file)]);
      await showChanges(`${view.proposal.title}: what the revision changes`, changes);
    }),
  );
  store.add(registerCommand('harnessmith.importProposal', log, () => importProposal(services)));
  store.add(
    registerCommand('harnessmith.exportProposal', log, async (node) => {
      const view = await chooseProposal(services, () => session.proposal(node), 'Export which proposal?');
      if (view) await exportProposal(services, view);
    }),
  );
  store.add(
    registerCommand('harnessmith.openModelRequests', log, async () => {
      await services.harness.ensure();
      const root = services.harness.root;
      const uri = root && vscode.Uri.file(requestLogFile(root));
      const exists =
        uri &&
        (await vscode.workspace.fs.stat(uri).then(
          () => true,
          () => false,
        ));
      if (!uri || !exists) {
        throw new InputError('No model was asked for this harness.', {
          code: 'no-requests',
          nextStep: 'Run "Harnessmith: Propose a Change"; every request is written down then.',
        });
      }
      await vscode.window.showTextDocument(uri, { preview: true });
    }),
  );
  return store;
}

/** A file in the multi-diff editor: its name, and both sides; undefined for "does not exist". */
type Change = [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined];

function showChanges(title: string, changes: readonly Change[]): Thenable<unknown> {
  return vscode.commands.executeCommand('vscode.changes', title, changes);
}

function pairOf(services: Services, view: ProposalView, file: string): Change {
  const action = view.hunks.find((hunk) => hunk.file === file)?.action;
  const { id } = view.proposal;
  const base = action === 'create' ? undefined : sideUri(schemes.base, id, file);
  const proposed = action === 'delete' ? undefined : sideUri(schemes.proposed, id, file);
  return [fileUri(services, file), base, proposed];
}

function fileUri(services: Services, file: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.file(services.harness.root ?? '/'), file);
}

function filesOf(view: ProposalView): string[] {
  return [...new Set(view.hunks.map((hunk) => hunk.file))];
}

async function importProposal(services: Services): Promise<void> {
  if (!trusted('Importing a patch')) return;
  await services.harness.ensure();
  const root = services.harness.root;
  if (!root) return;
  const branches = await services.work.call('otherBranches', { root });
  const fromFile = { label: '$(file) A patch file...', branch: '' };
  const picks = [fromFile, ...branches.map((branch) => ({ label: `$(git-branch) ${branch}`, branch }))];
  const picked = await vscode.window.showQuickPick(picks, {
    title: 'Review a patch or branch that was made elsewhere',
  });
  if (!picked) return;
  let source = picked.branch;
  if (picked === fromFile) {
    const filters = { 'Unified diff': ['diff', 'patch'], 'All files': ['*'] };
    const [file] = (await vscode.window.showOpenDialog({ filters, openLabel: 'Import' })) ?? [];
    if (!file) return;
    source = file.fsPath;
  }
  const proposal = await services.proposals.import(picked === fromFile ? 'file' : 'branch', source);
  const left = proposal.refused.length > 0 ? ` ${proposal.refused.length} parts could not be used.` : '';
  void vscode.window.setStatusBarMessage(`Harnessmith: imported "${proposal.title}".${left}`, 10_000);
}

async function exportProposal(services: Services, view: ProposalView): Promise<void> {
  const root = services.harness.root;
  const formats = [
    { label: 'Unified diff', description: 'for git apply', format: 'diff' as const, language: 'diff' },
    {
      label: 'change_manifest.json',
      description: 'for the AHE loop',
      format: 'change_manifest' as const,
      language: 'json',
    },
    { label: 'Improvement plan', description: 'as HarnessFix reads it', format: 'plan' as const, language: 'json' },
  ];
  const picked = root && (await vscode.window.showQuickPick(formats, { title: `Export "${view.proposal.title}" as` }));
  if (!picked) return;
  const content = await services.work.call('exportProposal', {
    root,
    proposal: view.proposal.id,
    format: picked.format,
  });
  const document = await vscode.workspace.openTextDocument({ content, language: picked.language });
  await vscode.window.showTextDocument(document);
}

function gone(): InputError {
  return new InputError('The proposal it revises is no longer there.', {
    code: 'proposal-missing',
    nextStep: 'Review the revision on its own.',
  });
}
