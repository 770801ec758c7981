import { type Placement, placeHunks } from './anchors';
import { effectiveHunks } from './editedText';
import { checkEditPath, readEditable, type UnsavedTexts } from './editPaths';
import type { Hunk, HunkState, Review } from './model';
import { openProposal, type StoredProposal } from './proposalStore';
import { numbersIn, reviewOf, stateOf } from './review';

export interface HunkStatus {
  hunk: Hunk;
  /**
   * `stale` when the file changed so that an open or accepted hunk has no certain place any more, `conflicting` when
   * the person changed the same lines.
   */
  state: HunkState;
  /** Line of the file as it is now, from 1; null where the hunk has no place in it. */
  line: number | null;
  /** Why it is stale or conflicts, in words. */
  reason?: string;
  /** The person typed into it on the right side of the review. */
  edited?: boolean;
  /** What stands in the file where a conflicting hunk should go; its line from 1. */
  conflict?: { line: number; text: string };
}

/**
 * The state of every hunk, checked against the files as they are now, or as they stand unsaved in an editor. Nothing is
 * written.
 */
export async function hunkStates(root: string, id: string, unsaved?: UnsavedTexts): Promise<HunkStatus[]> {
  return statesOf(root, await openProposal(root, id), await reviewOf(root, id), unsaved);
}

/** The same for a proposal that is open already. */
export async function statesOf(
  root: string,
  stored: StoredProposal,
  review: Review,
  unsaved?: UnsavedTexts,
): Promise<HunkStatus[]> {
  const statuses: HunkStatus[] = [];
  for (const file of stored.baseTexts.keys()) {
    const places = await placesOf(root, stored, review, file, unsaved);
    for (const hunk of stored.hunks.filter((one) => one.file === file)) {
      const state = stateOf(review, hunk.number);
      const place = places.of(hunk.number);
      const edited = places.edited(hunk.number) ? { edited: true } : {};
      if (state === 'applied') statuses.push({ hunk, state, line: null, ...edited });
      else if (!('stale' in place)) statuses.push({ hunk, state, line: place.start + 1, ...edited });
      else if (state === 'rejected') statuses.push({ hunk, state, line: null, ...edited });
      else statuses.push({ hunk, ...hindered(place), ...edited });
    }
  }
  return statuses.sort((a, b) => a.hunk.number - b.hunk.number);
}

function hindered({ stale: reason, conflict }: Extract<Placement, { stale: string }>): Omit<HunkStatus, 'hunk'> {
  if (!conflict) return { state: 'stale', line: null, reason };
  const { start, text } = conflict;
  return { state: 'conflicting', line: null, reason, conflict: { line: start + 1, text } };
}

interface Places {
  of(number: number): Placement;
  edited(number: number): boolean;
}

async function placesOf(
  root: string,
  stored: StoredProposal,
  review: Review,
  file: string,
  unsaved: UnsavedTexts | undefined,
): Promise<Places> {
  const all = effectiveHunks(stored, review, file);
  const edited = (number: number) => {
    const own = all.filter((hunk) => isOf(hunk, number));
    const proposed = stored.hunks.find((hunk) => hunk.number === number);
    return own.length !== 1 || own[0]!.newText !== proposed?.newText || own[0]!.oldText !== proposed.oldText;
  };
  const present = await presentText(root, file, unsaved);
  if ('reason' in present) return { of: () => ({ stale: present.reason }), edited };
  const appliedNumbers = numbersIn(review, all, 'applied');
  const applied = all.filter((hunk) => appliedNumbers.includes(hunk.number));
  const waiting = all.filter((hunk) => !applied.includes(hunk));
  const placements = placeHunks(stored.baseTexts.get(file) ?? null, present.text, waiting, applied);
  const of = (number: number): Placement => {
    const own = placements.filter((_, index) => isOf(waiting[index]!, number));
    return own.find((place) => 'stale' in place) ?? own[0] ?? { stale: 'it has no place in the file' };
  };
  return { of, edited };
}

function isOf(hunk: Hunk & { alsoNeeds: number[] }, number: number): boolean {
  return hunk.number === number || hunk.alsoNeeds.includes(number);
}

/** The text of a file in the working tree, or unsaved in an editor, or why a proposal may not touch it. */
export async function presentText(
  root: string,
  file: string,
  unsaved?: UnsavedTexts,
): Promise<{ text: string | null } | { reason: string }> {
  const path = await checkEditPath(root, file, []);
  if ('reason' in path) return path;
  return readEditable(root, path.file, unsaved);
}
