import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { git } from '../../../src/core/harness';
import { contentHash, type Decision, type Proposal, readEditable, saveProposal } from '../../../src/core/proposals';
import { sampleProposal } from './sampleProposal';

/** A folder with the given files that is removed after the test. */
export async function temporaryFolder(files: Record<string, string | Uint8Array> = {}): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'harnessmith-test-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFiles(root, files);
  return root;
}

export async function writeFiles(root: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** The same as a git repository with everything committed. */
export async function temporaryRepository(files: Record<string, string | Uint8Array>): Promise<string> {
  const root = await temporaryFolder(files);
  await git(root, ['init', '-q', '-b', 'main']);
  await commitAll(root, 'start');
  return root;
}

export async function commitAll(root: string, message: string): Promise<string> {
  await git(root, ['add', '-A']);
  await git(root, ['-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', message]);
  return head(root);
}

export async function head(root: string): Promise<string> {
  return (await git(root, ['rev-parse', 'HEAD'])).stdout.trim();
}

/** A text of a commit or branch. */
export async function show(root: string, place: string): Promise<string> {
  return (await git(root, ['show', place])).stdout;
}

/** Stores a proposal made from the files as they are in the folder now. */
export async function storeProposal(root: string, decisions: Decision[], over: Partial<Proposal> = {}) {
  const texts = new Map<string, string | null>();
  const hashes: Record<string, string | null> = {};
  for (const { file } of decisions.flatMap((one) => one.edits)) {
    const read = await readEditable(root, file);
    if ('reason' in read) throw new Error(read.reason);
    texts.set(file, read.text);
    hashes[file] = read.text === null ? null : contentHash(read.text);
  }
  const commit =
    (await git(root, ['rev-parse', '-q', '--verify', 'HEAD'], { allowFailure: true })).stdout.trim() || null;
  return saveProposal(root, sampleProposal(decisions, { base: { commit, files: hashes }, ...over }), texts, 'tester');
}
