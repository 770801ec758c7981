import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ledger, storePaths } from '../../../src/core/store';
import { createRun, executeRun, listRuns, readRun } from '../../../src/core/validation';
import { commitAside, nodeCommand, openWithSuite, repository, runGit, temporaryFolder } from './repository';

const tasks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Passes when the file `solved` of the worktree names the task. */
const solvedHere = nodeCommand(
  'process.exit(require("fs").readFileSync("solved", "utf8").split(" ").includes(process.argv[1]) ? 0 : 1)',
  '{task}',
);

describe('executeRun', () => {
  it('credits a candidate that solves more tasks, and leaves nothing behind', async () => {
    const root = repository({ solved: 'a' });
    const candidate = commitAside(root, { solved: tasks.join(' ') });
    const harness = await openWithSuite(root, { tasks, command: solvedHere, trials: 2, concurrency: 4 });
    const manifest = await createRun({ harness, proposal: 'p-1', candidate: { commit: candidate, label: 'p-1' } });
    const seen: string[] = [];
    const reports: string[] = [];
    const { verdict, trials } = await executeRun(root, manifest.id, {
      onTrial: (trial, done, total) => seen.push(`${trial.task} ${trial.arm} ${trial.repeat} ${done}/${total}`),
      progress: (report) => reports.push(`${report.message} ${report.done}/${report.total}`),
    });

    expect(trials).toHaveLength(28);
    expect(verdict.verdict).toBe('accept');
    expect(verdict.up).toBe(6);
    expect(verdict.difference).toBeCloseTo(6 / 7, 12);
    expect(verdict.p).toBe(0.03125);
    expect(verdict.sentence).toContain('Accept. Candidate p-1 against baseline: +85.7 pp');
    expect(seen).toHaveLength(28);
    expect(seen.at(-1)).toMatch(/28\/28$/);
    expect(reports.at(-1)).toContain('28 of 28 trials 28/28');
    expect(reports.some((report) => report.includes('left'))).toBe(true);

    expect(runGit(root, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(runGit(root, 'status', '--porcelain')).not.toContain('solved');
    const record = await readRun(root, manifest.id);
    expect(record.manifest.state).toBe('finished');
    expect(record.verdict).toEqual(verdict);
    expect(record.runner).toBeNull();
    const entries = (await (await Ledger.open(root)).read()).entries;
    expect(entries.map((entry) => entry.kind)).toEqual(['run', 'run', 'verdict']);
    expect(entries.at(-1)).toMatchObject({ verdict: 'accept', proposal: 'p-1', p: 0.03125 });
  });

  it('rejects a candidate that breaks tasks, naming each', async () => {
    const root = repository({ solved: tasks.join(' ') });
    const candidate = commitAside(root, { solved: 'a' });
    const harness = await openWithSuite(root, { tasks, command: solvedHere, trials: 1, concurrency: 4 });
    const { id } = await createRun({ harness, candidate: { commit: candidate } });
    const { verdict } = await executeRun(root, id);
    expect(verdict.verdict).toBe('reject');
    expect(verdict.regressions).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
    expect(verdict.rule.test).toBe('exact McNemar on single trials');
    expect(verdict.sentence).toContain('Regressions: b, c, d, e, f, g.');
  });

  it('gives both arms the same seeds, their own worktree at their commit, and an empty {out}', async () => {
    const root = repository({ name: 'old' });
    const candidate = commitAside(root, { name: 'new' });
    const write = `
      const fs = require('fs'); const [task, seed, repeat, out, worktree] = process.argv.slice(1);
      if (fs.readdirSync(out).length > 0 || fs.realpathSync('.') !== fs.realpathSync(worktree)) process.exit(7);
      fs.writeFileSync(out + '/trace.json', JSON.stringify({ task, seed, repeat, name: fs.readFileSync('name', 'utf8'),
        extra: process.env.EXTRA, stdin: fs.readFileSync(0, 'utf8') }));
      console.log('made', task);`;
    const harness = await openWithSuite(root, {
      tasks: ['one', 'two/../x'],
      command: nodeCommand(write, '{task}', '{seed}', '{repeat}', '{out}', '{worktree}'),
      trials: 2,
      seed: 40,
      trace: 'trace.json',
      environment: { EXTRA: 'yes' },
    });
    const manifest = await createRun({ harness, candidate: { commit: candidate } });
    const { trials } = await executeRun(root, manifest.id);
    const folder = storePaths(root).run(manifest.id);
    expect(trials).toHaveLength(8);
    for (const trial of trials) {
      expect(trial.verdict).toBe('pass');
      expect(trial.seed).toBe(39 + trial.repeat);
      const arm = manifest.arms.find((each) => each.arm === trial.arm);
      expect(trial.commit).toBe(arm?.commit);
      expect(JSON.parse(readFileSync(join(folder, trial.trace ?? ''), 'utf8'))).toEqual({
        task: trial.task,
        seed: String(trial.seed),
        repeat: String(trial.repeat),
        name: trial.arm === 'baseline' ? 'old' : 'new',
        extra: 'yes',
        stdin: '',
      });
      expect(readFileSync(join(folder, trial.output), 'utf8')).toBe(`made ${trial.task}\n`);
      expect(trial.output.split('/')).not.toContain('..');
    }
  });

  it('keeps git in {out} away from the repository of the user, and not in the worktree', async () => {
    const root = repository({ file: 'text' });
    const look = `git -C "$1" rev-parse --show-toplevel && exit 3; mkdir "$1/deep" && git -C "$1/deep" status && exit 4
      git init --quiet "$1" && git -C "$1" status && git -C "$2" rev-parse HEAD && exit 0; exit 5`;
    const command = ['sh', '-c', look, 'sh', '{out}', '{worktree}'];
    const harness = await openWithSuite(root, { tasks: ['a'], command, trials: 1 });
    const { id, arms } = await createRun({ harness });
    const { trials } = await executeRun(root, id);
    expect(trials[0]?.exitCode).toBe(0);
    const log = readFileSync(join(storePaths(root).run(id), trials[0]?.output ?? ''), 'utf8');
    expect(log.trim().endsWith(arms[0]?.commit ?? 'none')).toBe(true);
  });

  it('tries the baseline against itself with other seeds, so that its noise shows', async () => {
    const root = repository({ file: '' });
    const even = nodeCommand('process.exit(Number(process.argv[1]) % 2)', '{seed}');
    const harness = await openWithSuite(root, { tasks: ['a', 'b'], command: even, trials: 3, seed: 10 });
    const { id } = await createRun({ harness, candidate: 'same' });
    const { trials, verdict } = await executeRun(root, id);
    const seeds = (arm: string) => new Set(trials.filter((trial) => trial.arm === arm).map((trial) => trial.seed));
    expect(seeds('baseline')).toEqual(new Set([10, 11, 12]));
    expect(seeds('candidate')).toEqual(new Set([13, 14, 15]));
    expect(verdict).toMatchObject({ verdict: 'undecided', down: 2, up: 0 });
    expect(verdict.sentence).toContain('The baseline with other seeds (A/A) against baseline');
    expect(verdict.sentence).toContain('Flipped down by chance: a, b.');
    expect(verdict.sentence).not.toContain('Regressions');
  });

  it('does not credit a run of the baseline against itself', async () => {
    const root = repository({ solved: 'a b' });
    const harness = await openWithSuite(root, { tasks, command: solvedHere, trials: 1, concurrency: 4 });
    const manifest = await createRun({ harness, candidate: 'same' });
    expect(manifest.warnings).toEqual([expect.stringContaining('same files')]);
    const { verdict } = await executeRun(root, manifest.id);
    expect(verdict).toMatchObject({ verdict: 'undecided', difference: 0, p: 1, moreTasks: null });
    expect(verdict.sentence).toContain('Nothing was changed, so this difference is the noise of the suite.');
  });

  it('does nothing again for a finished run', async () => {
    const root = repository({ solved: 'a' });
    const harness = await openWithSuite(root, { tasks: ['a'], command: solvedHere, trials: 1 });
    const { id } = await createRun({ harness, candidate: 'same' });
    const first = await executeRun(root, id);
    let made = 0;
    const second = await executeRun(root, id, { onTrial: () => made++ });
    expect(made).toBe(0);
    expect(second.verdict).toEqual(first.verdict);
    const entries = (await (await Ledger.open(root)).read()).entries;
    expect(entries.filter((entry) => entry.kind === 'verdict')).toHaveLength(1);
  });

  it('runs prepare once in each worktree, and names the command that fails', async () => {
    const root = repository({ '.gitignore': 'built\n' });
    const build = nodeCommand('require("fs").appendFileSync("built", "x"); console.log("building")');
    const check = nodeCommand('process.exit(require("fs").readFileSync("built", "utf8") === "x" ? 0 : 1)');
    const harness = await openWithSuite(root, { tasks: ['a', 'b'], command: check, trials: 2, prepare: [build] });
    const { id } = await createRun({ harness, candidate: 'same' });
    const { trials } = await executeRun(root, id);
    expect(trials.every((trial) => trial.verdict === 'pass')).toBe(true);
    expect(existsSync(join(root, 'built'))).toBe(false);

    const broken = await openWithSuite(root, {
      tasks: ['a'],
      command: check,
      prepare: [nodeCommand('process.exit(3)')],
    });
    const second = await createRun({ harness: broken, candidate: 'same' });
    await expect(executeRun(root, second.id)).rejects.toMatchObject({
      code: 'prepare-failed',
      message: expect.stringContaining('ended with exit code 3 (baseline)'),
    });
    expect(runGit(root, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect((await readRun(root, second.id)).manifest.state).toBe('interrupted');
  });

  it('works where the harness is a sub-folder of its repository', async () => {
    const root = repository({ 'agent/solved': 'a', 'other/file': '' });
    const candidate = commitAside(root, { 'agent/solved': 'a b' });
    const harness = await openWithSuite(join(root, 'agent'), { tasks: ['a', 'b'], command: solvedHere, trials: 1 });
    const { id } = await createRun({ harness, candidate: { commit: candidate } });
    const { verdict } = await executeRun(harness.root, id);
    expect(verdict.up).toBe(1);
  });

  it('lists runs newest first and shows damaged ones apart', async () => {
    const root = repository({ solved: 'a' });
    const harness = await openWithSuite(root, { tasks: ['a'], command: solvedHere, trials: 1 });
    const first = await createRun({ harness, candidate: 'same' });
    const second = await createRun({ harness, candidate: 'same' });
    const third = await createRun({ harness });
    writeFileSync(join(storePaths(root).run(third.id), 'manifest.json'), '{"schemaVersion":1');
    const { runs, unreadable } = await listRuns(root);
    expect(runs.map((run) => run.id).sort()).toEqual([first.id, second.id].sort());
    expect(unreadable).toEqual([{ id: third.id, reason: expect.stringContaining('not valid JSON') }]);
    await expect(readRun(root, '../../etc')).rejects.toMatchObject({ code: 'run-unknown' });
    expect(await listRuns(temporaryFolder())).toEqual({ runs: [], unreadable: [] });
  });
});
