import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { EnvironmentError, InputError } from '../../core/errors';
import { registerCommand, trusted, withProgress } from '../commands';
import { DisposableStore } from '../disposable';
import type { FromTree } from '../ids';
import { applyTarget, type Services } from '../services';
import type { ProposalView, Result } from '../work/methods';
import { chooseProposal } from './chooseProposal';
import { applyQuestion } from './reviewOrder';
import type { ReviewSession } from './reviewSession';
import { unsavedFiles } from './unsavedFiles';

/** Writing what was accepted, and taking it back. */
export function registerApplyCommands(services: Services, session: ReviewSession): DisposableStore {
  const store = new DisposableStore();
  store.add(registerCommand('harnessmith.applyProposal', services.log, (node) => apply(services, session, node)));
  store.add(registerCommand('harnessmith.undoProposal', services.log, (node) => undo(services, session, node)));
  return store;
}

async function apply(services: Services, session: ReviewSession, node: FromTree): Promise<void> {
  const title = 'Apply the accepted hunks of which proposal?';
  const view = await chooseProposal(services, () => session.proposal(node), title);
  if (!view || !trusted('Applying a proposal')) return;
  const target = applyTarget(services);
  const { id } = view.proposal;
  const question = applyQuestion(view, target, `harnessmith/${id}`);
  if (!question) {
    throw new InputError('No hunk of this proposal is accepted.', {
      code: 'nothing-accepted',
      nextStep: 'Accept at least one hunk first.',
    });
  }
  const open = view.hunks.filter((hunk) => hunk.state === 'open').length;
  const detail = open ? `${open === 1 ? '1 undecided hunk is' : `${open} undecided hunks are`} left out.` : undefined;
  const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, 'Write');
  if (chosen !== 'Write') return;
  const applied = await withProgress('Applying the accepted hunks', () =>
    target === 'workingTree' ? applyInEditor(services, view) : services.proposals.apply(id, target),
  );
  void vscode.window.setStatusBarMessage(`Harnessmith: wrote ${applied.files.join(', ')} to ${applied.target}`, 10_000);
  services.log.info(`Applied ${id} to ${applied.target}: ${applied.files.join(', ')}`);
  if (applied.left.length > 0) {
    const places = applied.left.map((hunk) => `hunk ${hunk.number} of ${hunk.file} (${hunk.reason})`).join('; ');
    void vscode.window.showWarningMessage(`Not written, changed since the proposal was made: ${places}.`);
  }
}

/**
 * Writes through the editor: one step a decision, so that Undo takes back one decision, and unsaved text stays where it
 * is. Files that were saved are saved again. Files that an editor cannot write exactly go by the disk.
 */
async function applyInEditor(services: Services, view: ProposalView): Promise<Result<'applyProposal'>> {
  const root = services.harness.root;
  const { id } = view.proposal;
  if (!root) throw new InputError('There is no harness.', { code: 'no-harness', nextStep: 'Open its folder.' });
  const plan = await services.work.call('planApply', { root, proposal: id, unsaved: unsavedFiles(root) });
  if (!plan.exact) {
    refuseUnsaved(
      root,
      plan.files.map(({ file }) => file),
    );
    return services.proposals.apply(id, 'workingTree');
  }
  const wasUnsaved = new Set(Object.keys(unsavedFiles(root)));
  const modes = new Map(
    await Promise.all(plan.files.map(async ({ file }) => [file, await modeOf(root, file)] as const)),
  );
  for (const decision of plan.decisions) await applyDecision(root, decision);
  const files = [];
  for (const { file, before, after } of plan.files) {
    if (after !== null && !wasUnsaved.has(file)) await save(root, file);
    const text = after === null ? null : await writtenText(root, file, after);
    files.push({ file, before, after: text, mode: modes.get(file) ?? null });
  }
  await services.proposals.recordApplied(id, plan.hunks, files);
  return { target: 'your working tree', files: plan.files.map(({ file }) => file), left: plan.left };
}

async function applyDecision(root: string, decision: Result<'planApply'>['decisions'][number]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { file, action, changes } of decision.files) {
    const uri = vscode.Uri.file(join(root, file));
    if (action === 'delete') edit.deleteFile(uri);
    else if (action === 'create') edit.createFile(uri, { contents: Buffer.from(changes[0]?.newText ?? '') });
    else {
      const document = await vscode.workspace.openTextDocument(uri);
      for (const { start, end, newText } of changes) {
        // The mark at the start of a file is not part of the text of an editor.
        edit.replace(uri, document.validateRange(new vscode.Range(start, 0, end, 0)), newText.replace(/^\uFEFF/, ''));
      }
    }
  }
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new EnvironmentError(`The editor did not take the changes of "${decision.title}".`, {
    code: 'edit-refused',
    nextStep: 'Look whether a file is read-only; Undo takes back the decisions written before.',
  });
}

async function save(root: string, file: string): Promise<void> {
  const uri = vscode.Uri.file(join(root, file)).toString();
  await vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri)?.save();
}

/** The text as it stands now: saving may have formatted it. */
async function writtenText(root: string, file: string, planned: string): Promise<string> {
  const uri = vscode.Uri.file(join(root, file));
  const document = await vscode.workspace.openTextDocument(uri);
  return planned.startsWith('\uFEFF') ? `\uFEFF${document.getText()}` : document.getText();
}

async function modeOf(root: string, file: string): Promise<number | null> {
  return stat(join(root, file)).then(
    ({ mode }) => mode & 0o7777,
    () => null,
  );
}

async function undo(services: Services, session: ReviewSession, node: FromTree): Promise<void> {
  const view = await chooseProposal(
    services,
    () => session.proposal(node),
    'Take back which proposal?',
    (one) => Boolean(one.review.appliedAt),
  );
  const root = services.harness.root;
  if (!view || !root || !trusted('Taking a proposal back')) return;
  const files = [...new Set(view.hunks.map((hunk) => hunk.file))];
  if (view.review.appliedTo === 'workingTree') refuseUnsaved(root, files);
  const { files: restored } = await services.proposals.undo(view.proposal.id);
  const words = restored.length > 0 ? `restored ${restored.join(', ')}` : 'the branch was removed';
  void vscode.window.setStatusBarMessage(`Harnessmith: ${words}`, 10_000);
}

/** Unsaved text in an editor would silently win or lose against the text on the disk; the person saves first. */
function refuseUnsaved(root: string, files: readonly string[]): void {
  const unsaved = Object.keys(unsavedFiles(root)).find((file) => files.includes(file));
  if (unsaved === undefined) return;
  throw new InputError(`${unsaved} has unsaved changes.`, {
    code: 'unsaved-changes',
    nextStep: 'Save or revert it, then do it again.',
  });
}
