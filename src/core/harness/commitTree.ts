import { spawn } from 'node:child_process';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CancelledError, InputError, throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import { GitError, git, quietEnvironment, quietly } from './git';

/** The files of a commit, read from git's objects into a folder of their own. The working tree is not touched. */
export interface CommitTree {
  /** Full hash. */
  commit: string;
  /** Name of the tree: equal for commits with the same files. */
  tree: string;
  folder: string;
}

const MOST_FILES = 200_000;
/** Larger files are not indexed, see `walkFiles`. */
const LARGEST = 2 * 1024 * 1024;
const BATCH = 500;
const HASH = /^[0-9a-f]{40,64}$/;

/**
 * Makes a folder with the files of a commit under `cache`, or finds the one that was made before. Links, submodules and files
 * over 2 MB are left out, and so are paths that would lead out of the folder.
 * @throws InputError when there is no such commit; GitError; CancelledError.
 */
export async function commitTree(
  root: string,
  revision: string,
  cache: string,
  work: WorkOptions = {},
): Promise<CommitTree> {
  const { signal } = work;
  const commit = await resolve(
    root,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    signal,
  );
  if (commit === null)
    throw new InputError(`${revision} is no commit of this repository.`, {
      code: 'commit-missing',
      nextStep: 'Give a commit, tag or branch; "git fetch --tags" may bring it.',
    });
  const prefix = (await git(root, ['rev-parse', '--show-prefix'], { signal, allowFailure: true })).stdout.trim();
  const tree = await resolve(root, ['rev-parse', '--verify', '--quiet', `${commit}:${prefix}`], signal);
  if (tree === null)
    throw new InputError(`The folder ${prefix} is not in ${revision}.`, {
      code: 'commit-missing',
      nextStep: 'Give a commit that holds the harness.',
    });
  const folder = join(cache, tree);
  if ((await stat(folder).catch(() => null)) === null) {
    const draft = `${folder}.${process.pid}`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    try {
      await extract(root, tree, draft, work);
      await rename(draft, folder).catch(async (error: NodeJS.ErrnoException) => {
        // Another process was faster; its folder is the same.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  return { commit, tree, folder };
}

async function resolve(root: string, args: string[], signal: AbortSignal | undefined): Promise<string | null> {
  const { stdout, exitCode } = await git(root, args, { signal, allowFailure: true });
  const hash = stdout.trim();
  return exitCode === 0 && HASH.test(hash) ? hash : null;
}

async function extract(root: string, tree: string, folder: string, work: WorkOptions): Promise<void> {
  const { stdout } = await git(root, ['ls-tree', '-r', '-z', '-l', '--full-tree', tree], { signal: work.signal });
  const blobs = stdout.split('\0').flatMap((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', type, id = '', size] = line.slice(0, tab).split(/ +/);
    const path = line.slice(tab + 1);
    const wanted = type === 'blob' && mode !== '120000' && Number(size) <= LARGEST && isInside(path);
    return wanted ? [{ id, path }] : [];
  });
  if (blobs.length > MOST_FILES) blobs.length = MOST_FILES;
  for (let at = 0; at < blobs.length; at += BATCH) {
    throwIfCancelled(work.signal, 'Reading the commit');
    work.progress?.({ message: 'Reading the commit', done: at, total: blobs.length });
    const batch = blobs.slice(at, at + BATCH);
    const contents = await readBlobs(
      root,
      batch.map(({ id }) => id),
      work.signal,
    );
    for (const [number, { path }] of batch.entries()) {
      const content = contents[number];
      if (content === undefined || content === null) continue; // a partial clone that lacks it
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  }
}

/** Git refuses such paths itself, but objects can be made by hand. */
function isInside(path: string): boolean {
  return (
    path !== '' &&
    path.split(/[\\/]/).every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')
  );
}

/** Contents of blobs; null for those that are not here. Nothing is fetched. */
function readBlobs(root: string, ids: readonly string[], signal: AbortSignal | undefined): Promise<(Buffer | null)[]> {
  return new Promise((settle, reject) => {
    const child = spawn('git', [...quietly, 'cat-file', '--batch'], {
      cwd: root,
      env: { ...quietEnvironment(), GIT_NO_LAZY_FETCH: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
      signal,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on('error', () => undefined); // git may exit before it read everything; its exit code tells
    child.stdin.end(ids.map((id) => `${id}\n`).join(''));
    child.on('error', (error) => reject(signal?.aborted ? new CancelledError('Reading the commit') : error));
    child.on('close', (code) => {
      if (code === 0) settle(contentsIn(Buffer.concat(chunks), ids.length));
      else reject(new GitError(['cat-file'], { stdout: '', stderr: '', exitCode: code ?? 1 }));
    });
  });
}

/** `<id> blob <size>`, a line break, the content and a line break, for each; `<id> missing` for those that are not here. */
function contentsIn(answer: Buffer, count: number): (Buffer | null)[] {
  const contents: (Buffer | null)[] = [];
  let at = 0;
  while (contents.length < count && at < answer.length) {
    const end = answer.indexOf(10, at);
    const [, kind, size] = answer.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind !== 'blob') {
      contents.push(null);
      continue;
    }
    contents.push(answer.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}
