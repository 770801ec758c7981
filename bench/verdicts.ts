/**
 * False accepts of the default rule: how often it credits runs against other runs of the same configuration.
 *
 *   npm run bench:verdicts -- --data FILE
 *
 * The file maps a configuration to `{runs, task_ids, outcomes}`, one outcome string a task with one character a run.
 * Counted over all ordered pairs of single runs, and of two runs against two others. Exit code 1 above the level.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { compareSets, type Trial, type TrialSet } from '../src/core/validation';

const Matrix = z.looseObject({ runs: z.int(), task_ids: z.array(z.string()), outcomes: z.array(z.string()) });
type Matrix = z.infer<typeof Matrix>;

function trialSet(matrix: Matrix, runs: readonly number[]): TrialSet {
  const trials = matrix.task_ids.flatMap((task, index) =>
    runs.map((run, position): Trial => {
      const passed = matrix.outcomes[index]?.[run] === '1';
      return {
        run: 'rerun',
        task,
        arm: 'baseline',
        repeat: position + 1,
        seed: run,
        verdict: passed ? 'pass' : 'fail',
        reward: passed ? 1 : 0,
        exception: null,
        infrastructure: false,
        exitCode: passed ? 0 : 1,
        started: '',
        seconds: 0,
        tokens: null,
        costUsd: null,
        commit: '',
        trace: null,
        output: '',
      };
    }),
  );
  return { name: `runs ${runs.join(', ')}`, trials };
}

/** All ways to choose `size` of the runs 0..count-1. */
function choices(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  return Array.from({ length: Math.max(0, count - from) }, (_, offset) => from + offset).flatMap((first) =>
    choices(count, size - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

function count(matrices: Record<string, Matrix>, repeats: number) {
  const total = { pairs: 0, accept: 0, reject: 0, undecided: 0, 'not measured': 0 };
  for (const matrix of Object.values(matrices)) {
    const sets = choices(matrix.runs, repeats);
    for (const before of sets) {
      for (const after of sets.filter((runs) => !runs.some((run) => before.includes(run)))) {
        total.pairs++;
        total[compareSets(trialSet(matrix, before), trialSet(matrix, after)).verdict]++;
      }
    }
  }
  return total;
}

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (values.data === undefined) throw new Error('Give the matrices of reruns: --data FILE');
const matrices = z.record(z.string(), Matrix).parse(JSON.parse(readFileSync(values.data, 'utf8')));
const level = 0.05;
for (const repeats of [1, 2]) {
  const { pairs, accept, reject } = count(matrices, repeats);
  const rate = accept / pairs;
  if (rate > level) process.exitCode = 1;
  console.log(
    `${repeats} ${repeats === 1 ? 'run' : 'runs'} an arm: false accepts ${accept} of ${pairs} pairs ` +
      `= ${(rate * 100).toFixed(2)} % (level ${level * 100} %), false rejects ${reject}`,
  );
}
