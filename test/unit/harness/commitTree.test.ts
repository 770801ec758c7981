import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitTree } from '../../../src/core/harness';
import { temporaryFolders } from '../traces/helpers';

const folder = temporaryFolders();

function git(root: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', root, ...identity, ...args], { encoding: 'utf8' }).trim();
}

async function repository() {
  const root = await folder();
  git(root, 'init', '-q');
  await mkdir(join(root, 'agent'));
  await writeFile(join(root, 'agent', 'loop.py'), 'old = 1\n');
  await writeFile(join(root, 'binary'), Buffer.from([0, 255, 10, 13, 0]));
  await symlink('/etc/passwd', join(root, 'link'));
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'one');
  git(root, 'tag', 'v1.0');
  await writeFile(join(root, 'agent', 'loop.py'), 'new = 2\n');
  git(root, 'commit', '-qam', 'two');
  return root;
}

describe('the files of a commit', () => {
  it('are read from git, byte for byte, without touching the working tree', async () => {
    const root = await repository();
    const cache = await folder();
    await writeFile(join(root, 'agent', 'loop.py'), 'edited = 3\n');
    const { folder: tree, commit } = await commitTree(root, 'v1.0', cache);
    expect(commit).toBe(git(root, 'rev-parse', 'v1.0'));
    expect(await readFile(join(tree, 'agent', 'loop.py'), 'utf8')).toBe('old = 1\n');
    expect([...(await readFile(join(tree, 'binary')))]).toEqual([0, 255, 10, 13, 0]);
    expect((await readdir(tree)).sort()).toEqual(['agent', 'binary']);
    expect(await readFile(join(root, 'agent', 'loop.py'), 'utf8')).toBe('edited = 3\n');
    expect(git(root, 'status', '--porcelain')).toContain('M agent/loop.py');
  });

  it('are kept by the name of the tree, and made once', async () => {
    const root = await repository();
    const cache = await folder();
    const first = await commitTree(root, 'HEAD', cache);
    await writeFile(join(first.folder, 'mark'), 'kept');
    const second = await commitTree(root, git(root, 'rev-parse', '--short', 'HEAD'), cache);
    expect(second).toEqual(first);
    expect(await readFile(join(second.folder, 'mark'), 'utf8')).toBe('kept');
    expect(await readdir(cache)).toEqual([first.tree]);
  });

  it('of a harness in a folder of the repository are those of the folder', async () => {
    const root = await repository();
    const { folder: tree } = await commitTree(join(root, 'agent'), 'v1.0', await folder());
    expect(await readdir(tree)).toEqual(['loop.py']);
  });

  it.each(['no-such-tag', '--all', 'HEAD:agent', ''])('of "%s", which is no commit, are refused', async (revision) => {
    await expect(commitTree(await repository(), revision, await folder())).rejects.toMatchObject({
      code: 'commit-missing',
    });
  });
});
