import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHarness } from '../../src/core/harness';
import { createRun, executeRun, readTrials } from '../../src/core/validation';
import { bundleProgram } from './bundleProgram';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harnessmith-kills-')));
const program = join(folder, 'runner.cjs');

beforeAll(() => {
  bundleProgram(
    program,
    `import { executeRun } from ${JSON.stringify(resolve('src/core/validation/index.ts'))};
     executeRun(process.argv[2], process.argv[3]).catch((error) => { console.error(error.message); process.exit(1); });`,
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** 200 trials; each notes its process outside the harness, and runs until its time is over. */
async function longRun(root: string) {
  const started = join(folder, `started-${Math.random().toString(36).slice(2)}`);
  writeFileSync(started, '');
  const suite = {
    tasks: Array.from({ length: 50 }, (_, index) => `t${index}`),
    trials: 2,
    concurrency: 4,
    command: ['sh', '-c', `echo $$ >> "$0"; sleep 0.1`, started],
  };
  mkdirSync(join(root, '.harnessmith'), { recursive: true });
  writeFileSync(join(root, '.harnessmith', 'harness.json'), JSON.stringify({ suites: { main: suite } }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], { cwd: root });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  const { id } = await createRun({ harness: await openHarness(root), candidate: 'same' });
  return { id, pids: () => readFileSync(started, 'utf8').split('\n').filter(Boolean).map(Number) };
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function expectWhole(
  root: string,
  trials: readonly { task: string; arm: string; repeat: number }[],
  pids: number[],
): void {
  expect(trials).toHaveLength(200);
  expect(new Set(trials.map(({ task, arm, repeat }) => `${task}/${arm}/${repeat}`)).size).toBe(200);
  const worktrees = execFileSync('git', ['worktree', 'list'], { cwd: root }).toString().trim().split('\n');
  expect(worktrees).toHaveLength(1);
  expect(pids.filter(isRunning)).toEqual([]);
}

it('200 trials survive a runner that is killed five times', async () => {
  const root = mkdtempSync(join(folder, 'harness-'));
  const { id, pids } = await longRun(root);
  for (let kill = 0; kill < 5; kill++) {
    const runner: ChildProcess = spawn(process.execPath, [program, root, id], { stdio: 'ignore' });
    const before = (await readTrials(root, id)).length;
    while ((await readTrials(root, id)).length < before + 8) await wait(20);
    await wait(Math.random() * 300);
    runner.kill('SIGKILL');
    await new Promise((done) => runner.once('exit', done));
  }
  const { trials } = await executeRun(root, id);
  expectWhole(root, trials, pids());
  // What was under way at a kill is made again, and nothing else.
  expect(pids().length).toBeLessThanOrEqual(200 + 5 * 4);
});

it.runIf(process.getuid?.() === 0 && canMount())('200 trials survive a full disk', async () => {
  const root = join(folder, 'small');
  mkdirSync(root);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', root]);
  try {
    const { id, pids } = await longRun(root);
    const running = executeRun(root, id);
    running.catch(() => undefined);
    while ((await readTrials(root, id)).length < 20) await wait(20);
    const filler = join(root, 'filler');
    try {
      writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024));
    } catch {
      // full, as wanted
    }
    await expect(running).rejects.toBeDefined();
    const kept = await readTrials(root, id);
    rmSync(filler);
    const { trials } = await executeRun(root, id);
    expect(trials.length).toBeGreaterThan(kept.length);
    expectWhole(root, trials, pids());
  } finally {
    execFileSync('umount', ['--lazy', root]);
  }
});

function canMount(): boolean {
  const place = join(folder, 'try');
  mkdirSync(place, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return true;
  } catch {
    return false; // containers often forbid it
  }
}
