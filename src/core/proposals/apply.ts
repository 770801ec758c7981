import type { WorkOptions } from '../progress';
import { currentPerson, Ledger } from '../store';
import { applyToBranch } from './applyBranch';
import { applyToWorkingTree } from './applyWorkingTree';
import type { Review } from './model';
import type { LeftHunk } from './plan';
import { ReviewError } from './proposalErrors';
import { openProposal, type StoredProposal } from './proposalStore';
import { changeReview, numbersIn } from './review';

export type ApplyTarget = 'branch' | 'workingTree';

export interface ApplyResult {
  target: ApplyTarget;
  /** Set for target `branch`. */
  branch: string | null;
  commit: string | null;
  files: string[];
  /** Numbers of the hunks that were written. */
  hunks: number[];
  /** Accepted hunks that were not, because what they change was changed since. */
  left: LeftHunk[];
}

/**
 * Writes the accepted hunks of a proposal, on a branch of its own or into the user's files, and enters it in the
 * ledger. Other hunks, and files the proposal does not touch, stay as they are.
 * @throws ReviewError when nothing is accepted or nothing can be written; nothing is changed then.
 */
export async function applyAccepted(
  root: string,
  id: string,
  target: ApplyTarget,
  options: WorkOptions & { who?: string } = {},
): Promise<ApplyResult> {
  const who = options.who ?? currentPerson();
  const stored = await openProposal(root, id);
  let result: ApplyResult | undefined;
  await changeReview(root, id, async (review) => {
    const accepted = numbersIn(review, stored.hunks, 'accepted');
    if (accepted.length === 0) throw nothingAccepted(id);
    checkSameTarget(id, review, target);
    result = await write(root, stored, review, target, new Set(accepted), options);
    const written = new Set(result.hunks);
    if (!accepted.some((number) => written.has(number))) throw nothingFits(id, result.left);
    recordApply(review, result, who);
  });
  const ledger = await Ledger.open(root);
  const { hunks, branch } = result!;
  const at = new Date().toISOString();
  await ledger.append({ kind: 'apply', at, by: who, proposal: id, hunks, target: branch ?? target });
  return result!;
}

async function write(
  root: string,
  stored: StoredProposal,
  review: Review,
  target: ApplyTarget,
  accepted: ReadonlySet<number>,
  work: WorkOptions,
): Promise<ApplyResult> {
  if (target === 'workingTree') {
    const result = await applyToWorkingTree(root, stored, review, accepted);
    return { target, branch: null, commit: null, ...result };
  }
  // The branch is made from the base again, so it takes what an earlier apply put there too.
  const all = new Set([...accepted, ...numbersIn(review, stored.hunks, 'applied')]);
  return { target, ...(await applyToBranch(root, stored, review, all, work)) };
}

/** Enters in a review what was written where. */
export function recordApply(
  review: Review,
  result: Pick<ApplyResult, 'hunks' | 'target' | 'branch' | 'commit'>,
  who: string,
): void {
  const at = new Date().toISOString();
  for (const number of result.hunks) review.hunks[String(number)] = { state: 'applied', at, by: who };
  review.appliedAt = at;
  review.appliedTo = result.branch ?? result.target;
  review.appliedCommit = result.commit;
}

function checkSameTarget(id: string, review: Review, target: ApplyTarget): void {
  if (review.appliedTo === null || (review.appliedTo === 'workingTree') === (target === 'workingTree')) return;
  throw new ReviewError(`Some hunks of ${id} are applied to ${review.appliedTo} already.`, {
    code: 'applied-elsewhere',
    nextStep: 'Apply the rest there too, or undo that apply first.',
  });
}

function nothingAccepted(id: string): ReviewError {
  return new ReviewError(`No hunk of ${id} is accepted.`, {
    code: 'nothing-accepted',
    nextStep: 'Accept at least one hunk, then apply.',
  });
}

function nothingFits(id: string, left: readonly LeftHunk[]): ReviewError {
  const reasons = left.slice(0, 3).map((one) => `hunk ${one.number} (${one.file}): ${one.reason}`);
  return new ReviewError(`No accepted hunk of ${id} could be written: ${reasons.join('; ')}.`, {
    code: 'nothing-fits',
    nextStep: 'Make the proposal again from the files as they are now.',
  });
}
