import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import { registerCommand } from '../commands';
import { DisposableStore } from '../disposable';
import type { FromTree } from '../ids';
import type { Services } from '../services';
import { chooseProposal } from './chooseProposal';
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
  store.add(
    registerCommand('harnessmith.rejectHunkBecause', log, async (node) => {
      const found = session.hunk(node);
      if (!found) throw nothingChosen('hunk');
      const prompt = 'Kept in the ledger, and told to the model the next time';
      const reason = await vscode.window.showInputBox({
        title: 'Why is the hunk rejected?',
        prompt,
        ignoreFocusOut: true,
      });
      if (reason?.trim())
        await proposals.decide(found.view.proposal.id, [found.hunk.number], 'rejected', reason.trim());
    }),
  );
  return store;
}

function nothingChosen(what: string): InputError {
  return new InputError(`It is not clear which ${what} is meant.`, {
    code: 'nothing-chosen',
    nextStep: `Select a ${what} in the Proposals view, or open a review.`,
  });
}
