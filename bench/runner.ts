/**
 * Time of a run beside the same commands by `xargs -P`, alternating in one process.
 *
 *   npm run bench:runner -- [--trials 60] [--seconds 0.5] [--concurrency 4] [--rounds 3]
 *
 * A trial is `sleep`. The run also makes two worktrees, writes a record a trial, and judges. Printed: seconds of each round and the
 * ratio of the medians; exit code 1 when it is above 1.15.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openHarness } from '../src/core/harness';
import { createRun, executeRun } from '../src/core/validation';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '0.5' },
    concurrency: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
});
const trials = Number(values.trials);
const concurrency = Number(values.concurrency);
const command = ['sh', '-c', `sleep ${Number(values.seconds)}`];

function harnessFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'harnessmith-runner-'));
  const tasks = Array.from({ length: trials / 2 }, (_, index) => `t${index}`);
  mkdirSync(join(root, '.harnessmith'));
  const suite = { tasks, trials: 1, concurrency, command };
  writeFileSync(join(root, '.harnessmith', 'harness.json'), JSON.stringify({ suites: { main: suite } }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', ...args], { cwd: root });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  return root;
}

async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}

const median = (list: readonly number[]) =>
  [...list].sort((one, other) => one - other)[Math.floor(list.length / 2)] ?? 0;

const runs: number[] = [];
const plain: number[] = [];
const input = Array.from({ length: trials }, (_, index) => `${index}\n`).join('');
for (let round = 1; round <= Number(values.rounds); round++) {
  const root = harnessFolder();
  const { id } = await createRun({ harness: await openHarness(root), candidate: 'same' });
  runs.push(await timed(() => executeRun(root, id)));
  rmSync(root, { recursive: true });
  const [program = '', ...rest] = command;
  plain.push(
    await timed(() => execFileSync('xargs', ['-P', String(concurrency), '-n', '1', program, ...rest], { input })),
  );
  console.log(`round ${round}: run ${runs.at(-1)?.toFixed(2)} s, xargs ${plain.at(-1)?.toFixed(2)} s`);
}
const ratio = median(runs) / median(plain);
console.log(`${trials} trials of ${values.seconds} s, ${concurrency} at once: ${ratio.toFixed(3)}x (at most 1.15x)`);
process.exitCode = ratio > 1.15 ? 1 : 0;
