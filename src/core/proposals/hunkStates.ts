import { placeHunks } from './anchors';
import { effectiveHunks } from './editedText';
import { checkEditPath, readEditable } from './editPaths';
import type { Hunk, HunkState, Review } from './model';
import { openProposal, type StoredProposal } from './proposalStore';
import { numbersIn, reviewOf, stateOf } from './review';

export interface HunkStatus {
  hunk: Hunk;
  /** `stale` when the file changed so that an open or accepted hunk has no certain place any more. */
  state: HunkState;
  /** Line of the file as it is now, from 1; null where the hunk has no place in it. */
  line: number | null;
  /** Why it is stale, in words. */
  reason?: string;
}

/** The state of every hunk, checked against the files as they are now. Nothing is written. */
export async function hunkStates(root: string, id: string): Promise<HunkStatus[]> {
  return statesOf(root, await openProposal(root, id), await reviewOf(root, id));
}

/** The same for a proposal that is open already. */
export async function statesOf(root: string, stored: StoredProposal, review: Review): Promise<HunkStatus[]> {
  const statuses: HunkStatus[] = [];
  for (const file of stored.baseTexts.keys()) {
    const places = await placesOf(root, stored, review, file);
    for (const hunk of stored.hunks.filter((one) => one.file === file)) {
      const state = stateOf(review, hunk.number);
      const place = places(hunk.number);
      if (state === 'applied') statuses.push({ hunk, state, line: null });
      else if (!('stale' in place)) statuses.push({ hunk, state, line: place.start + 1 });
      else if (state === 'rejected') statuses.push({ hunk, state, line: null });
      else statuses.push({ hunk, state: 'stale', line: null, reason: place.stale });
    }
  }
  return statuses.sort((a, b) => a.hunk.number - b.hunk.number);
}

async function placesOf(root: string, stored: StoredProposal, review: Review, file: string) {
  const present = await presentText(root, file);
  if ('reason' in present) return () => ({ stale: present.reason });
  const all = effectiveHunks(stored, review, file);
  const appliedNumbers = numbersIn(review, all, 'applied');
  const applied = all.filter((hunk) => appliedNumbers.includes(hunk.number));
  const waiting = all.filter((hunk) => !applied.includes(hunk));
  const placements = placeHunks(stored.baseTexts.get(file) ?? null, present.text, waiting, applied);
  return (number: number) => {
    const own = placements.filter((_, index) => isOf(waiting[index]!, number));
    return own.find((place) => 'stale' in place) ?? own[0] ?? { stale: 'it has no place in the file' };
  };
}

function isOf(hunk: Hunk & { alsoNeeds: number[] }, number: number): boolean {
  return hunk.number === number || hunk.alsoNeeds.includes(number);
}

/** The text of a file in the working tree, or why a proposal may not touch it. */
export async function presentText(root: string, file: string): Promise<{ text: string | null } | { reason: string }> {
  const path = await checkEditPath(root, file, []);
  return 'reason' in path ? path : readEditable(root, path.file);
}
