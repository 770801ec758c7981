import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../../../src/core/harness';
import { ensureStore, storePaths } from '../../../src/core/store';
import { cleanLeftovers, createRun, executeRun, snapshotWorkingTree } from '../../../src/core/validation';
import { addWorktree, registeredWorktrees, removeWorktree } from '../../../src/core/validation/worktrees';
import { commitAside, nodeCommand, openWithSuite, repository, runGit, temporaryFolder, writeFiles } from './repository';

const pass = nodeCommand('');

describe('the snapshot of a working tree', () => {
  it('is HEAD when nothing is changed, or only what Harnessmith keeps', async () => {
    const root = repository({ a: '1' });
    const head = runGit(root, 'rev-parse', 'HEAD');
    expect(await snapshotWorkingTree(root)).toMatchObject({ commit: head, label: `HEAD ${head.slice(0, 8)}` });
    await ensureStore(root);
    writeFiles(root, { '.harnessmith/harness.json': '{}' });
    expect((await snapshotWorkingTree(root)).commit).toBe(head);
  });

  it('holds changes, deletions and new files, and touches nothing of the user', async () => {
    const root = repository({ kept: '1', changed: 'old', gone: 'x', '.gitignore': 'ignored\n' });
    writeFiles(root, { staged: 'staged', ignored: 'i', 'new/file': 'n' });
    runGit(root, 'add', 'staged');
    writeFiles(root, { changed: 'new', staged: 'staged and changed' });
    rmSync(join(root, 'gone'));
    symlinkSync('/etc/passwd', join(root, 'link'));
    const before = [
      runGit(root, 'status', '--porcelain'),
      runGit(root, 'diff', '--cached'),
      runGit(root, 'stash', 'list'),
    ];

    const { commit, tree, label } = await snapshotWorkingTree(root);
    expect(label).toContain('with the uncommitted changes of the working tree');
    expect(runGit(root, 'rev-parse', `${commit}^{tree}`)).toBe(tree);
    expect(runGit(root, 'rev-parse', `${commit}^1`)).toBe(runGit(root, 'rev-parse', 'HEAD'));
    expect(runGit(root, 'ls-tree', '-r', '--name-only', commit).split('\n').sort()).toEqual(
      ['.gitignore', 'changed', 'kept', 'link', 'new/file', 'staged'].sort(),
    );
    expect(runGit(root, 'show', `${commit}:changed`)).toBe('new');
    expect(runGit(root, 'show', `${commit}:staged`)).toBe('staged and changed');
    expect(runGit(root, 'show', `${commit}:link`)).toBe('/etc/passwd');
    expect([
      runGit(root, 'status', '--porcelain'),
      runGit(root, 'diff', '--cached'),
      runGit(root, 'stash', 'list'),
    ]).toEqual(before);
    expect((await snapshotWorkingTree(root)).tree).toBe(tree);
  });

  it('works before the first commit and without a git identity', async () => {
    const root = temporaryFolder();
    runGit(root, 'init', '--quiet');
    writeFiles(root, { a: '1' });
    const { commit, label } = await snapshotWorkingTree(root);
    expect(label).toBe('working tree (no commit yet)');
    expect(runGit(root, 'show', '--no-patch', '--format=%an', commit)).toBe('Harnessmith');
    expect(runGit(root, 'ls-tree', '--name-only', commit)).toBe('a');
  });

  it('leaves the store of a harness in a sub-folder out', async () => {
    const root = repository({ 'agent/a': '1' });
    writeFiles(root, { 'agent/.harnessmith/harness.json': '{}', 'agent/a': '2' });
    const { commit } = await snapshotWorkingTree(join(root, 'agent'));
    expect(runGit(root, 'ls-tree', '-r', '--name-only', commit)).toBe('agent/a');
  });
});

describe('createRun', () => {
  it('needs git and says what to do', async () => {
    const root = temporaryFolder();
    const harness = await openWithSuite(root, { tasks: ['a'], command: pass });
    await expect(createRun({ harness })).rejects.toMatchObject({
      code: 'git-needed',
      exitCode: 3,
      nextStep: expect.stringContaining('git init'),
    });
    expect(existsSync(storePaths(root).runs)).toBe(false);
  });

  it('takes the dirty working tree as baseline and says so', async () => {
    const root = repository({ word: 'old' });
    writeFiles(root, { word: 'dirty' });
    const check = nodeCommand('process.exit(require("fs").readFileSync("word", "utf8") === "dirty" ? 0 : 1)');
    const harness = await openWithSuite(root, { tasks: ['a'], command: check, trials: 1 });
    const { id, arms } = await createRun({ harness });
    expect(arms).toHaveLength(1);
    expect(arms[0]?.label).toContain('uncommitted changes');
    const { trials, verdict } = await executeRun(root, id);
    expect(trials.map((trial) => trial.verdict)).toEqual(['pass']);
    expect(verdict.verdict).toBe('not measured');
    expect(readFileSync(join(root, 'word'), 'utf8')).toBe('dirty');
  });

  it('measures a candidate against its own parent, also when the branch moved on', async () => {
    const root = repository({ word: 'old' });
    const parent = runGit(root, 'rev-parse', 'HEAD');
    const candidate = commitAside(root, { word: 'new' });
    runGit(root, 'commit', '--quiet', '--allow-empty', '-m', 'later');
    const harness = await openWithSuite(root, { tasks: ['a'], command: pass });
    const { arms } = await createRun({ harness, candidate: { commit: candidate.slice(0, 10), label: 'p-1' } });
    expect(arms.map(({ commit }) => commit)).toEqual([parent, candidate]);
    expect(arms[1]?.label).toBe('p-1');
    const named = await createRun({ harness, candidate: { commit: candidate }, baseline: 'main' });
    expect(named.arms[0]?.commit).toBe(runGit(root, 'rev-parse', 'main'));
  });

  it('keeps the commits of a run from being collected until its folder is deleted', async () => {
    const root = repository({ word: 'old' });
    writeFiles(root, { word: 'dirty' });
    const harness = await openWithSuite(root, { tasks: ['a'], command: pass });
    const { id, arms } = await createRun({ harness });
    const commit = arms[0]?.commit ?? '';
    runGit(root, 'gc', '--quiet', '--prune=now');
    expect(runGit(root, 'cat-file', '-t', commit)).toBe('commit');
    rmSync(storePaths(root).run(id), { recursive: true });
    await cleanLeftovers(root);
    expect(runGit(root, 'for-each-ref', 'refs/harnessmith')).toBe('');
  });

  it('warns that submodules are empty, and removes worktrees where they were filled', async () => {
    const inner = repository({ lib: '1' });
    const root = repository({ file: '' });
    runGit(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'vendor/lib');
    runGit(root, 'commit', '--quiet', '-m', 'submodule');
    const filled = nodeCommand('process.exit(require("fs").existsSync("vendor/lib/lib") ? 0 : 1)');
    const harness = await openWithSuite(root, { tasks: ['a'], command: filled, trials: 1 });
    const manifest = await createRun({ harness });
    expect(manifest.warnings).toEqual([expect.stringContaining('vendor/lib are empty')]);
    expect((await executeRun(root, manifest.id)).trials[0]?.verdict).toBe('fail');

    const prepare = [['git', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init']];
    const prepared = await openWithSuite(root, { tasks: ['a'], command: filled, trials: 1, prepare });
    const { id } = await createRun({ harness: prepared });
    expect((await executeRun(root, id)).trials[0]?.verdict).toBe('pass');
    expect(await registeredWorktrees(root)).toEqual([root]);
  });

  it.each([
    [{ candidate: { commit: 'no-such' } }, 'commit-unknown'],
    [{ candidate: { commit: '--help' } }, 'commit-unknown'],
    [{ baseline: 'HEAD:file' }, 'commit-unknown'],
    [{ trials: 0 }, 'trials-wrong'],
    [{ trials: 1.5 }, 'trials-wrong'],
    [{ tasks: [] }, 'task-unknown'],
    [{ tasks: ['zzz'] }, 'task-unknown'],
    [{ suiteName: 'other' }, 'suite-unknown'],
  ])('refuses %j', async (wrong, code) => {
    const root = repository({ file: '' });
    const harness = await openWithSuite(root, { tasks: ['a', 'b'], command: pass });
    await expect(createRun({ harness, ...wrong })).rejects.toMatchObject({ code, exitCode: 2 });
    expect(existsSync(storePaths(root).runs)).toBe(false);
  });

  it('takes a part of the tasks and another number of trials', async () => {
    const root = repository({ file: '' });
    const harness = await openWithSuite(root, { tasks: ['a', 'b', 'c'], command: pass });
    const manifest = await createRun({ harness, tasks: ['c', 'a'], trials: 7, rule: { alpha: 0.01 } });
    expect(manifest).toMatchObject({ tasks: ['a', 'c'], trials: 7, rule: { alpha: 0.01, minimumCoverage: 0.8 } });
  });
});

describe('worktrees', () => {
  it('replace leftovers of which only the folder or only the registration is there', async () => {
    const root = repository({ file: 'text' });
    const commit = runGit(root, 'rev-parse', 'HEAD');
    const arm = { arm: 'baseline' as const, commit, tree: '', label: '' };
    const runFolder = join(temporaryFolder(), 'run');
    const folder = join(runFolder, 'worktrees', 'baseline');
    writeFiles(folder, { stale: '' });
    expect((await addWorktree(root, runFolder, arm)).root).toBe(folder);
    expect(existsSync(join(folder, 'stale'))).toBe(false);
    rmSync(folder, { recursive: true });
    await addWorktree(root, runFolder, arm);
    writeFileSync(join(folder, 'file'), 'changed by a trial');
    runGit(root, 'worktree', 'lock', folder);
    await removeWorktree(root, folder);
    expect(existsSync(folder)).toBe(false);
    expect(await registeredWorktrees(root)).toEqual([root]);
  });

  it('do not run hooks of the repository', async () => {
    const root = repository({ file: 'text' });
    const ran = join(temporaryFolder(), 'ran');
    mkdirSync(join(root, '.git/hooks'), { recursive: true });
    writeFileSync(join(root, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    const commit = runGit(root, 'rev-parse', 'HEAD');
    await addWorktree(root, temporaryFolder(), { arm: 'candidate', commit, tree: '', label: '' });
    expect(existsSync(ran)).toBe(false);
  });

  it('of the user are left alone by cleaning up', async () => {
    const root = repository({ file: 'text' });
    const own = join(temporaryFolder(), 'own');
    runGit(root, 'worktree', 'add', '--quiet', '--detach', own);
    const unmounted = join(temporaryFolder(), 'unmounted');
    runGit(root, 'worktree', 'add', '--quiet', '--detach', unmounted);
    rmSync(unmounted, { recursive: true });
    const harness = await openWithSuite(root, { tasks: ['a'], command: pass, trials: 1 });
    await executeRun(root, (await createRun({ harness })).id);
    await cleanLeftovers(root);
    expect((await registeredWorktrees(root)).toSorted()).toEqual([root, own, unmounted].toSorted());
  });

  it('cleaning up needs no git and no runs', async () => {
    expect(await cleanLeftovers(temporaryFolder())).toEqual({ worktrees: [], processes: 0, interrupted: [] });
    await openHarness(temporaryFolder());
  });
});
