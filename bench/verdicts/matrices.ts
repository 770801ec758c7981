import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Arm, Trial } from '../../src/core/validation';

/** Reruns of one configuration: one outcome string a task, with one character a run. */
const Matrix = z.looseObject({
  runs: z.int().min(2),
  task_ids: z.array(z.string()).min(1),
  outcomes: z.array(z.string().regex(/^[01]+$/)),
});
export type Matrix = z.infer<typeof Matrix>;

/** Matrices by configuration. @throws Error naming the configuration whose counts do not fit. */
export function readMatrices(file: string): Record<string, Matrix> {
  const matrices = z.record(z.string(), Matrix).parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const [name, { runs, task_ids, outcomes }] of Object.entries(matrices)) {
    if (outcomes.length !== task_ids.length || outcomes.some((each) => each.length !== runs)) {
      throw new Error(`${name}: outcomes do not fit ${task_ids.length} tasks x ${runs} runs`);
    }
  }
  return matrices;
}

/** Some runs of a configuration. */
export interface Side {
  matrix: Matrix;
  runs: readonly number[];
}

/** Two sides to compare, as pass counts of the same tasks. */
export interface Pair {
  tasks: string[];
  repeats: number;
  before: number[];
  after: number[];
  trials(): Trial[];
}

export function pairOf(before: Side, after: Side): Pair {
  const places = new Map(after.matrix.task_ids.map((task, index) => [task, index]));
  const shared = before.matrix.task_ids.flatMap((task, index) => {
    const place = places.get(task);
    return place === undefined
      ? []
      : [{ task, first: before.matrix.outcomes[index] ?? '', second: after.matrix.outcomes[place] ?? '' }];
  });
  const count = (outcomes: string, runs: readonly number[]) => runs.filter((run) => outcomes[run] === '1').length;
  return {
    tasks: shared.map(({ task }) => task),
    repeats: before.runs.length,
    before: shared.map(({ first }) => count(first, before.runs)),
    after: shared.map(({ second }) => count(second, after.runs)),
    trials: () =>
      shared.flatMap(({ task, first, second }) => [
        ...trialsOf(task, 'baseline', first, before.runs),
        ...trialsOf(task, 'candidate', second, after.runs),
      ]),
  };
}

function trialsOf(task: string, arm: Arm, outcomes: string, runs: readonly number[]): Trial[] {
  return runs.map((run, position) => {
    const passed = outcomes[run] === '1';
    return {
      run: 'rerun',
      task,
      arm,
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
  });
}

/** All ways to choose `size` of the runs 0..count-1. */
export function choices(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  return Array.from({ length: Math.max(0, count - from) }, (_, offset) => from + offset).flatMap((first) =>
    choices(count, size - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

/** All ordered pairs of disjoint sets of runs of one configuration: nothing differs between the sides. */
export function identicalPairs(matrices: Record<string, Matrix>, repeats: number): Pair[] {
  return Object.values(matrices).flatMap((matrix) => {
    const sets = choices(matrix.runs, repeats);
    return sets.flatMap((before) =>
      sets
        .filter((after) => !after.some((run) => before.includes(run)))
        .map((after) => pairOf({ matrix, runs: before }, { matrix, runs: after })),
    );
  });
}

/** Pairs of two configurations on the same tasks; `after` is the one with the higher score over all its runs. */
export interface DifferentPairs {
  gap: number;
  pairs: Pair[];
}

export function differentPairs(matrices: Record<string, Matrix>, repeats: number): DifferentPairs[] {
  const all = Object.values(matrices);
  return all.flatMap((one, index) =>
    all.slice(index + 1).flatMap((other) => {
      if (one.task_ids.length !== other.task_ids.length || one.task_ids.some((task) => !other.task_ids.includes(task)))
        return [];
      const [worse, better] = scoreOf(one) <= scoreOf(other) ? [one, other] : [other, one];
      const pairs = choices(worse.runs, repeats).flatMap((before) =>
        choices(better.runs, repeats).map((after) =>
          pairOf({ matrix: worse, runs: before }, { matrix: better, runs: after }),
        ),
      );
      return pairs.length === 0 ? [] : [{ gap: scoreOf(better) - scoreOf(worse), pairs }];
    }),
  );
}

function scoreOf({ outcomes, runs }: Matrix): number {
  const passed = outcomes.reduce((sum, each) => sum + each.split('1').length - 1, 0);
  return passed / runs / outcomes.length;
}
