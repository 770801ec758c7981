import { HarnessmithError, InputError } from '../errors';
import type { Proposal } from './model';

/** No edit of a model's answer could be used. Keeps what was refused, and the answer for the log. */
export class ProposalEmptyError extends HarnessmithError {
  constructor(
    readonly refused: Proposal['refused'],
    readonly rawAnswer: unknown,
  ) {
    const first = refused[0];
    const why = first ? `: ${first.file === '-' ? '' : `${first.file}: `}${first.reason}` : '';
    const more = refused.length > 1 ? ` (and ${refused.length - 1} more)` : '';
    super(`The model proposed no edit that can be used${why}${more}.`, {
      code: 'proposal-empty',
      nextStep: 'Make the request more exact, or try another model.',
    });
  }
}

/** The model says that nothing should be changed: a valid answer, with its reason. */
export class NoChangeNeededError extends ProposalEmptyError {
  override readonly code = 'no-change-needed';
  override readonly message: string;

  constructor(
    readonly reason: string,
    refused: Proposal['refused'],
    rawAnswer: unknown,
  ) {
    super(refused, rawAnswer);
    this.message = `The model proposes no change: ${reason || 'it gave no reason'}`;
  }
}

/** A stored proposal that does not fit its own base texts: its folder was changed by hand or is incomplete. */
export class ProposalDamagedError extends InputError {
  constructor(proposal: string, file: string, reason: string) {
    super(`Proposal ${proposal} cannot be read: ${file}: ${reason}.`, {
      code: 'proposal-damaged',
      nextStep: 'Delete its folder under .harnessmith/proposals and make the proposal again.',
    });
  }
}

/** A decision or an apply that cannot be done as asked; nothing was changed. */
export class ReviewError extends InputError {}
