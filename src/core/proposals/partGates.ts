import { syntaxErrors } from '../graph';
import { runGates } from './gates';
import type { GateResult, Proposal } from './model';
import { openProposal, touchedFiles } from './proposalStore';
import { gateContext, type ProposeInput } from './propose';
import { numbersIn, reviewOf } from './review';

/**
 * The gates on what was accepted so far: does the part still parse, is what it declares complete. Null when nothing or
 * everything is accepted, so that there is no part of its own. Nothing is written.
 * @throws what `openProposal` throws.
 */
export async function partGates(
  harness: ProposeInput['harness'],
  id: string,
  options: Pick<ProposeInput, 'tasks'> = {},
): Promise<GateResult[] | null> {
  const { proposal, baseTexts, hunks } = await openProposal(harness.root, id);
  const review = await reviewOf(harness.root, id);
  const numbers = [...numbersIn(review, hunks, 'accepted'), ...numbersIn(review, hunks, 'applied')];
  if (numbers.length === 0 || numbers.length === hunks.length) return null;
  const taken = hunks.filter((hunk) => numbers.includes(hunk.number));
  const decisions = proposal.decisions.flatMap((decision) => {
    const files = new Set(taken.filter((hunk) => hunk.decision === decision.id).map((hunk) => hunk.file));
    const edits = decision.edits.filter((edit) => files.has(edit.file));
    return edits.length > 0 ? [{ ...decision, edits }] : [];
  });
  const part = { id, decisions, declares: declaredFor(proposal, decisions) };
  const texts = new Map([...baseTexts].filter(([file]) => taken.some((hunk) => hunk.file === file)));
  return runGates(gateContext(part, texts, { ...options, harness, syntaxErrors }, taken));
}

/** Declarations without those about files that the part leaves alone: they were right for the whole. */
function declaredFor(proposal: Proposal, decisions: Proposal['decisions']): Proposal['declares'] {
  const touched = touchedFiles({ decisions });
  const left = touchedFiles(proposal).filter((file) => !touched.includes(file));
  const isLeft = (entry: string) =>
    left.some((file) => entry === file || entry.startsWith(`${file}#`) || entry.startsWith(`${file}:`));
  const { modify, add, remove } = proposal.declares;
  const kept = (entries: readonly string[]) => entries.filter((entry) => !isLeft(entry));
  return { modify: kept(modify), add: kept(add), remove: kept(remove) };
}
