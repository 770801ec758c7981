import { mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { EnvironmentError, messageOf } from '../../errors';
import { git } from '../../harness';
import type { Arm, Candidate } from '../model';
import { requireRepository } from './snapshot';

/** One arm checked out at its exact commit. */
export interface ArmWorktree {
  arm: Arm;
  /** Top folder of the checkout. */
  folder: string;
  /** Root of the harness in it; differs from `folder` when the harness is a sub-folder of its repository. */
  root: string;
}

/** Where the worktree of an arm lies. */
export function worktreeFolder(runFolder: string, arm: Arm): string {
  return join(runFolder, 'worktrees', arm);
}

/** Checks the commit of an arm out in its own worktree, replacing a leftover. Hooks of the repository do not run. */
export async function addWorktree(root: string, runFolder: string, candidate: Candidate): Promise<ArmWorktree> {
  const { topLevel } = await requireRepository(root);
  const folder = worktreeFolder(runFolder, candidate.arm);
  await removeWorktree(root, folder);
  await mkdir(dirname(folder), { recursive: true });
  await git(root, ['worktree', 'add', '--detach', '--force', folder, candidate.commit]);
  return { arm: candidate.arm, folder, root: join(folder, relative(topLevel, await realpath(root))) };
}

/**
 * Removes a worktree with everything in it, also when only its folder or only its registration is left.
 * @throws EnvironmentError when files cannot be deleted.
 */
export async function removeWorktree(root: string, folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    throw new EnvironmentError(`The worktree ${folder} cannot be removed: ${messageOf(error)}`, {
      code: 'worktree-kept',
      nextStep: `Delete the folder, then run "git worktree remove --force ${folder}".`,
      cause: error,
    });
  }
  // `git worktree prune` would also forget worktrees of the user that are only unmounted, so one is named.
  if ((await registeredWorktrees(root)).includes(folder)) {
    await git(root, ['worktree', 'remove', '--force', '--force', folder]);
  }
}

/** Absolute paths of all worktrees that git knows for the repository. */
export async function registeredWorktrees(root: string): Promise<string[]> {
  const listed = await git(root, ['worktree', 'list', '--porcelain', '-z'], { allowFailure: true });
  return listed.stdout
    .split('\0')
    .filter((line) => line.startsWith('worktree '))
    .map((line) => line.slice('worktree '.length));
}

/** Keeps a commit from being collected while the run folder exists. */
export async function protectCommit(root: string, run: string, candidate: Candidate): Promise<void> {
  await git(root, ['update-ref', `${refFolder}/${run}/${candidate.arm}`, candidate.commit]);
}

/** Deletes the protecting references of runs that are not in `kept`. */
export async function releaseCommits(root: string, kept: ReadonlySet<string>): Promise<void> {
  const listed = await git(root, ['for-each-ref', '--format=%(refname)', refFolder], { allowFailure: true });
  for (const ref of listed.stdout.split('\n').filter((line) => line !== '')) {
    const run = ref.slice(refFolder.length + 1).split('/')[0];
    if (run !== undefined && !kept.has(run)) await git(root, ['update-ref', '-d', ref]);
  }
}

const refFolder = 'refs/harnessmith/runs';
