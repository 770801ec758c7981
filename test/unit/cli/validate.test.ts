import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireLock, Ledger, storePaths } from '../../../src/core/store';
import { runLockFile } from '../../../src/core/validation/runs/runStore';
import { nodeCommand, openWithSuite, repository, runGit } from '../validation/repository';
import { documentOf, textOf } from './documents';

/** Passes when the file `solved` of the worktree names the task. */
const solvedHere = nodeCommand(
  'process.exit(require("fs").readFileSync("solved", "utf8").split(" ").includes(process.argv[1]) ? 0 : 1)',
  '{task}',
);

async function withSuite(suite: Record<string, unknown> = {}): Promise<string> {
  const root = repository({ solved: 'a b\n' });
  await openWithSuite(root, { tasks: ['a', 'b'], command: solvedHere, trials: 1, ...suite });
  return root;
}

/** Makes a patch of the file `solved`, imports it as a proposal and gives its id. */
async function importedPatch(root: string, after: string): Promise<string> {
  const before = readFileSync(join(root, 'solved'), 'utf8');
  writeFileSync(join(root, 'solved'), after);
  const patch = join(root, '.harnessmith', 'change.diff');
  writeFileSync(patch, `${runGit(root, 'diff', '--', 'solved')}\n`);
  writeFileSync(join(root, 'solved'), before);
  const { document } = await documentOf('proposals-show', root, 'proposals', 'import', patch);
  return document.proposal.id;
}

describe('validate --same', () => {
  it('runs both arms at one commit and finds no difference', async () => {
    const root = await withSuite();
    const { document, exitCode } = await documentOf('validate', root, 'validate', '--same', '--trials', '2');
    expect(exitCode).toBe(0);
    const { manifest, verdict, trials } = document;
    const [baseline, candidate] = manifest.arms;
    expect([baseline.commit, candidate.commit]).toEqual(Array(2).fill(runGit(root, 'rev-parse', 'HEAD')));
    // 2 tasks x 2 trials x 2 arms, and a program that does the same each time.
    expect(trials).toHaveLength(8);
    expect(verdict).toMatchObject({ difference: 0, up: 0, down: 0, regressions: [] });
  });

  it('tells the plan before the work on standard error, and the table on standard output', async () => {
    const root = await withSuite();
    const { text, stderr } = await textOf(root, 'validate', '--same', '--tasks', 'b');
    expect(stderr).toMatch(/1 task x 1 trial x 2 arms = 2 trials of suite "main"/);
    expect(stderr).toContain('declared before the run');
    expect(text).toMatch(/^task\s+baseline\s+candidate\s+group$/m);
    expect(text).toMatch(/^b\s+(\d of 1)\s+\1/m);
    expect(text).not.toMatch(/^a /m);
    expect(text).toContain('2 of 2 planned trials have a verdict.');
  });

  it.each([
    [['--engine', 'cloud'], /run by the engine "command", not by "cloud"/],
    [['--tasks', 'z'], /z/],
    [['--suite', 'none'], /none/],
    [['--budget', 'much'], /--budget much/],
    [['--budget', '-1'], /--budget -1/],
  ])('with %j is wrong use and makes no trial', async (options, message) => {
    const root = await withSuite();
    const { document, exitCode } = await documentOf('validate', root, 'validate', '--same', ...options);
    expect(exitCode).toBe(2);
    expect(document.error.message).toMatch(message);
    const { runs } = (await documentOf('runs', root, 'runs', 'list')).document;
    expect(runs).toEqual([]);
  });
});

it('says why trials have no verdict, and where their output lies, once for each reason', async () => {
  const root = await withSuite({ command: ['no-such-program', '{task}'] });
  const { text, stderr } = await textOf(root, 'validate', '--same');
  const run = /^Run (\S+):/m.exec(stderr)![1]!;
  const [, output] = /^ {2}CommandNotStarted, for example [ab] \(\w+\): .*no-such-program.* Output: (\S+)$/m.exec(
    text,
  )!;
  expect(output).toMatch(new RegExp(`^\\.harnessmith/runs/${run}/trials/`));
  expect(existsSync(join(root, output!))).toBe(true);
  expect(text.match(/for example/g)).toHaveLength(1);
  expect((await textOf(root, 'runs', 'show', run)).text).toContain('CommandNotStarted, for example');
});

describe('validate --budget and --resume', () => {
  it('stops when the recorded costs reach the sum, and goes on where it stopped', async () => {
    // Every trial says that it cost $2.00.
    const write = 'require("fs").writeFileSync(process.argv[1] + "/r.json", \'{"reward": 1, "costUsd": 2}\')';
    const command = nodeCommand(write, '{out}');
    const root = await withSuite({ tasks: ['a', 'b'], command, result: { file: 'r.json' }, concurrency: 1 });
    const stopped = await documentOf('validate', root, 'validate', '--same', '--budget', '3.50');
    expect(stopped.exitCode).toBe(2);
    expect(stopped.document.error).toMatchObject({ code: 'budget-spent' });
    // The second trial reaches it: 2 x $2.00 is the first sum that is at least $3.50.
    expect(stopped.document.error.message).toContain('$4.00');
    const [run] = (await documentOf('runs', root, 'runs', 'list')).document.runs;
    expect(stopped.document.error.nextStep).toContain(`--resume ${run.id}`);
    const log = join(storePaths(root).run(run.id), 'trials.jsonl');
    const kept = readFileSync(log, 'utf8');

    const resumed = await documentOf('validate', root, 'validate', '--resume', run.id, '--budget', '100');
    expect(resumed.exitCode).toBe(0);
    expect(resumed.document.trials).toHaveLength(4);
    expect(readFileSync(log, 'utf8').startsWith(kept)).toBe(true);
  });

  it('makes trials again that infrastructure broke only when asked', async () => {
    const flag = 'process.exit(require("fs").existsSync(process.argv[1]) ? 0 : 9)';
    const root = repository({ solved: '' });
    const repaired = join(root, '.harnessmith', 'repaired');
    await openWithSuite(root, { tasks: ['a', 'b'], command: nodeCommand(flag, repaired), trials: 1 });
    const broken = await documentOf('validate', root, 'validate', '--same');
    const id = broken.document.manifest.id;
    expect(broken.document.trials.map((trial: { verdict: string }) => trial.verdict)).toEqual(Array(4).fill('missing'));
    writeFileSync(repaired, '');
    const kept = await documentOf('validate', root, 'validate', '--resume', id);
    expect(kept.document.verdict.coverage).toMatchObject({ measured: 0, planned: 4 });
    const again = await documentOf('validate', root, 'validate', '--resume', id, '--again');
    expect(again.document.verdict.coverage).toMatchObject({ measured: 4, planned: 4 });
  });
});

describe('validate a proposal', () => {
  it('needs an accepted hunk', async () => {
    const root = await withSuite();
    const id = await importedPatch(root, 'a\n');
    const { document, exitCode } = await documentOf('validate', root, 'validate', id);
    expect(exitCode).toBe(2);
    expect(document.error).toMatchObject({ code: 'nothing-accepted', nextStep: expect.stringContaining(id) });
  });

  it('ends with 1 when the accepted hunks break tasks, and leaves files and branch alone', async () => {
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
    const root = repository({ solved: `${tasks.join(' ')}\n` });
    const command = nodeCommand(
      'process.exit(require("fs").readFileSync("solved", "utf8").trim().split(" ").includes(process.argv[1]) ? 0 : 1)',
      '{task}',
    );
    await openWithSuite(root, { tasks, command, trials: 1 });
    const id = await importedPatch(root, 'none\n');
    await documentOf('proposals-show', root, 'proposals', 'accept', id);
    const before = runGit(root, 'rev-parse', 'HEAD');
    const { text, exitCode } = await textOf(root, 'validate', id);
    expect(exitCode).toBe(1);
    expect(text).toContain(`Regressions: ${tasks.join(', ')}`);
    expect(runGit(root, 'rev-parse', 'HEAD')).toBe(before);
    expect(readFileSync(join(root, 'solved'), 'utf8')).toBe(`${tasks.join(' ')}\n`);
    expect(runGit(root, 'worktree', 'list').split('\n')).toHaveLength(1);
  });
});

describe('runs cancel and runs override', () => {
  it('asks whoever carries the run out, and is a no when nobody does', async () => {
    const root = await withSuite();
    const { id } = (await documentOf('validate', root, 'validate', '--same')).document.manifest;
    const request = join(storePaths(root).run(id), 'cancel');
    const idle = await documentOf('runs-cancel', root, 'runs', 'cancel', id);
    expect(idle).toMatchObject({ exitCode: 1, document: { run: id, state: 'finished', asked: false } });
    expect(existsSync(request)).toBe(false);

    const held = await acquireLock(runLockFile(root, id), { owner: 'another window' });
    const { text } = await textOf(root, 'runs', 'cancel', id);
    await held.release();
    expect(text).toContain(`Asked another window to stop ${id}`);
    expect(existsSync(request)).toBe(true);
    expect((await documentOf('runs-cancel', root, 'runs', 'cancel', 'r-none')).exitCode).toBe(2);
  });

  it('writes who overruled a verdict and why into the ledger, and leaves the verdict as it is', async () => {
    const root = await withSuite();
    const { manifest, verdict } = (await documentOf('validate', root, 'validate', '--same')).document;
    const call = ['runs', 'override', manifest.id, '--reason'];
    const { document, exitCode } = await documentOf('runs-override', root, ...call, ' the suite is too small ');
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({ verdict: verdict.verdict, reason: 'the suite is too small' });
    const { entries } = await (await Ledger.open(root)).read();
    expect(entries.filter((entry) => entry.kind === 'override')).toMatchObject([
      { run: manifest.id, reason: 'the suite is too small' },
    ]);
    expect((await documentOf('runs-show', root, 'runs', 'show', manifest.id)).document.verdict).toEqual(verdict);

    const empty = await documentOf('runs-override', root, ...call, ' ');
    expect(empty).toMatchObject({ exitCode: 2, document: { error: { code: 'reason-missing' } } });
    expect((await documentOf('runs-override', root, ...call.slice(0, 3))).exitCode).toBe(2);
    rmSync(join(storePaths(root).run(manifest.id), 'verdict.json'));
    const early = await documentOf('runs-override', root, ...call, 'too early');
    expect(early).toMatchObject({ exitCode: 2, document: { error: { code: 'verdict-missing' } } });
  });
});

describe('runs', () => {
  it('lists and shows what was run, keeps trials when tidying, and says how to go on', async () => {
    const root = await withSuite();
    expect((await textOf(root, 'runs', 'list')).text).toContain('harnessmith validate');
    const { document } = await documentOf('validate', root, 'validate', '--same');
    const { id } = document.manifest;
    const folder = storePaths(root).run(id);
    const shown = await documentOf('runs-show', root, 'runs', 'show', id);
    expect(shown.document.verdict).toEqual(document.verdict);
    expect(shown.document.trials).toHaveLength(4);
    expect((await textOf(root, 'runs', 'show', id)).text).toContain(document.verdict.sentence);
    expect((await textOf(root, 'runs', 'list')).text).toMatch(new RegExp(`^${id}  finished  no proposal  2 tasks x 1`));
    expect((await documentOf('runs-show', root, 'runs', 'show', '../..')).exitCode).toBe(2);

    const cleaned = await documentOf('runs-clean', root, 'runs', 'clean');
    expect(cleaned.document).toMatchObject({ worktrees: [], processes: 0, interrupted: [] });
    expect(existsSync(join(folder, 'trials.jsonl'))).toBe(true);

    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, state: 'interrupted' }));
    rmSync(join(folder, 'verdict.json'));
    const { text } = await textOf(root, 'runs', 'show', id);
    expect(text).toContain(`4 of 4 trials. Go on: harnessmith validate --resume ${id}`);
  });
});

describe('compare', () => {
  it('judges one finished run against another, by id or by path; a damaged run is named beside the others', async () => {
    const root = await withSuite();
    const first = (await documentOf('validate', root, 'validate', '--same')).document.manifest.id;
    const second = (await documentOf('validate', root, 'validate', '--same')).document.manifest.id;
    const byId = await documentOf('compare', root, 'compare', first, second);
    expect(byId.exitCode).toBe(0);
    // The same program in both runs, so no task moved.
    expect(byId.document).toMatchObject({ difference: 0, up: 0, down: 0 });
    const files = [first, second].map((id) => join(storePaths(root).run(id), 'trials.jsonl'));
    const byPath = await documentOf('compare', root, 'compare', ...files);
    expect(byPath.document.tasks).toHaveLength(2);
    expect(byPath.document.difference).toBe(0);
    appendFileSync(files[1]!, '{"run": "torn');
    expect((await documentOf('compare', root, 'compare', ...files)).document.difference).toBe(0);

    writeFileSync(join(storePaths(root).run(second), 'manifest.json'), '{');
    const { document: list, exitCode } = await documentOf('runs', root, 'runs', 'list');
    expect(exitCode).toBe(0);
    expect(list.runs.map((run: { id: string }) => run.id)).toEqual([first]);
    expect(list.unreadable).toEqual([{ id: second, reason: expect.stringContaining('JSON') }]);
  });

  it('of a run that is not there names it', async () => {
    const root = await withSuite();
    const { document, exitCode } = await documentOf('compare', root, 'compare', 'r-one', 'r-two');
    expect(exitCode).toBe(2);
    expect(document.error.message).toMatch(/r-one|r-two/);
  });
});
