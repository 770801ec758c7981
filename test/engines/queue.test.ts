import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openHarness } from '../../src/core/harness';
import { createRun, executeRun, executorAt, readTrials } from '../../src/core/validation';
import { bundleProgram } from './bundleProgram';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harnessmith-queue-')));
const program = join(folder, 'worker.cjs');
const children = new Set<ChildProcess>();
let port = 0;
let redis: ChildProcess;

beforeAll(async () => {
  bundleProgram(
    program,
    `import { workForQueue } from ${JSON.stringify(resolve('src/core/validation/index.ts'))};
     const [address, folder, name] = process.argv.slice(2);
     const stop = new AbortController();
     process.once('SIGTERM', () => stop.abort());
     workForQueue({ address, folder, name, concurrency: 2, heartbeatSeconds: 2, signal: stop.signal });`,
  );
  port = await freePort();
  redis = await startRedis();
});

afterEach(async () => {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(
    [...children].map((child) => child.exitCode === null && new Promise((done) => child.once('exit', done))),
  );
  children.clear();
});

afterAll(async () => {
  redis?.kill('SIGKILL');
  await wait(200);
  rmSync(folder, { recursive: true, force: true });
});

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function startRedis(): Promise<ChildProcess> {
  const args = [
    '--port',
    String(port),
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
    '--save',
    '',
  ];
  const server = spawn('redis-server', [...args, '--bind', '127.0.0.1', '--maxmemory-policy', 'noeviction'], {
    stdio: 'ignore',
  });
  server.once('error', () => undefined);
  for (let attempt = 0; attempt < 100; attempt++) {
    await wait(100);
    try {
      if (
        execFileSync('redis-cli', ['-p', String(port), 'ping'], { stdio: 'pipe' })
          .toString()
          .includes('PONG')
      )
        return server;
    } catch {
      // not there yet
    }
  }
  throw new Error('redis-server did not start. Install it (on Debian: redis-server).');
}

function startWorker(name: string): ChildProcess {
  const child = spawn(process.execPath, [program, address(), join(folder, name), name], { stdio: ['ignore', 2, 2] });
  children.add(child);
  return child;
}

const address = () => `redis://127.0.0.1:${port}`;

/** A harness whose trials note that they ran, take a moment, and pass in the candidate only. */
async function harnessOf(tasks: number, milliseconds: number) {
  const root = mkdtempSync(join(folder, 'harness-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], { cwd: root }).toString();
  const suite = {
    tasks: Array.from({ length: tasks }, (_, index) => `task ${index + 1}`),
    trials: 2,
    command: [
      '{node}',
      '-e',
      `const fs = require('fs');
       fs.writeFileSync(process.argv[2] + '/result.json', JSON.stringify({ reward: Number(fs.readFileSync('reward', 'utf8')) }));
       fs.appendFileSync(process.argv[1], process.env.HARNESSMITH_TASK + '/' + process.env.HARNESSMITH_ARM + '/' + process.env.HARNESSMITH_REPEAT + '\\n');
       setTimeout(() => {}, ${milliseconds});`,
      join(root, '.git', 'ran'),
      '{out}',
    ],
    result: { file: 'result.json' },
  };
  git('init', '--quiet');
  writeFileSync(join(root, 'reward'), '0');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'baseline');
  git('checkout', '--quiet', '-b', 'candidate');
  writeFileSync(join(root, 'reward'), '1');
  git('commit', '--quiet', '--all', '-m', 'candidate');
  execFileSync('mkdir', ['-p', join(root, '.harnessmith')]);
  writeFileSync(join(root, '.harnessmith', 'harness.json'), JSON.stringify({ suites: { main: suite } }));
  const harness = await openHarness(root);
  const { id } = await createRun({ harness, candidate: { commit: git('rev-parse', 'HEAD').trim() } });
  return {
    root,
    id,
    ran: () =>
      readFileSync(join(root, '.git', 'ran'), 'utf8')
        .split('\n')
        .filter(Boolean),
  };
}

it('two workers make a run, with the same record as a run here', async () => {
  const { root, id } = await harnessOf(4, 10);
  startWorker('one');
  startWorker('two');
  const { trials, verdict } = await executeRun(root, id, { executor: await executorAt(address()) });
  const there = await harnessOf(4, 10);
  const local = await executeRun(there.root, there.id);
  const plain = (list: typeof trials) =>
    list
      .map(({ task, arm, repeat, seed, verdict: own, reward, output }) => ({
        task,
        arm,
        repeat,
        seed,
        own,
        reward,
        output,
      }))
      .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
  expect(plain(trials)).toEqual(plain(local.trials));
  expect(verdict.verdict).toBe(local.verdict.verdict);
  const run = join(root, '.harnessmith', 'runs', id);
  for (const { output } of trials) expect(existsSync(join(run, output))).toBe(true);
});

it('a worker that meets both arms at once checks them out one after the other', async () => {
  startWorker('one');
  for (let run = 0; run < 6; run++) {
    const { root, id } = await harnessOf(1, 1);
    const { trials } = await executeRun(root, id, { executor: await executorAt(address()) });
    expect(trials).toHaveLength(4);
  }
});

it('a worker killed at work and a queue that was restarted lose no trial and count none twice', async () => {
  const { root, id, ran } = await harnessOf(50, 150);
  const first = startWorker('one');
  startWorker('two');
  const running = executeRun(root, id, { executor: await executorAt(address()) });
  while ((await readTrials(root, id)).length < 30) await wait(100);
  first.kill('SIGKILL');
  children.delete(first);
  while ((await readTrials(root, id)).length < 80) await wait(100);
  redis.kill('SIGKILL');
  await wait(500);
  redis = await startRedis();
  const { trials } = await running;
  expect(trials).toHaveLength(200);
  expect(new Set(trials.map(({ task, arm, repeat }) => `${task}/${arm}/${repeat}`)).size).toBe(200);
  expect(new Set(ran()).size).toBe(200);
  expect(trials.filter(({ verdict }) => verdict === 'missing')).toEqual([]);
  // The next worker of that name finds what the killed one left, and removes it.
  const again = startWorker('one');
  while (existsSync(join(folder, 'one', id))) await wait(100);
  again.kill('SIGTERM');
});

it('a cancelled run leaves nothing in the queue and goes on later without making a trial twice', async () => {
  const { root, id, ran } = await harnessOf(6, 200);
  startWorker('one');
  const stop = new AbortController();
  const running = executeRun(root, id, { executor: await executorAt(address()), signal: stop.signal });
  while ((await readTrials(root, id)).length < 4) await wait(50);
  stop.abort();
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  const kept = (await readTrials(root, id)).length;
  const { trials } = await executeRun(root, id, { executor: await executorAt(address()) });
  expect(trials).toHaveLength(24);
  expect(ran().length).toBeLessThanOrEqual(24 + 4);
  expect(kept).toBeGreaterThanOrEqual(4);
});

it('a worker that ends leaves no folder behind', async () => {
  const child = startWorker('brief');
  await wait(1500);
  child.kill('SIGTERM');
  await new Promise((done) => child.once('exit', done));
  expect(readdirSync(folder).filter((name) => name.startsWith('brief'))).toEqual([]);
});

it('a queue that is not there is told in words', async () => {
  const { root, id } = await harnessOf(1, 1);
  const nobody = `redis://127.0.0.1:${await freePort()}`;
  await expect(executeRun(root, id, { executor: await executorAt(nobody) })).rejects.toMatchObject({
    code: 'queue-unreachable',
  });
}, 60_000);
