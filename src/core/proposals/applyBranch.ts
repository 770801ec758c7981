import { git } from '../harness';
import type { WorkOptions } from '../progress';
import { commitTree, messageFor, writeTree } from './commit';
import type { Review } from './model';
import type { LeftHunk } from './plan';
import { ReviewError } from './proposalErrors';
import type { StoredProposal } from './proposalStore';
import { stateOf } from './review';

export interface BranchResult {
  branch: string;
  commit: string;
  files: string[];
  hunks: number[];
  left: LeftHunk[];
}

/** Name of the branch that takes the accepted hunks of a proposal. */
export function branchOf(id: string): string {
  return `harnessmith/${id}`;
}

/**
 * Puts a commit with the hunks on the branch of the proposal. The user's files, index and HEAD stay as they are.
 * @throws ReviewError when the branch holds anything that an earlier apply did not put there, or is checked out.
 */
export async function applyToBranch(
  root: string,
  stored: StoredProposal,
  review: Review,
  numbers: ReadonlySet<number>,
  work: WorkOptions,
): Promise<BranchResult> {
  const branch = branchOf(stored.proposal.id);
  const made = await writeTree(root, stored, review, numbers, work);
  const tip = await tipOf(root, branch);
  if (tip !== null && tip !== review.appliedCommit) {
    throw new ReviewError(`The branch ${branch} exists and has commits that are not from this proposal.`, {
      code: 'branch-taken',
      nextStep: 'Rename or delete the branch, then apply again.',
    });
  }
  await checkNotCheckedOut(root, branch);
  const { hunks, files, left } = made;
  if (hunks.every((number) => stateOf(review, number) === 'applied'))
    return { branch, commit: tip ?? made.base, files, hunks, left };
  const parent = tip ?? made.base;
  const environment = await identityFallback(root);
  const commit = await commitTree(root, made.tree, parent, messageFor(stored, hunks), environment);
  // The last argument makes git refuse when somebody moved or made the branch in between.
  await git(root, ['update-ref', '-m', 'harnessmith: apply', `refs/heads/${branch}`, commit, tip ?? '0'.repeat(40)]);
  return { branch, commit, files, hunks, left };
}

/** Deletes the branch when it still is where the last apply left it. */
export async function deleteBranch(root: string, branch: string, commit: string): Promise<void> {
  await checkNotCheckedOut(root, branch);
  const tip = await tipOf(root, branch);
  if (tip === null) return;
  if (tip !== commit) {
    throw new ReviewError(`The branch ${branch} has further commits.`, {
      code: 'branch-moved',
      nextStep: 'Delete the branch with git when its commits are not needed.',
    });
  }
  await git(root, ['update-ref', '-d', `refs/heads/${branch}`, commit]);
}

async function tipOf(root: string, branch: string): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`];
  const found = await git(root, args, { allowFailure: true });
  return found.exitCode === 0 ? found.stdout.trim() : null;
}

async function checkNotCheckedOut(root: string, branch: string): Promise<void> {
  const { stdout } = await git(root, ['worktree', 'list', '--porcelain']);
  if (!stdout.split('\n').includes(`branch refs/heads/${branch}`)) return;
  throw new ReviewError(`The branch ${branch} is checked out.`, {
    code: 'branch-checked-out',
    nextStep: 'Switch to another branch, then do it again.',
  });
}

async function identityFallback(root: string): Promise<Record<string, string>> {
  const known = await git(root, ['var', 'GIT_COMMITTER_IDENT'], { allowFailure: true });
  if (known.exitCode === 0) return {};
  const name = 'Harnessmith';
  const email = 'harnessmith@localhost';
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}
