import { chmod, readdir, readFile, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../../src/core/harness';
import { applyAccepted, commitAccepted, commitTaken, decideHunks } from '../../../src/core/proposals';
import { decision, replace } from './sampleProposal';
import {
  commitAll,
  head,
  show,
  storeProposal,
  temporaryFolder,
  temporaryRepository,
  writeFiles,
} from './temporaryHarness';

const id = 'p-00c0ffee';

describe('commitAccepted', () => {
  it('deletes, creates and changes in one commit, with a message that names the decisions', async () => {
    const root = await temporaryRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'empty.txt': '' });
    await storeProposal(root, [
      decision('d1', replace('a.txt', 'a', 'A')),
      decision('d2', { file: 'b.txt', action: 'delete', oldText: 'b\n', newText: '' }),
      decision('d3', { file: 'sub folder/ü.txt', action: 'create', oldText: '', newText: 'no newline' }),
      decision('d4', { file: 'empty.txt', action: 'delete', oldText: '', newText: '' }),
    ]);
    const { commit, tree } = await commitAccepted(root, id, [1, 2, 3, 4]);
    const files = (await git(root, ['ls-tree', '-r', '-z', '--name-only', commit])).stdout.split('\0').filter(Boolean);
    expect(files).toEqual(['a.txt', 'sub folder/ü.txt']);
    expect(await show(root, `${commit}:sub folder/ü.txt`)).toBe('no newline');
    expect((await git(root, ['log', '-1', '--format=%T %an%n%B', commit])).stdout).toBe(
      `${tree} Harnessmith\nSay what was wrong\n\n- Decision d1\n- Decision d2\n- Decision d3\n- Decision d4\n\n` +
        `Proposal: ${id}, hunks 1, 2, 3, 4\n\n`,
    );
    expect((await git(root, ['status', '--porcelain', '--untracked-files=no'])).stdout).toBe('');
  });

  it('is made on the commit of the proposal, also when HEAD moved on', async () => {
    const root = await temporaryRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await storeProposal(root, [decision('d1', replace('a.txt', 'a', 'A'))]);
    const base = await head(root);
    await writeFiles(root, { 'b.txt': 'changed\n' });
    await commitAll(root, 'later');
    const { commit, parent } = await commitAccepted(root, id, [1]);
    expect(parent).toBe(base);
    expect(await show(root, `${commit}:b.txt`)).toBe('b\n');
  });

  it('names the commit that is missing', async () => {
    const root = await temporaryRepository({ 'a.txt': 'a\n' });
    const gone = 'ab'.repeat(20);
    const stored = await storeProposal(root, [decision('d1', replace('a.txt', 'a', 'A'))]);
    await storeProposal(root, stored.proposal.decisions, {
      id: 'p-00000002',
      base: { ...stored.proposal.base, commit: gone },
    });
    await expect(commitAccepted(root, 'p-00000002', [1])).rejects.toMatchObject({
      code: 'base-commit-missing',
      message: expect.stringContaining(gone),
      exitCode: 3,
    });
  });

  it('refuses a file that is a symbolic link in the commit', async () => {
    const root = await temporaryRepository({ 'real.txt': 'a\n' });
    await symlink('real.txt', join(root, 'link.txt'));
    await commitAll(root, 'link');
    await unlink(join(root, 'link.txt'));
    await writeFiles(root, { 'link.txt': 'a\n' });
    await storeProposal(root, [decision('d1', replace('link.txt', 'a', 'A'))]);
    await expect(commitAccepted(root, id, [1])).rejects.toThrow(/link\.txt: it is a symbolic link/);
  });

  it('refuses a file whose committed bytes are no text', async () => {
    const root = await temporaryRepository({ 'a.txt': new Uint8Array([0x61, 0x0a, 0xe4, 0x0a, 0x62, 0x0a]) });
    await writeFiles(root, { 'a.txt': 'a\nx\nb\n' });
    await storeProposal(root, [decision('d1', replace('a.txt', 'b', 'B'))]);
    await expect(commitAccepted(root, id, [1])).rejects.toThrow(/not UTF-8/);
  });

  it('works in a repository without user name, from a detached HEAD, and leaves no temporary index', async () => {
    const root = await temporaryRepository({ 'a.txt': 'a\n' });
    await git(root, ['checkout', '-q', '--detach']);
    await git(root, ['config', 'user.useConfigOnly', 'true']);
    await storeProposal(root, [decision('d1', replace('a.txt', 'a', 'A'))]);
    await decideHunks(root, id, [1], 'accepted', 'tester');
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('harnessmith-index-'));
    const { commit } = await applyAccepted(root, id, 'branch');
    const after = (await readdir(tmpdir())).filter((name) => name.startsWith('harnessmith-index-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
    expect(await show(root, `${commit}:a.txt`)).toBe('A\n');
    expect((await git(root, ['symbolic-ref', '-q', 'HEAD'], { allowFailure: true })).exitCode).toBe(1);
  });

  it('is refused in a repository without a commit', async () => {
    const root = await temporaryFolder({ 'a.txt': 'a\n' });
    await git(root, ['init', '-q']);
    await storeProposal(root, [decision('d1', replace('a.txt', 'a', 'A'))]);
    await expect(commitAccepted(root, id, [1])).rejects.toMatchObject({ code: 'no-repository' });
  });

  it('stops when it is cancelled', async () => {
    const root = await temporaryRepository({ 'a.txt': 'a\n' });
    await storeProposal(root, [decision('d1', replace('a.txt', 'a', 'A'))]);
    await expect(commitAccepted(root, id, [1], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('runs no hook of the repository', async () => {
    const root = await temporaryRepository({ 'a.txt': 'a\n' });
    const hook = `#!/bin/sh\ntouch '${join(root, 'hook-ran')}'\n`;
    for (const name of ['pre-commit', 'post-commit', 'reference-transaction', 'post-index-change']) {
      await writeFiles(root, { [`.git/hooks/${name}`]: hook });
      await chmod(join(root, `.git/hooks/${name}`), 0o755);
    }
    await storeProposal(root, [decision('d1', replace('a.txt', 'a', 'A'))]);
    await decideHunks(root, id, [1], 'accepted', 'tester');
    await applyAccepted(root, id, 'branch');
    await expect(readFile(join(root, 'hook-ran'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('commitTaken', () => {
  it('takes accepted and applied hunks, and refuses when there are none', async () => {
    const root = await temporaryRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    await storeProposal(
      root,
      ['a', 'b', 'c'].map((name) => decision(name, replace(`${name}.txt`, name, name.toUpperCase()))),
    );
    await expect(commitTaken(root, id)).rejects.toMatchObject({ code: 'nothing-accepted' });
    await decideHunks(root, id, [1], 'accepted', 'ada');
    await applyAccepted(root, id, 'branch');
    await decideHunks(root, id, [2], 'accepted', 'ada');
    await decideHunks(root, id, [3], 'rejected', 'ada');
    const { commit } = await commitTaken(root, id);
    const texts = await Promise.all(['a', 'b', 'c'].map((name) => show(root, `${commit}:${name}.txt`)));
    expect(texts).toEqual(['A\n', 'B\n', 'c\n']);
  });
});
