import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import { registerCommand, trusted, withProgress } from '../commands';
import { DisposableStore } from '../disposable';
import type { FromTree } from '../ids';
import { applyTarget, type Services } from '../services';
import type { ProposalView } from '../work/methods';
import { standing } from './proposalTree';
import { applyQuestion } from './reviewOrder';
import type { ReviewSession } from './reviewSession';

/** Commands to move through hunks, to decide on them, and to apply what was accepted. */
export function registerReviewCommands(services: Services, session: ReviewSession): DisposableStore {
  const { log, proposals } = services;
  const store = new DisposableStore();
  const decide = async (node: FromTree, state: 'accepted' | 'rejected' | 'open') => {
    const found = session.hunk(node);
    if (!found) throw nothingChosen('hunk');
    await proposals.decide(found.view.proposal.id, [found.hunk.number], state);
  };
  const decideAll = async (node: FromTree, state: 'accepted' | 'rejected') => {
    const found = session.decision(node);
    if (!found) throw nothingChosen('decision');
    const numbers = found.hunks.filter((hunk) => hunk.state !== 'applied').map((hunk) => hunk.number);
    await proposals.decide(found.view.proposal.id, numbers, state);
  };
  const move = async (direction: 1 | -1) => {
    await proposals.ensure();
    if (!(await session.move(direction)))
      void vscode.window.setStatusBarMessage('Harnessmith: every hunk is decided', 4000);
  };
  store.add(registerCommand('harnessmith.acceptHunk', log, (node) => decide(node, 'accepted')));
  store.add(registerCommand('harnessmith.rejectHunk', log, (node) => decide(node, 'rejected')));
  store.add(registerCommand('harnessmith.reopenHunk', log, (node) => decide(node, 'open')));
  store.add(registerCommand('harnessmith.acceptDecision', log, (node) => decideAll(node, 'accepted')));
  store.add(registerCommand('harnessmith.rejectDecision', log, (node) => decideAll(node, 'rejected')));
  store.add(registerCommand('harnessmith.nextUndecided', log, () => move(1)));
  store.add(registerCommand('harnessmith.previousUndecided', log, () => move(-1)));
  store.add(
    registerCommand('harnessmith.openHunk', log, async (node) => {
      const found = session.hunk(node);
      if (found) await session.open(found.view, found.hunk);
    }),
  );
  store.add(
    registerCommand('harnessmith.reviewProposal', log, async (node) => {
      const view = await chooseProposal(services, () => session.proposal(node), 'Review which proposal?');
      if (!view) return;
      if (view.problem) throw new InputError(view.problem, { code: 'proposal-damaged', nextStep: 'Make it again.' });
      const hunk = view.hunks.find((one) => one.state === 'open') ?? view.hunks[0];
      if (hunk) await session.open(view, hunk);
    }),
  );
  store.add(registerCommand('harnessmith.applyProposal', log, (node) => apply(services, session, node)));
  return store;
}

/** The proposal a command is about; asks when that is not clear. */
export async function chooseProposal(
  services: Services,
  find: () => ProposalView | undefined,
  title: string,
): Promise<ProposalView | undefined> {
  await services.proposals.ensure();
  const known = find();
  if (known) return known;
  const views = services.proposals.proposals ?? [];
  if (views.length === 0) {
    throw new InputError('There is no proposal yet.', {
      code: 'no-proposal',
      nextStep: 'Run "Harnessmith: Propose a Change".',
    });
  }
  const picked = await vscode.window.showQuickPick(
    views.map((view) => ({ label: view.proposal.title, description: standing(view), view })),
    { title },
  );
  return picked?.view;
}

async function apply(services: Services, session: ReviewSession, node: FromTree): Promise<void> {
  const view = await chooseProposal(
    services,
    () => session.proposal(node),
    'Apply the accepted hunks of which proposal?',
  );
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
  if (target === 'workingTree') refuseUnsaved(services, view);
  const open = view.hunks.filter((hunk) => hunk.state === 'open').length;
  const detail = open ? `${open === 1 ? '1 undecided hunk is' : `${open} undecided hunks are`} left out.` : undefined;
  const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, 'Write');
  if (chosen !== 'Write') return;
  const applied = await withProgress('Applying the accepted hunks', () => services.proposals.apply(id, target));
  void vscode.window.setStatusBarMessage(`Harnessmith: wrote ${applied.files.join(', ')} to ${applied.target}`, 10_000);
  services.log.info(`Applied ${id} to ${applied.target}: ${applied.files.join(', ')}`);
  if (applied.left.length > 0) {
    const places = applied.left.map((hunk) => `hunk ${hunk.number} of ${hunk.file} (${hunk.reason})`).join('; ');
    void vscode.window.showWarningMessage(`Not written, changed since the proposal was made: ${places}.`);
  }
}

/** Unsaved text in an editor would silently win or lose against the applied text; the person saves first. */
function refuseUnsaved(services: Services, view: ProposalView): void {
  const root = services.harness.root;
  if (!root) return;
  const files = new Set(view.hunks.map((hunk) => vscode.Uri.joinPath(vscode.Uri.file(root), hunk.file).toString()));
  const unsaved = vscode.workspace.textDocuments.find((one) => one.isDirty && files.has(one.uri.toString()));
  if (!unsaved) return;
  throw new InputError(`${vscode.workspace.asRelativePath(unsaved.uri)} has unsaved changes.`, {
    code: 'unsaved-changes',
    nextStep: 'Save or revert it, then apply again.',
  });
}

function nothingChosen(what: string): InputError {
  return new InputError(`It is not clear which ${what} is meant.`, {
    code: 'nothing-chosen',
    nextStep: `Select a ${what} in the Proposals view, or open a review.`,
  });
}
