import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { acquireLock, Ledger, type Lock, LockedError, parseJson, readTextIfPresent, writeJsonFile } from '../store';
import { type Hunk, type HunkState, Review } from './model';
import { ReviewError } from './proposalErrors';
import { openProposal, proposalFolder } from './proposalStore';

/** States a person may give. */
export type DecidedState = Extract<HunkState, 'open' | 'accepted' | 'rejected'>;

/** What was decided on a proposal; an empty review when nothing was. @throws InputError naming the file. */
export async function reviewOf(root: string, id: string): Promise<Review> {
  const file = reviewFile(root, id);
  const text = await readTextIfPresent(file);
  if (text !== undefined) return parseJson(text, Review, file);
  return { schemaVersion: 1, proposal: id, hunks: {}, edited: {}, appliedAt: null, appliedTo: null };
}

/** The recorded state of a hunk; `open` when nothing was decided. */
export function stateOf(review: Review, number: number): HunkState {
  return review.hunks[String(number)]?.state ?? 'open';
}

/** Numbers of the hunks in a state. */
export function numbersIn(review: Review, hunks: readonly Hunk[], state: HunkState): number[] {
  return hunks.map((hunk) => hunk.number).filter((number) => stateOf(review, number) === state);
}

/**
 * Accepts, rejects or reopens hunks, and enters it in the ledger.
 * @throws ReviewError when a number does not exist or the hunk is applied; nothing is changed then.
 */
export async function decideHunks(
  root: string,
  id: string,
  numbers: readonly number[],
  state: DecidedState,
  who: string,
  reason?: string,
): Promise<Review> {
  const { hunks } = await openProposal(root, id);
  checkNumbers(id, hunks, numbers);
  const at = new Date().toISOString();
  const review = await changeReview(root, id, (before) => {
    for (const number of numbers) {
      if (stateOf(before, number) === 'applied') {
        throw new ReviewError(`Hunk ${number} of ${id} is applied already.`, {
          code: 'hunk-applied',
          nextStep: 'Undo the apply first, then decide again.',
        });
      }
      before.hunks[String(number)] = { state, at, by: who, ...(reason ? { reason } : {}) };
    }
  });
  const ledger = await Ledger.open(root);
  await ledger.append({
    kind: 'decision',
    at,
    by: who,
    proposal: id,
    hunks: [...numbers],
    state,
    ...(reason ? { reason } : {}),
  });
  return review;
}

/** Keeps the text a person typed on the right side of the diff; null forgets it. */
export async function setEdited(root: string, id: string, file: string, text: string | null): Promise<Review> {
  const { hunks } = await openProposal(root, id);
  const own = hunks.filter((hunk) => hunk.file === file);
  if (own.length === 0 || own.some((hunk) => hunk.action === 'delete')) {
    throw new ReviewError(`Proposal ${id} has no text of ${file} that could be edited.`, {
      code: 'file-not-proposed',
      nextStep: 'Edit a file that the proposal changes or creates.',
    });
  }
  return changeReview(root, id, (review) => {
    if (text === null) delete review.edited[file];
    else review.edited[file] = text;
  });
}

/** @throws ReviewError naming the numbers that the proposal does not have. */
export function checkNumbers(id: string, hunks: readonly Hunk[], numbers: readonly number[]): void {
  const missing = numbers.filter((number) => !hunks.some((hunk) => hunk.number === number));
  if (numbers.length > 0 && missing.length === 0) return;
  const what = numbers.length === 0 ? 'No hunk was named' : `There is no hunk ${missing.join(', ')}`;
  throw new ReviewError(`${what}; proposal ${id} has hunks 1 to ${hunks.length}.`, {
    code: 'hunk-unknown',
    nextStep: 'Show the proposal to see its hunks.',
  });
}

/**
 * Reads, changes and writes a review under its lock, so that two windows lose nothing of each other. Nothing is
 * written when `change` throws.
 */
export async function changeReview(
  root: string,
  id: string,
  change: (review: Review) => void | Promise<void>,
): Promise<Review> {
  const lock = await waitForLock(join(proposalFolder(root, id), 'review.lock'));
  try {
    const review = await reviewOf(root, id);
    await change(review);
    await writeJsonFile(reviewFile(root, id), Review.parse(review));
    return review;
  } finally {
    await lock.release();
  }
}

async function waitForLock(file: string): Promise<Lock> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await acquireLock(file, { owner: 'review' });
    } catch (error) {
      if (!(error instanceof LockedError) || attempt >= 100) throw error;
      await wait(20 + Math.random() * 30);
    }
  }
}

function reviewFile(root: string, id: string): string {
  return join(proposalFolder(root, id), 'review.json');
}
