import { z } from 'zod';
import { SuiteConfig } from '../harness';

export const Arm = z.enum(['baseline', 'candidate']);
export type Arm = z.infer<typeof Arm>;

/** A harness version that can be tried: a git commit, with the accepted hunks committed on top for candidates. */
export const Candidate = z.object({
  arm: Arm,
  commit: z.string(),
  tree: z.string(),
  label: z.string(),
  /** Added to the seed of every trial of this arm; only an A/A run has one, so that its arms do not repeat each other. */
  seedOffset: z.int().optional(),
});
export type Candidate = z.infer<typeof Candidate>;

/** One rollout, keyed (run, task, arm, repeat). A line of `trials.jsonl`. */
export const Trial = z.object({
  run: z.string(),
  task: z.string(),
  arm: Arm,
  repeat: z.int().min(1),
  seed: z.int(),
  /** Three independent axes. `missing` is never counted as a failure silently. */
  verdict: z.enum(['pass', 'fail', 'missing']),
  reward: z.number().nullable(),
  exception: z.object({ type: z.string(), message: z.string() }).nullable(),
  /** True when the environment, not the harness, is to blame. */
  infrastructure: z.boolean(),
  exitCode: z.int().nullable(),
  started: z.string(),
  seconds: z.number(),
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  commit: z.string(),
  /** Relative to the run folder. */
  trace: z.string().nullable(),
  output: z.string(),
});
export type Trial = z.infer<typeof Trial>;

/** The accept rule, declared before the run and stored with it. */
export const VerdictRule = z.object({
  metric: z.literal('pass rate'),
  test: z.enum(['exact McNemar on task majorities', 'exact McNemar on single trials']),
  alpha: z.number(),
  interval: z.literal('paired bootstrap over tasks, 95 %'),
  bootstrapSamples: z.int(),
  bootstrapSeed: z.int(),
  minimumCoverage: z.number(),
});
export type VerdictRule = z.infer<typeof VerdictRule>;

export const RunManifest = z.object({
  schemaVersion: z.literal(1),
  id: z.string(), // r-<time>-<4 hex>
  createdAt: z.string(),
  suiteName: z.string(),
  suite: SuiteConfig,
  tasks: z.array(z.string()).min(1),
  trials: z.int().min(1),
  arms: z.array(Candidate).min(1),
  proposal: z.string().nullable(),
  rule: VerdictRule,
  state: z.enum(['running', 'finished', 'cancelled', 'interrupted']),
  finishedAt: z.string().nullable(),
  /** What people should know before they trust the run, one sentence each. */
  warnings: z.array(z.string()).optional(),
});
export type RunManifest = z.infer<typeof RunManifest>;

export const TaskComparison = z.object({
  task: z.string(),
  baseline: z.object({ passed: z.int(), of: z.int(), missing: z.int() }),
  candidate: z.object({ passed: z.int(), of: z.int(), missing: z.int() }),
  group: z.enum(['flipped up', 'flipped down', 'stable pass', 'stable fail', 'flaky', 'not measured']),
});
export type TaskComparison = z.infer<typeof TaskComparison>;

export const Verdict = z.object({
  schemaVersion: z.literal(1),
  run: z.string(),
  verdict: z.enum(['accept', 'reject', 'undecided', 'not measured']),
  /** The sentence people read first. */
  sentence: z.string(),
  rule: VerdictRule,
  /** Mean paired difference of task pass rates, candidate minus baseline (0..1 scale). */
  difference: z.number(),
  interval: z.tuple([z.number(), z.number()]),
  p: z.number(),
  /** Smallest gap this design finds with 80 % power, 0..1 scale; null when it cannot be computed. */
  detectable: z.number().nullable(),
  /** How many more tasks with the same repeats would decide; null when not undecided. */
  moreTasks: z.int().nullable(),
  up: z.int(),
  down: z.int(),
  coverage: z.object({ measured: z.int(), planned: z.int() }),
  tasks: z.array(TaskComparison),
  regressions: z.array(z.string()),
  /** Difference if every missing trial of the candidate had failed and of the baseline passed, and the reverse. */
  bounds: z.tuple([z.number(), z.number()]).optional(),
  /** Exact sign-flip p of the task pass counts; null where tasks were measured unequally often. Informs, never decides. */
  signFlipP: z.number().nullable().optional(),
  /** Why trials have no verdict, most frequent first. */
  missing: z.array(z.object({ arm: Arm, reason: z.string(), trials: z.int() })).optional(),
  cost: z.object({ baselineTokens: z.number().nullable(), candidateTokens: z.number().nullable() }),
});
export type Verdict = z.infer<typeof Verdict>;

/** Whether a run compares the baseline with itself (A/A). Only such a run gives its second arm other seeds. */
export function isNoiseRun(manifest: Pick<RunManifest, 'arms'>): boolean {
  return manifest.arms.some((each) => each.seedOffset !== undefined);
}
