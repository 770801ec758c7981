/**
 * Reads public result folders of Harbor and terminal-bench 1 and compares the counts with figures found by other means.
 *
 *   npm run bench:results -- --mirror DIR
 *
 * `--mirror` holds bare repositories as `OWNER+NAME/repo`: laude-institute/terminal-bench-leaderboard and
 * captaindpt/kill-terminalbench. The expected figures were counted in the records themselves, without this reader. Exit code 1
 * when one differs.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTrialSet, type Trial } from '../src/core/validation';
import { mirrorOf } from './shared/tree';

/** The files of a repository whose path fits, in a folder of their own. */
function filesOf(mirror: string, repository: string, wanted: RegExp): { folder: string; paths: string[] } {
  const bare = mirrorOf(mirror, repository);
  const git = (...args: string[]) => execFileSync('git', ['-C', bare, ...args], { maxBuffer: 1 << 30 });
  const folder = mkdtempSync(join(tmpdir(), 'harnessmith-results-'));
  const listed = git('ls-tree', '-r', '-z', '--name-only', 'HEAD').toString().split('\0');
  const paths = listed.filter((path) => wanted.test(path));
  for (const path of paths) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, git('show', `HEAD:${path}`));
  }
  return { folder, paths };
}

let differences = 0;
function expect(what: string, found: number, expected: number): void {
  const same = Math.abs(found - expected) < 0.005;
  if (!same) differences++;
  console.log(`${same ? 'same' : 'OTHER'}  ${what}: ${found}${same ? '' : `, expected ${expected}`}`);
}

const count = (trials: readonly Trial[], test: (trial: Trial) => boolean) => trials.filter(test).length;
const passed = (trial: Trial) => trial.verdict === 'pass';

async function terminalBench(mirror: string): Promise<void> {
  const repository = 'laude-institute/terminal-bench-leaderboard';
  const wanted = /^results\/(?:[^/]+\/){1,3}[^/]*results\.json$/;
  const { folder, paths } = filesOf(mirror, repository, wanted);
  const all: Trial[] = [];
  for (const run of paths) {
    const { trials } = await readTrialSet(join(folder, run));
    all.push(...trials);
    if (!run.includes('20250906_orchestrator')) continue;
    const columns = [1, 2, 3, 4, 5].map((repeat) => trials.filter((trial) => trial.repeat === repeat));
    const expected = [41.25, 38.75, 40, 40, 38.75];
    for (const [index, column] of columns.entries()) {
      const share = (100 * count(column, passed)) / column.length;
      expect(`terminal-bench orchestrator, attempt ${index + 1}, % passed`, share, expected[index] as number);
    }
  }
  expect('terminal-bench trials', all.length, 5200);
  expect(
    'terminal-bench trials without a verdict',
    count(all, ({ verdict }) => verdict === 'missing'),
    418,
  );
  const outOfTime = all.filter(({ exception }) => exception?.type === 'agent_timeout');
  expect('terminal-bench agent timeouts', outOfTime.length, 1504);
  expect('terminal-bench agent timeouts that passed', count(outOfTime, passed), 378);
  rmSync(folder, { recursive: true });
}

async function harbor(mirror: string): Promise<void> {
  const wanted = /^jobs\/[^/]+\/(?:result\.json|[^/]+\/(?:result\.json|config\.json|exception\.txt))$/;
  const { folder } = filesOf(mirror, 'captaindpt/kill-terminalbench', wanted);
  const jobs = ['04-02__02-07-04', '04-02__02-21-26', '04-02__03-57-51', '04-02__06-56-25', '04-02__10-13-49'];
  const batches: Trial[] = [];
  for (const job of jobs) batches.push(...(await readTrialSet(join(folder, 'jobs', `2026-${job}`))).trials);
  const tasks = new Map<string, boolean>();
  for (const trial of batches) tasks.set(trial.task, tasks.get(trial.task) === true || passed(trial));
  expect('kill-terminalbench tasks in the five named batches', tasks.size, 89);
  expect('kill-terminalbench passes in the five named batches', count(batches, passed), 42);
  const listed = readdirSync(join(folder, 'jobs'));
  const all: Trial[] = [];
  for (const job of listed) {
    const set = await readTrialSet(join(folder, 'jobs', job)).catch(() => ({ trials: [] as Trial[] }));
    all.push(...set.trials);
  }
  const recorded = all.filter(({ exception }) => exception?.type !== 'ResultMissing');
  expect('kill-terminalbench trials with a record', recorded.length, 194);
  expect('kill-terminalbench trial folders without one', all.length - recorded.length, 8);
  expect('kill-terminalbench trials that passed', count(all, passed), 90);
  expect('kill-terminalbench tasks that passed once', new Set(all.filter(passed).map(({ task }) => task)).size, 49);
  expect(
    'kill-terminalbench trials with an exception',
    count(recorded, ({ exception }) => exception !== null),
    76,
  );
  rmSync(folder, { recursive: true });
}

const { values } = parseArgs({ options: { mirror: { type: 'string' } } });
if (!values.mirror) throw new Error('Give --mirror DIR.');
await terminalBench(values.mirror);
await harbor(values.mirror);
console.log(differences === 0 ? 'All figures are the same.' : `${differences} figures differ.`);
process.exitCode = differences === 0 ? 0 : 1;
