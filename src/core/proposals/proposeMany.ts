import { throwIfCancelled } from '../errors';
import { ModelBudgetError, type ModelClient } from '../models';
import type { WorkOptions } from '../progress';
import type { Proposal } from './model';
import { NoChangeNeededError, ProposalEmptyError } from './proposalErrors';
import { type ProposeInput, propose } from './propose';

/** What came of asking for several proposals. */
export interface ProposedSet {
  proposals: Proposal[];
  /** Why the model proposes no change, where it said so. */
  noChange: string | null;
  /** Why there are fewer than were asked for, in words. */
  missing: string[];
}

/**
 * Asks for up to `count` different proposals, one after the other: each is told of those before, and one that makes the
 * same edits as an earlier one is left out. The first failure of the model is thrown; later ones end the set.
 * @throws what `propose` throws when there is no proposal at all, except that "no change" is an answer.
 */
export async function proposeMany(
  input: ProposeInput,
  count: number,
  client: ModelClient,
  work: WorkOptions = {},
): Promise<ProposedSet> {
  const set: ProposedSet = { proposals: [], noChange: null, missing: [] };
  for (let number = 1; number <= count; number++) {
    throwIfCancelled(work.signal, 'The proposal');
    const earlier = [...(input.earlier ?? []), ...set.proposals.map(inShort)];
    try {
      const proposal = await propose({ ...input, earlier }, client, { ...work, notLike: set.proposals });
      set.proposals.push(proposal);
    } catch (error) {
      if (error instanceof NoChangeNeededError) set.noChange = error.reason;
      else if (set.proposals.length === 0 || !endsSet(error)) throw error;
      else set.missing.push(error.message);
      break;
    }
  }
  return set;
}

/** Failures that leave the proposals before them worth showing. */
function endsSet(error: unknown): error is Error {
  return error instanceof ProposalEmptyError || error instanceof ModelBudgetError;
}

/** What the next answer must not repeat. */
export function inShort(proposal: Proposal): { title: string; decisions: string[] } {
  return { title: proposal.title, decisions: proposal.decisions.map(({ title }) => title) };
}
