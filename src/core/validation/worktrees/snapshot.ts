import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { EnvironmentError, InputError } from '../../errors';
import { type GitFacts, git, gitFacts } from '../../harness';
import { isMissing, storeFolderName } from '../../store';

/** A commit that can be tried, and how people should call it. */
export interface Snapshot {
  commit: string;
  tree: string;
  label: string;
}

const identity = {
  GIT_AUTHOR_NAME: 'Harnessmith',
  GIT_AUTHOR_EMAIL: 'harnessmith@localhost',
  GIT_COMMITTER_NAME: 'Harnessmith',
  GIT_COMMITTER_EMAIL: 'harnessmith@localhost',
};

/** Facts of the repository that holds the harness. @throws EnvironmentError with the remedy when there is none. */
export async function requireRepository(root: string): Promise<GitFacts & { topLevel: string }> {
  const facts = await gitFacts(root);
  if (facts.repository && facts.topLevel !== null) return { ...facts, topLevel: facts.topLevel };
  throw new EnvironmentError(`${root} is in no git repository, so baseline and candidate cannot be kept apart.`, {
    code: 'git-needed',
    nextStep: 'Run "git init", then "git add -A" and "git commit" in the folder.',
  });
}

/**
 * The working tree as a commit: HEAD when nothing is changed, otherwise a new commit on HEAD with all changes and
 * untracked files that are not ignored (`.harnessmith` apart). Made with a temporary index; the user's index, branch,
 * stash and files stay as they are. The commit is on no branch.
 */
export async function snapshotWorkingTree(root: string): Promise<Snapshot> {
  const { head, dirty, topLevel } = await requireRepository(root);
  if (head !== null) {
    const clean = await resolveCommit(root, head);
    if (!dirty) return { ...clean, label: `HEAD ${head.slice(0, 8)}` };
    const tree = await writeWorkingTree(root, topLevel);
    if (tree === clean.tree) return { ...clean, label: `HEAD ${head.slice(0, 8)}` };
    const commit = await commitTree(topLevel, tree, ['-p', head]);
    return { commit, tree, label: `HEAD ${head.slice(0, 8)} with the uncommitted changes of the working tree` };
  }
  const tree = await writeWorkingTree(root, topLevel);
  return { commit: await commitTree(topLevel, tree, []), tree, label: 'working tree (no commit yet)' };
}

async function writeWorkingTree(root: string, topLevel: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-index-'));
  try {
    const environment = { GIT_INDEX_FILE: join(folder, 'index') };
    const index = (await git(topLevel, ['rev-parse', '--git-path', 'index'])).stdout.trim();
    // A copy keeps git's knowledge of unchanged files, so that large trees are not hashed again.
    await copyFile(isAbsolute(index) ? index : join(topLevel, index), environment.GIT_INDEX_FILE).catch((error) => {
      if (!isMissing(error)) throw error;
    });
    const store = join(relative(topLevel, root), storeFolderName).split(sep).join('/');
    await git(
      topLevel,
      ['-c', 'advice.addEmbeddedRepo=false', 'add', '--all', '--', '.', `:(top,exclude,literal)${store}`],
      { environment },
    );
    return (await git(topLevel, ['write-tree'], { environment })).stdout.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function commitTree(topLevel: string, tree: string, parents: string[]): Promise<string> {
  const message = 'Working tree as validated by Harnessmith';
  const done = await git(topLevel, ['commit-tree', tree, ...parents, '-m', message], { environment: identity });
  return done.stdout.trim();
}

/** Full names of a commit and its tree. @throws InputError when the name is no commit. */
export async function resolveCommit(root: string, name: string): Promise<{ commit: string; tree: string }> {
  const parse = (what: string) =>
    git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', what], { allowFailure: true });
  const commit = await parse(`${name}^{commit}`);
  const tree = await parse(`${name}^{tree}`);
  if (commit.exitCode === 0 && tree.exitCode === 0) {
    return { commit: commit.stdout.trim(), tree: tree.stdout.trim() };
  }
  throw new InputError(`${name} is no commit of this repository.`, {
    code: 'commit-unknown',
    nextStep: 'Give a commit, a branch or a tag that "git log" knows.',
  });
}

/** The first parent of a commit; undefined for a root commit. */
export async function firstParent(root: string, commit: string): Promise<string | undefined> {
  const found = await git(root, ['rev-parse', '--verify', '--quiet', `${commit}^1`], { allowFailure: true });
  return found.exitCode === 0 ? found.stdout.trim() : undefined;
}
