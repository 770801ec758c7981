import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrialOptions, TrialResult } from '../src/trial.ts';
import { runTrial, trialName } from '../src/trial.ts';

export interface BenchOptions extends Omit<TrialOptions, 'taskDir' | 'outDir' | 'seed'> {
  tasksDir: string;
  /** All tasks of the folder when absent. */
  tasks?: string[];
  seeds: number[];
}

export interface BenchRow {
  task: string;
  seed: number;
  result: TrialResult;
}

/** Names of the tasks in a folder, sorted. */
export async function listTasks(tasksDir: string): Promise<string[]> {
  const names = await readdir(tasksDir);
  return names.filter((name) => existsSync(join(tasksDir, name, 'instruction.md'))).sort();
}

/** Runs every task with every seed, one after the other. `keep` gets the folder of each trial before it is removed. */
export async function bench(
  options: BenchOptions,
  keep: (outDir: string, name: string) => Promise<void> = async () => {},
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const scratch = await mkdtemp(join(tmpdir(), 'tinker-bench-'));
  try {
    for (const task of options.tasks ?? (await listTasks(options.tasksDir))) {
      for (const seed of options.seeds) {
        const name = trialName(task, seed);
        const outDir = join(scratch, name);
        const result = await runTrial({ ...options, taskDir: join(options.tasksDir, task), outDir, seed });
        await keep(outDir, name);
        rows.push({ task, seed, result });
      }
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return rows;
}

/** Share of passed trials, 0 to 1. */
export function passRate(rows: BenchRow[]): number {
  return rows.filter((row) => row.result.reward === 1).length / Math.max(1, rows.length);
}

/** Prints one line a task and the pass rate, and writes the rows as JSON when a file is given. */
export async function printBench(rows: BenchRow[], jsonFile?: string): Promise<void> {
  const tasks = [...new Set(rows.map((row) => row.task))];
  for (const task of tasks) {
    const own = rows.filter((row) => row.task === task);
    const marks = own.map((row) => (row.result.reward === 1 ? '+' : row.result.reward === 0 ? '-' : '?')).join('');
    const ends = [...new Set(own.map((row) => row.result.exitStatus ?? row.result.error?.name ?? 'unknown'))].join(
      ', ',
    );
    console.log(`${task.padEnd(24)} ${marks}  ${ends}`);
  }
  const passed = rows.filter((row) => row.result.reward === 1).length;
  console.log(`${passed} of ${rows.length} trials passed, ${(passRate(rows) * 100).toFixed(1)} %`);
  if (jsonFile) {
    const plain = rows.map(({ task, seed, result }) => ({
      task,
      seed,
      reward: result.reward,
      exit: result.exitStatus,
    }));
    await writeFile(jsonFile, `${JSON.stringify(plain, null, 1)}\n`);
  }
}

/** Runs the trials and keeps trajectory and result of each as `<out>/<trial name>/`. */
export function recordTraces(options: BenchOptions, outDir: string): Promise<BenchRow[]> {
  return bench(options, async (trialDir, name) => {
    await mkdir(join(outDir, name, 'agent'), { recursive: true });
    for (const file of [join('agent', 'trajectory.json'), 'result.json']) {
      await cp(join(trialDir, file), join(outDir, name, file));
    }
  });
}
