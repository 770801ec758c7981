import { z } from 'zod';
import { Hunk, HunkState, hunkStates, openProposal, Proposal, reviewOf } from '../core/proposals';
import type { HunkWithState } from './proposalTexts';

export const ProposalDocument = z.object({
  proposal: Proposal,
  hunks: z.array(z.object({ hunk: Hunk, state: HunkState, line: z.int().nullable(), reason: z.string().optional() })),
});
export type ProposalDocument = z.infer<typeof ProposalDocument>;
/** A proposal with the states of its hunks and the reasons given for them. */
export async function documentOf(root: string, id: string): Promise<ProposalDocument> {
  const { proposal } = await openProposal(root, id);
  const { hunks: decided } = await reviewOf(root, id);
  const states: HunkWithState[] = await hunkStates(root, id);
  // Why a hunk does not fit any more counts more than why it was decided.
  const hunks = states.map((status) => {
    const reason = status.reason ?? decided[String(status.hunk.number)]?.reason;
    return reason === undefined ? status : { ...status, reason };
  });
  return { proposal, hunks };
}
