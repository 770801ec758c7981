import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import type { Services } from '../services';
import type { ProposalView } from '../work/methods';
import { standing } from './proposalTree';

/** The proposal a command is about; asks when that is not clear. */
export async function chooseProposal(
  services: Services,
  find: () => ProposalView | undefined,
  title: string,
  fits: (view: ProposalView) => boolean = () => true,
): Promise<ProposalView | undefined> {
  await services.proposals.ensure();
  const known = find();
  if (known && fits(known)) return known;
  const views = (services.proposals.proposals ?? []).filter(fits);
  if (views.length === 0) {
    throw new InputError('There is no such proposal.', {
      code: 'no-proposal',
      nextStep: 'Run "Harnessmith: Propose a Change".',
    });
  }
  if (views.length === 1 && fits !== undefined && !known) {
    const [only] = views;
    if (only && (services.proposals.proposals ?? []).length === 1) return only;
  }
  const picked = await vscode.window.showQuickPick(
    views.map((view) => ({ label: view.proposal.title, description: standing(view), view })),
    { title },
  );
  return picked?.view;
}
