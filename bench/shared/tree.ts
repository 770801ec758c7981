import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';

/** Where bare repositories lie under a mirror folder: `OWNER/NAME` in `OWNER+NAME/repo`. */
export function mirrorOf(mirror: string, repository: string): string {
  return join(mirror, repository.replace('/', '+'), 'repo');
}

async function git(repository: string, args: readonly string[], input?: string): Promise<Buffer> {
  const child = spawn('git', ['-C', repository, ...args], {
    // A partial mirror must not fetch what it lacks.
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdin.end(input ?? '');
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`git ${args[0]} in ${repository} ended with ${code}: ${Buffer.concat(errors)}`);
  return Buffer.concat(chunks);
}

/**
 * Folder with the files of a commit of a bare repository, made once and kept between benchmarks. Links and submodules stay
 * out, as do blobs that the mirror lacks.
 * @throws Error when the repository or the commit is not there.
 */
export async function treeAt(mirror: string, repository: string, commit: string): Promise<string> {
  const name = `${repository.slice(repository.indexOf('/') + 1)}@${commit.slice(0, 8)}`;
  const folder = join(tmpdir(), 'harnessmith-bench', name);
  if (existsSync(folder)) return folder;
  const bare = mirrorOf(mirror, repository);
  const listing = (await git(bare, ['ls-tree', '-r', '-z', commit])).toString('utf8').split('\0').filter(Boolean);
  const blobs = listing.flatMap((line) => {
    const tab = line.indexOf('\t');
    const [mode, type, id] = line.slice(0, tab).split(' ') as [string, string, string];
    return type === 'blob' && mode !== '120000' ? [{ id, path: line.slice(tab + 1) }] : [];
  });
  const content = await git(bare, ['cat-file', '--batch'], blobs.map((blob) => `${blob.id}\n`).join(''));
  const draft = `${folder}.${process.pid}`;
  let at = 0;
  for (const { path } of blobs) {
    const end = content.indexOf(10, at);
    const [, state, size] = content.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (state !== 'blob') continue;
    const file = resolve(draft, path);
    if (!file.startsWith(draft + sep)) throw new Error(`${path} leads out of the tree`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
  return folder;
}
