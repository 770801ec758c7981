import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePaths } from '../../../src/core/store';
import { createRun, executeRun, readRun } from '../../../src/core/validation';
import { isRunning, nodeCommand, openWithSuite, repository, runGit, temporaryFolder } from './repository';

async function runWith(prepare: string[][], more: Record<string, unknown> = {}) {
  const root = repository({ file: '' });
  const harness = await openWithSuite(root, { tasks: ['a'], command: nodeCommand(''), trials: 1, prepare, ...more });
  const { id } = await createRun({ harness, candidate: 'same' });
  return { root, id, folder: storePaths(root).run(id) };
}

describe('preparing', () => {
  it.each([
    ['ends with a code', nodeCommand('console.log("no network"); process.exit(2)'), 'ended with exit code 2'],
    ['is killed', nodeCommand('process.kill(process.pid, "SIGKILL")'), 'was ended by SIGKILL'],
    ['does not exist', ['no-such-installer'], 'did not start: The program no-such-installer was not found.'],
  ])('stops the run when a command %s, and names it with its log', async (_, command, what) => {
    const { root, id, folder } = await runWith([nodeCommand('console.log("fine")'), command]);
    await expect(executeRun(root, id)).rejects.toMatchObject({
      code: 'prepare-failed',
      exitCode: 3,
      message: expect.stringContaining(what),
      nextStep: expect.stringContaining(join(folder, 'prepare-baseline-2.log')),
    });
    expect(readFileSync(join(folder, 'prepare-baseline-1.log'), 'utf8')).toBe('fine\n');
    expect(existsSync(join(folder, 'worktrees/baseline'))).toBe(false);
    const { manifest, trials, verdict } = await readRun(root, id);
    expect({ state: manifest.state, trials, verdict }).toEqual({ state: 'interrupted', trials: [], verdict: null });
  });

  it('runs with the environment of the suite in the worktree of each arm', async () => {
    const seen = join(temporaryFolder(), 'seen');
    const note = nodeCommand(
      `require('fs').appendFileSync(process.argv[1], [process.env.HARNESSMITH_ARM, process.env.COLOUR,
        process.cwd() === process.argv[2]].join(' ') + '\\n')`,
      seen,
      '{worktree}',
    );
    const { root, id } = await runWith([note], { environment: { COLOUR: 'blue' } });
    await executeRun(root, id);
    expect(readFileSync(seen, 'utf8')).toBe('baseline blue true\ncandidate blue true\n');
  });

  it('is cancelled with its processes', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const hang = nodeCommand(
      'require("fs").writeFileSync(process.argv[1], String(process.pid)); setInterval(() => undefined, 1000)',
      pidFile,
    );
    const { root, id } = await runWith([hang]);
    const stop = new AbortController();
    const run = executeRun(root, id, { signal: stop.signal });
    while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '')
      await new Promise((done) => setTimeout(done, 20));
    stop.abort();
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
    expect(runGit(root, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect((await readRun(root, id)).manifest.state).toBe('cancelled');
  });

  it('can be repaired and resumed', async () => {
    const flag = join(temporaryFolder(), 'ready');
    const needs = nodeCommand('process.exit(require("fs").existsSync(process.argv[1]) ? 0 : 1)', flag);
    const { root, id } = await runWith([needs]);
    await expect(executeRun(root, id)).rejects.toMatchObject({ code: 'prepare-failed' });
    writeFileSync(flag, '');
    expect((await executeRun(root, id)).manifest.state).toBe('finished');
    rmSync(flag);
    // All trials are made: nothing needs to be prepared again.
    expect((await executeRun(root, id)).trials).toHaveLength(2);
  });

  it('stops with the reason when a commit of the run is gone from the repository', async () => {
    const { root, id } = await runWith([]);
    const file = join(storePaths(root).run(id), 'manifest.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    manifest.arms[0].commit = 'f'.repeat(40);
    writeFileSync(file, JSON.stringify(manifest));
    await expect(executeRun(root, id)).rejects.toMatchObject({
      message: expect.stringContaining('git worktree failed'),
    });
    expect((await readRun(root, id)).manifest.state).toBe('interrupted');
  });
});
