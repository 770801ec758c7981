import { chmod, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../../src/core/harness';
import {
  applyAccepted,
  commitAccepted,
  decideHunks,
  hunkStates,
  reviewOf,
  setEdited,
  undoApplied,
} from '../../../src/core/proposals';
import { Ledger } from '../../../src/core/store';
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
const loop = 'limit = 3\nask()\nparse()\nrun()\ndone = check()\n';
const files = { 'src/loop.py': loop, 'prompts/error.md': 'Wrong.\n', 'run.sh': '#!/bin/sh\necho 1\n' };

function decisions() {
  return [
    decision('d1', replace('src/loop.py', 'limit = 3', 'limit = 5'), replace('src/loop.py', 'run()', 'run(cwd)')),
    decision('d2', replace('prompts/error.md', 'Wrong.', 'Wrong. Use {name}.')),
    decision('d3', { file: 'prompts/new.md', action: 'create', oldText: '', newText: 'New\n' }),
  ];
}

async function accept(root: string, ...numbers: number[]) {
  await decideHunks(root, id, numbers, 'accepted', 'tester');
}

describe('applyAccepted to a branch', () => {
  it('commits the accepted hunks and leaves files, index and HEAD alone', async () => {
    const root = await temporaryRepository(files);
    await storeProposal(root, decisions());
    await writeFiles(root, { 'other.txt': 'dirty\n', 'run.sh': '#!/bin/sh\necho changed\n' });
    await git(root, ['add', 'other.txt']);
    const before = { head: await head(root), status: (await git(root, ['status', '--porcelain'])).stdout };
    await accept(root, 2, 4);

    const result = await applyAccepted(root, id, 'branch', { who: 'tester' });

    expect(result).toMatchObject({ branch: `harnessmith/${id}`, hunks: [2, 4], left: [] });
    expect(result.files.sort()).toEqual(['prompts/new.md', 'src/loop.py']);
    expect(await show(root, `harnessmith/${id}:src/loop.py`)).toBe(loop.replace('run()', 'run(cwd)'));
    expect(await show(root, `harnessmith/${id}:prompts/new.md`)).toBe('New\n');
    expect(await show(root, `harnessmith/${id}:prompts/error.md`)).toBe('Wrong.\n');
    const changed = await git(root, ['diff', '--name-only', 'HEAD', `harnessmith/${id}`]);
    expect(changed.stdout.trim().split('\n').sort()).toEqual(['prompts/new.md', 'src/loop.py']);
    expect({ head: await head(root), status: (await git(root, ['status', '--porcelain'])).stdout }).toEqual(before);
    expect(await readFile(join(root, 'src/loop.py'), 'utf8')).toBe(loop);
    const { entries } = await (await Ledger.open(root)).read();
    expect(entries.map((entry) => entry.kind)).toEqual(['proposal', 'decision', 'apply']);
  });

  it('adds a second apply on top and refuses a branch with other commits', async () => {
    const root = await temporaryRepository(files);
    await storeProposal(root, decisions());
    await accept(root, 1);
    const first = await applyAccepted(root, id, 'branch');
    await accept(root, 3);
    const second = await applyAccepted(root, id, 'branch');
    expect((await show(root, `${second.commit}^`)).slice(7, 47)).toBe(first.commit);
    expect(await show(root, `harnessmith/${id}:src/loop.py`)).toContain('limit = 5');
    expect(await show(root, `harnessmith/${id}:prompts/error.md`)).toContain('Use {name}');

    await git(root, ['update-ref', `refs/heads/harnessmith/${id}`, await head(root)]);
    await accept(root, 2);
    await expect(applyAccepted(root, id, 'branch')).rejects.toMatchObject({ code: 'branch-taken' });
    expect((await reviewOf(root, id)).hunks['2']!.state).toBe('accepted');
  });

  it('refuses a branch that is checked out', async () => {
    const root = await temporaryRepository(files);
    await storeProposal(root, decisions());
    await accept(root, 1);
    await applyAccepted(root, id, 'branch');
    await git(root, ['checkout', '-q', `harnessmith/${id}`]);
    await accept(root, 2);
    await expect(applyAccepted(root, id, 'branch')).rejects.toMatchObject({ code: 'branch-checked-out' });
  });

  it('places hunks on the committed text when the file has changes that are not committed', async () => {
    const root = await temporaryRepository(files);
    await writeFiles(root, { 'src/loop.py': `# mine\n${loop}` });
    await storeProposal(root, [decision('d1', replace('src/loop.py', 'run()', 'run(cwd)'))]);
    await accept(root, 1);
    await applyAccepted(root, id, 'branch');
    expect(await show(root, `harnessmith/${id}:src/loop.py`)).toBe(loop.replace('run()', 'run(cwd)'));
  });

  it('names a hunk whose file is in no commit', async () => {
    const root = await temporaryRepository(files);
    await writeFiles(root, { 'fresh.py': 'x = 1\n' });
    await storeProposal(root, [decision('d1', replace('fresh.py', 'x = 1', 'x = 2'))]);
    await accept(root, 1);
    await expect(applyAccepted(root, id, 'branch')).rejects.toThrow(/hunk 1 \(fresh\.py\)/);
  });

  it('works below the top of the repository, beside a submodule, and keeps the executable bit', async () => {
    const inner = await temporaryRepository({ 'a.txt': 'a\n' });
    const top = await temporaryRepository({ 'README.md': 'top\n' });
    await git(top, ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'lib']);
    const root = join(top, 'harness');
    await writeFiles(root, files);
    await chmod(join(root, 'run.sh'), 0o755);
    await commitAll(top, 'harness');
    await storeProposal(root, [decision('d1', replace('run.sh', 'echo 1', 'echo 2'))]);
    await accept(root, 1);
    await applyAccepted(root, id, 'branch');
    const { stdout } = await git(top, ['ls-tree', '-r', `harnessmith/${id}`]);
    expect(stdout).toMatch(/^100755 blob \w+\tharness\/run\.sh$/m);
    expect(stdout).toMatch(/^160000 commit \w+\tlib$/m);
    expect(await show(top, `harnessmith/${id}:harness/run.sh`)).toBe('#!/bin/sh\necho 2\n');
  });

  it('stores what git would for a file that is checked out with windows line ends', async () => {
    const root = await temporaryRepository({ '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'one\r\ntwo\r\n' });
    expect(await show(root, 'HEAD:a.txt')).toBe('one\ntwo\n');
    await storeProposal(root, [decision('d1', replace('a.txt', 'two', '2'))]);
    await accept(root, 1);
    await applyAccepted(root, id, 'branch');
    expect(await show(root, `harnessmith/${id}:a.txt`)).toBe('one\n2\n');
  });

  it('is refused outside git', async () => {
    const root = await temporaryFolder(files);
    await storeProposal(root, decisions());
    await accept(root, 1);
    await expect(applyAccepted(root, id, 'branch')).rejects.toMatchObject({ code: 'no-repository' });
  });

  it('is taken back by deleting the branch', async () => {
    const root = await temporaryRepository(files);
    await storeProposal(root, decisions());
    await accept(root, 1);
    await applyAccepted(root, id, 'branch');
    await undoApplied(root, id);
    expect((await git(root, ['branch', '--list', 'harnessmith/*'])).stdout).toBe('');
    expect((await reviewOf(root, id)).hunks['1']!.state).toBe('accepted');
    await applyAccepted(root, id, 'branch');
  });
});

describe('commitAccepted', () => {
  it('gives the same commit for the same hunks, on no branch', async () => {
    const root = await temporaryRepository(files);
    await storeProposal(root, decisions());
    const first = await commitAccepted(root, id, [1, 3]);
    expect(await commitAccepted(root, id, [3, 1])).toEqual(first);
    expect(first.parent).toBe(await head(root));
    expect(await show(root, `${first.commit}:src/loop.py`)).toBe(loop.replace('= 3', '= 5'));
    expect((await git(root, ['branch', '--contains', first.commit])).stdout).toBe('');
  });

  it('refuses hunks that do not fit the commit, and unknown numbers', async () => {
    const root = await temporaryRepository(files);
    await writeFiles(root, { 'src/loop.py': loop.replace('run()', 'walk()') });
    await storeProposal(root, [decision('d1', replace('src/loop.py', 'walk()', 'walk(cwd)'))]);
    await expect(commitAccepted(root, id, [1])).rejects.toMatchObject({ code: 'hunk-not-committable' });
    await expect(commitAccepted(root, id, [7])).rejects.toThrow(/no hunk 7.*1 to 1/);
  });
});

describe('applyAccepted to the working tree', () => {
  it('writes accepted hunks only, keeps the mode, and can be taken back to the byte', async () => {
    const crlf = '\uFEFFone\r\ntwo\r\nthree';
    const root = await temporaryFolder({ 'a.txt': crlf, 'run.sh': files['run.sh'] });
    await chmod(join(root, 'run.sh'), 0o755);
    await storeProposal(root, [
      decision('d1', replace('a.txt', 'two\r\n', 'two\r\n2.5\r\n'), replace('a.txt', 'one', 'ONE')),
      decision('d2', replace('run.sh', 'echo 1', 'echo 2')),
      decision('d3', { file: 'new/file.txt', action: 'create', oldText: '', newText: 'x\n' }),
    ]);
    await accept(root, 2, 3, 4);
    const result = await applyAccepted(root, id, 'workingTree');
    expect(result.hunks).toEqual([2, 3, 4]);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('\uFEFFone\r\ntwo\r\n2.5\r\nthree');
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect(await readFile(join(root, 'new/file.txt'), 'utf8')).toBe('x\n');

    await undoApplied(root, id);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe(crlf);
    expect(await readFile(join(root, 'run.sh'), 'utf8')).toBe(files['run.sh']);
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o755);
    await expect(stat(join(root, 'new/file.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(undoApplied(root, id)).rejects.toMatchObject({ code: 'nothing-applied' });
  });

  it('applies one hunk after the other, and undoes them in turn', async () => {
    const root = await temporaryFolder(files);
    await storeProposal(root, decisions());
    await accept(root, 1);
    await applyAccepted(root, id, 'workingTree');
    expect((await hunkStates(root, id)).map((one) => one.state)).toEqual(['applied', 'open', 'open', 'open']);
    await accept(root, 2);
    await applyAccepted(root, id, 'workingTree');
    expect(await readFile(join(root, 'src/loop.py'), 'utf8')).toBe(
      loop.replace('= 3', '= 5').replace('run()', 'run(cwd)'),
    );
    await undoApplied(root, id);
    expect(await readFile(join(root, 'src/loop.py'), 'utf8')).toBe(loop.replace('= 3', '= 5'));
    await undoApplied(root, id);
    expect(await readFile(join(root, 'src/loop.py'), 'utf8')).toBe(loop);
  });

  it('never overwrites what changed meanwhile: the rest is written, the stale hunk is named', async () => {
    const root = await temporaryFolder(files);
    await storeProposal(root, decisions());
    await accept(root, 1, 2, 3);
    const mine = `# header\n${loop.replace('limit = 3', 'limit = 9')}`;
    await writeFiles(root, { 'src/loop.py': mine });
    const states = await hunkStates(root, id);
    expect(states.map((one) => [one.state, one.line])).toEqual([
      ['conflicting', null],
      ['accepted', 5],
      ['accepted', 1],
      ['open', 1],
    ]);
    const result = await applyAccepted(root, id, 'workingTree');
    expect(result.hunks).toEqual([2, 3]);
    expect(result.left).toEqual([{ number: 1, file: 'src/loop.py', reason: expect.stringMatching(/changed since/) }]);
    expect(await readFile(join(root, 'src/loop.py'), 'utf8')).toBe(mine.replace('run()', 'run(cwd)'));
  });

  it('changes nothing when nothing fits or nothing is accepted', async () => {
    const root = await temporaryFolder(files);
    await storeProposal(root, decisions());
    await expect(applyAccepted(root, id, 'workingTree')).rejects.toMatchObject({ code: 'nothing-accepted' });
    await accept(root, 3, 4);
    await writeFiles(root, { 'prompts/error.md': 'Rewritten.\n', 'prompts/new.md': 'Already here.\n' });
    await expect(applyAccepted(root, id, 'workingTree')).rejects.toMatchObject({ code: 'nothing-fits' });
    expect(await readFile(join(root, 'prompts/new.md'), 'utf8')).toBe('Already here.\n');
  });

  it('does not follow a symbolic link that was put there meanwhile', async () => {
    const outside = await temporaryFolder({ 'error.md': 'Wrong.\n' });
    const root = await temporaryFolder(files);
    await storeProposal(root, decisions());
    await accept(root, 3);
    await rm(join(root, 'prompts'), { recursive: true });
    await symlink(outside, join(root, 'prompts'));
    await expect(applyAccepted(root, id, 'workingTree')).rejects.toThrow(/symbolic link/);
    expect(await readFile(join(outside, 'error.md'), 'utf8')).toBe('Wrong.\n');
  });

  it('refuses an undo over later changes', async () => {
    const root = await temporaryFolder(files);
    await storeProposal(root, decisions());
    await accept(root, 1);
    await applyAccepted(root, id, 'workingTree');
    await writeFiles(root, { 'src/loop.py': 'mine\n' });
    await expect(undoApplied(root, id)).rejects.toMatchObject({ code: 'changed-since' });
    expect(await readFile(join(root, 'src/loop.py'), 'utf8')).toBe('mine\n');
  });

  it('writes what the person typed on the right side, and only for accepted hunks', async () => {
    const root = await temporaryFolder(files);
    await storeProposal(root, decisions());
    const proposed = loop.replace('= 3', '= 5').replace('run()', 'run(cwd)');
    await setEdited(root, id, 'src/loop.py', proposed.replace('run(cwd)', 'run(cwd, env)'));
    await accept(root, 2);
    await applyAccepted(root, id, 'workingTree');
    expect(await readFile(join(root, 'src/loop.py'), 'utf8')).toBe(loop.replace('run()', 'run(cwd, env)'));
  });
});
