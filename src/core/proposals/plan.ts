import { composePlaced, placeHunks } from './anchors';
import { type EffectiveHunk, effectiveHunks } from './editedText';
import type { Review } from './model';
import { ReviewError } from './proposalErrors';
import type { StoredProposal } from './proposalStore';

/** What writing some hunks into one file amounts to. */
export interface FilePlan {
  file: string;
  /** Text before and after; null for "does not exist". */
  before: string | null;
  after: string | null;
  /** Numbers of the hunks that are in `after`. */
  hunks: number[];
  /** Hunks that have no certain place in the text before. */
  left: LeftHunk[];
}

export interface LeftHunk {
  number: number;
  file: string;
  reason: string;
}

/**
 * Plans the hunks `numbers` for one file whose present text is given.
 * @throws ReviewError when the person's own text joins hunks that were decided differently.
 */
export function planFile(
  stored: StoredProposal,
  review: Review,
  file: string,
  present: string | null,
  numbers: ReadonlySet<number>,
  applied: ReadonlySet<number> = new Set(),
): FilePlan {
  const all = effectiveHunks(stored, review, file);
  const taken = all.filter((hunk) => isTaken(stored.proposal.id, hunk, numbers));
  const placements = placeHunks(
    stored.baseTexts.get(file) ?? null,
    present,
    taken,
    all.filter((hunk) => applied.has(hunk.number)),
  );
  const left = taken.flatMap((hunk, index) => {
    const placement = placements[index]!;
    return 'stale' in placement ? [{ number: hunk.number, file, reason: placement.stale }] : [];
  });
  const leftNumbers = new Set(left.map((one) => one.number));
  const placed = taken.flatMap((hunk, index) => {
    const placement = placements[index]!;
    // A hunk is written whole or not at all, also when a person's text made several changes of it.
    return 'stale' in placement || leftNumbers.has(hunk.number) ? [] : [{ hunk, start: placement.start }];
  });
  return {
    file,
    before: present,
    after: composePlaced(present, placed),
    hunks: [...new Set(placed.flatMap(({ hunk }) => [hunk.number, ...hunk.alsoNeeds]))].sort((a, b) => a - b),
    left,
  };
}

function isTaken(id: string, hunk: EffectiveHunk, numbers: ReadonlySet<number>): boolean {
  const all = [hunk.number, ...hunk.alsoNeeds];
  const accepted = all.filter((number) => numbers.has(number));
  if (accepted.length !== 0 && accepted.length !== all.length) {
    throw new ReviewError(`Your own text in ${hunk.file} joins hunks ${all.join(' and ')} of ${id}.`, {
      code: 'edited-across-hunks',
      nextStep: 'Decide these hunks in the same way, or take your edit across them back.',
    });
  }
  return accepted.length > 0;
}
