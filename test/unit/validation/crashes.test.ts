import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { acquireLock, Ledger, storePaths } from '../../../src/core/store';
import {
  cancelRun,
  cleanLeftovers,
  createRun,
  executeRun,
  overrideVerdict,
  readRun,
  readTrials,
  watchRun,
} from '../../../src/core/validation';
import { isRunning, nodeCommand, openWithSuite, repository, runGit, temporaryFolder } from './repository';

/** Notes its process id, takes a moment, and passes. */
const slow = nodeCommand(
  `require('fs').appendFileSync(process.argv[2], process.argv[1] + ' ' + process.pid + '\\n');
   setTimeout(() => process.exit(0), Number(process.argv[3]));`,
  '{task}/{repeat}/{worktree}',
);

async function slowRun(milliseconds: number, suite: Record<string, unknown> = {}) {
  const root = repository({ file: '' });
  const started = join(temporaryFolder(), 'started');
  writeFileSync(started, '');
  const command = [...slow, started, String(milliseconds)];
  const harness = await openWithSuite(root, { tasks: ['a', 'b', 'c'], trials: 2, concurrency: 2, command, ...suite });
  const { id } = await createRun({ harness, candidate: 'same' });
  const lines = () => readFileSync(started, 'utf8').split('\n').filter(Boolean);
  return { root, id, lines, pids: () => lines().map((line) => Number(line.split(' ')[1])) };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(20);
}

/** Another process that carries the run out, as a second window would. */
function otherRunner(root: string, id: string): ChildProcess {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'runner.ts'),
    `import { executeRun } from ${JSON.stringify(resolve('src/core/validation/index.ts'))};
     executeRun(process.argv[2]!, process.argv[3]!, { owner: 'other window' }).catch((error) => {
       console.error(error);
       process.exit(1);
     });`,
  );
  const outfile = join(folder, 'runner.cjs');
  buildSync({
    entryPoints: [join(folder, 'runner.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs', // some packages of the trace readers call require
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
    outfile,
    nodePaths: [resolve('node_modules')],
  });
  return spawn(process.execPath, [outfile, root, id], { stdio: 'ignore' });
}

function expectNothingLeft(root: string, pids: number[]): void {
  expect(pids.length).toBeGreaterThan(0);
  expect(pids.filter(isRunning)).toEqual([]);
  expect(runGit(root, 'worktree', 'list').split('\n')).toHaveLength(1);
}

describe('a run', () => {
  it('that is cancelled leaves no process and no worktree, and is resumed without making a trial twice', async () => {
    const { root, id, lines, pids } = await slowRun(150);
    const stop = new AbortController();
    const run = executeRun(root, id, {
      signal: stop.signal,
      onTrial: (_, done) => done >= 4 && stop.abort(),
    });
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expectNothingLeft(root, pids());
    const stopped = await readRun(root, id);
    expect(stopped.manifest.state).toBe('cancelled');
    expect(stopped.verdict).toBeNull();
    const kept = stopped.trials;
    expect(kept.length).toBeGreaterThanOrEqual(4);
    expect(kept.length).toBeLessThan(12);

    const startedBefore = lines().length;
    const { trials, manifest } = await executeRun(root, id);
    expect(manifest.state).toBe('finished');
    expect(trials.slice(0, kept.length)).toEqual(kept);
    expect(trials).toHaveLength(12);
    expect(new Set(trials.map((trial) => `${trial.task} ${trial.arm} ${trial.repeat}`)).size).toBe(12);
    expect(lines().length - startedBefore).toBe(12 - kept.length);
    const states = (await (await Ledger.open(root)).read()).entries.map((entry) => 'state' in entry && entry.state);
    expect(states).toEqual(['created', 'cancelled', 'finished', false]);
  });

  it('that is cancelled with its last trial is finished all the same', async () => {
    const { root, id } = await slowRun(1);
    const stop = new AbortController();
    const { manifest, trials } = await executeRun(root, id, {
      signal: stop.signal,
      onTrial: (_, done, total) => done === total && stop.abort(),
    });
    expect(manifest.state).toBe('finished');
    expect(trials).toHaveLength(12);
  });

  it('that is cancelled before it starts makes no trial', async () => {
    const { root, id, lines } = await slowRun(1);
    await expect(executeRun(root, id, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(lines()).toEqual([]);
    expect(runGit(root, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('that loses its runner to SIGKILL is resumed: every trial once, nothing left', async () => {
    const { root, id, lines, pids } = await slowRun(400);
    const runner = otherRunner(root, id);
    await until(async () => (await readTrials(root, id)).length >= 3);
    await until(() => lines().length >= 5);
    runner.kill('SIGKILL');
    await new Promise((done) => runner.once('exit', done));
    // A crash in the middle of a write leaves part of a line.
    appendFileSync(join(storePaths(root).run(id), 'trials.jsonl'), '{"run":"r-2026');
    expect(existsSync(join(storePaths(root).run(id), 'worktrees/baseline'))).toBe(true);
    expect((await readRun(root, id)).manifest.state).toBe('interrupted');
    const kept = await readTrials(root, id);
    expect(kept.length).toBeGreaterThanOrEqual(3);
    expect(kept.length).toBeLessThan(12);

    const { trials } = await executeRun(root, id);
    expect(trials).toHaveLength(12);
    expect(trials.slice(0, kept.length)).toEqual(kept);
    expectNothingLeft(root, pids());
    expect(await readTrials(root, id)).toEqual(trials);
  });

  it.runIf(process.platform === 'linux')('that loses its runner is cleaned up at the next start', async () => {
    const { root, id, pids } = await slowRun(60_000);
    const runner = otherRunner(root, id);
    await until(() => pids().length >= 2);
    expect(await cleanLeftovers(root)).toEqual({ worktrees: [], processes: 0, interrupted: [] });
    runner.kill('SIGKILL');
    await new Promise((done) => runner.once('exit', done));
    expect(pids().some(isRunning)).toBe(true);

    const leftovers = await cleanLeftovers(root);
    expect(leftovers.processes).toBe(2);
    expect(leftovers.worktrees).toHaveLength(2);
    expect(leftovers.interrupted).toEqual([id]);
    await until(() => !pids().some(isRunning));
    expectNothingLeft(root, pids());
    expect(await cleanLeftovers(root)).toEqual({ worktrees: [], processes: 0, interrupted: [] });
  });

  it('can be carried out by one process only; the other is told by whom, and may watch', async () => {
    const { root, id } = await slowRun(300);
    const runner = otherRunner(root, id);
    const ended = new Promise((done) => runner.once('exit', done));
    await until(async () => (await readRun(root, id)).runner !== null);
    await expect(executeRun(root, id)).rejects.toMatchObject({
      code: 'run-locked',
      message: expect.stringContaining(`by other window (process ${runner.pid}`),
      holder: { owner: 'other window' },
    });
    const seen: number[] = [];
    const finished = await watchRun(root, id, { onTrial: (_, done) => seen.push(done) });
    expect(await ended).toBe(0);
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(finished.manifest.state).toBe('finished');
    expect(finished.runner).toBeNull();
    expect(finished.trials).toHaveLength(12);
  });

  it('is stopped by a request from another process, and an old request does not stop the next try', async () => {
    const { root, id, pids } = await slowRun(60_000);
    const runner = otherRunner(root, id);
    const ended = new Promise((done) => runner.once('exit', done));
    await until(() => pids().length >= 2);
    const impatient = AbortSignal.timeout(50);
    await expect(watchRun(root, id, { signal: impatient })).rejects.toMatchObject({ code: 'cancelled' });
    await cancelRun(root, id);
    expect(await ended).toBe(1);
    expectNothingLeft(root, pids());
    expect((await readRun(root, id)).manifest.state).toBe('cancelled');
    await expect(cancelRun(root, 'r-none')).rejects.toMatchObject({ code: 'run-unknown' });

    const quick = await slowRun(1);
    await cancelRun(quick.root, quick.id);
    expect((await executeRun(quick.root, quick.id)).trials).toHaveLength(12);
  });

  it('has a verdict that a person may override with a reason', async () => {
    const { root, id } = await slowRun(1);
    await expect(overrideVerdict(root, id, ' ')).rejects.toMatchObject({ code: 'reason-missing' });
    await overrideVerdict(root, id, ' the suite misses this case ');
    const { entries } = await (await Ledger.open(root)).read();
    expect(entries.at(-1)).toMatchObject({ kind: 'override', run: id, reason: 'the suite misses this case' });
  });

  it('keeps the lock for itself when asked twice by one process', async () => {
    const { root, id } = await slowRun(1);
    const lock = await acquireLock(join(storePaths(root).run(id), 'run.lock'), { owner: 'someone' });
    await expect(executeRun(root, id)).rejects.toMatchObject({ code: 'run-locked' });
    await lock.release();
    expect((await executeRun(root, id)).trials).toHaveLength(12);
  });

  it('with a torn last line counts the whole lines and writes the next one on its own', async () => {
    const { root, id } = await slowRun(1);
    await executeRun(root, id);
    const file = join(storePaths(root).run(id), 'trials.jsonl');
    truncateSync(file, readFileSync(file).length - 20);
    expect(await readTrials(root, id)).toHaveLength(11);
    const { trials } = await executeRun(root, id);
    expect(trials).toHaveLength(12);
    expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
  });

  it('with a damaged line in the middle says which', async () => {
    const { root, id } = await slowRun(1);
    await executeRun(root, id);
    const file = join(storePaths(root).run(id), 'trials.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    lines[1] = '{"run":"x"}';
    writeFileSync(file, lines.join('\n'));
    await expect(readTrials(root, id)).rejects.toThrow(/trials\.jsonl, line 2 is not as expected/);
  });

  it('names the known runs when asked for another', async () => {
    const { root, id } = await slowRun(1);
    await expect(executeRun(root, 'r-none')).rejects.toMatchObject({ nextStep: `Known runs: ${id}.` });
    expect(existsSync(storePaths(root).run('r-none'))).toBe(false);
  });
});
