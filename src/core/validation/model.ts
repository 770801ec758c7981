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
  exception: z
    .object({
      type: z.string(),
      message: z.string(),
      /** Where it happened; absent when the engine does not tell. */
      stage: z.enum(['environment', 'agent setup', 'agent', 'verifier']).optional(),
    })
    .nullable(),
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
  /** The parts of `tokens`; cache is contained in input where the engine says so. */
  usage: z
    .object({ input: z.number().nullable(), cache: z.number().nullable(), output: z.number().nullable() })
    .optional(),
  engine: z.object({ name: z.string(), version: z.string().nullable() }).optional(),
  /** Hash of the configuration that the trial ran with. */
  configHash: z.string().optional(),
  /** Tree of the harness; says that content was equal also where commits differ. */
  tree: z.string().optional(),
  taskDigest: z.string().optional(),
  promptHash: z.string().optional(),
  toolsHash: z.string().optional(),
  /** What the verifier left, relative to the run folder. */
  verifierOutput: z.string().nullable().optional(),
  /** End of the trial; `seconds` counts from `started`. */
  ended: z.string().optional(),
});
export type Trial = z.infer<typeof Trial>;

export const Split = z.enum(['search', 'selection', 'sealed']);
export type Split = z.infer<typeof Split>;

/** The accept rule, declared before the run and stored with it. */
export const VerdictRule = z.object({
  metric: z.enum(['pass rate', 'mean reward']),
  test: z.enum(['exact sign-flip on task means', 'exact McNemar on task majorities', 'exact McNemar on single trials']),
  /** Two-sided level of the whole decision; `level` of the verdict is what is left of it after the corrections. */
  alpha: z.number().gt(0).lt(1),
  interval: z.enum([
    't over tasks, 95 %',
    'Bonett-Price, 95 %',
    'BCa bootstrap over tasks, 95 %',
    'paired bootstrap over tasks, 95 %',
  ]),
  bootstrapSamples: z.int(),
  bootstrapSeed: z.int(),
  minimumCoverage: z.number().min(0).max(1),
  /** Differences inside +- margin are called equal; a loss beyond it rules out adopting for cost. 0..1 scale. */
  margin: z.number().gt(0).lt(1).optional(),
  /** The gap one hopes for; the verdict says how many tasks would resolve it. 0..1 scale. */
  minimumEffect: z.number().gt(0).lt(1).optional(),
  /** Smallest share of tokens or price that must be saved to adopt for cost. */
  minimumSaving: z.number().gt(0).lt(1).optional(),
  /** How many candidates compete for this decision on these tasks; the level is divided by it. */
  candidates: z.int().min(1).optional(),
  /** Planned looks at a growing run, and how the level is spread over them. */
  looks: z.object({ planned: z.int().min(1).max(20), boundary: z.enum(["O'Brien-Fleming", 'Pocock']) }).optional(),
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
  /** Split the tasks were taken from; absent when the run is of all tasks of a suite without splits. */
  split: Split.optional(),
  /** Split of every task, where the suite has splits. */
  taskSplits: z.record(z.string(), Split).optional(),
  /** Hash of what each task is made of, where the suite has task files. */
  taskDigests: z.record(z.string(), z.string()).optional(),
  /** Which of the planned looks the next judgement is; 1 when absent. */
  look: z.int().min(1).optional(),
  /** Runs of this suite and split that were judged before this one. */
  earlierLooks: z.int().min(0).optional(),
  /** Tasks drawn for screening, with the chance each had. Such a run never admits a candidate. */
  screening: z.object({ population: z.int(), inclusion: z.record(z.string(), z.number()), why: z.string() }).optional(),
});
export type RunManifest = z.infer<typeof RunManifest>;

export const TaskComparison = z.object({
  task: z.string(),
  baseline: z.object({ passed: z.int(), of: z.int(), missing: z.int() }),
  candidate: z.object({ passed: z.int(), of: z.int(), missing: z.int() }),
  group: z.enum(['flipped up', 'flipped down', 'stable pass', 'stable fail', 'flaky', 'not measured']),
  /** Mean reward of the measured trials; only where a reward is neither 0 nor 1. */
  rewards: z.object({ baseline: z.number().nullable(), candidate: z.number().nullable() }).optional(),
  /** Fisher's exact p of this task alone, and its q in the list of all tasks (Benjamini-Hochberg). */
  p: z.number().optional(),
  q: z.number().optional(),
  /** The same arm both passed and failed this task. */
  unstable: z.boolean().optional(),
  split: Split.optional(),
});
export type TaskComparison = z.infer<typeof TaskComparison>;

/** One arm as a whole: mean score over tasks with its standard error, and both denominators. */
const ArmScore = z.object({
  mean: z.number(),
  standardError: z.number().nullable(),
  passed: z.int(),
  /** Trials with a verdict, and trials planned. */
  measured: z.int(),
  planned: z.int(),
  infrastructure: z.int(),
});

/** The decision on a part of the tasks; its p is adjusted by Holm for the number of parts. */
const SplitVerdict = z.object({
  split: Split,
  tasks: z.int(),
  difference: z.number(),
  interval: z.tuple([z.number(), z.number()]),
  p: z.number(),
  adjustedP: z.number(),
  regressions: z.array(z.string()),
});

/** Relative change of a cost over the tasks where both arms state it; -0.1 is 10 % less. */
const CostChange = z.object({
  unit: z.enum(['tokens', 'USD', 'seconds']),
  change: z.number(),
  interval: z.tuple([z.number(), z.number()]),
  p: z.number(),
  tasks: z.int(),
});
export type CostChange = z.infer<typeof CostChange>;

export const Verdict = z.object({
  schemaVersion: z.literal(1),
  run: z.string(),
  /** equal: within the margin by two one-sided tests. adopt for cost: not worse by the margin, and clearly cheaper. */
  verdict: z.enum(['accept', 'reject', 'undecided', 'not measured', 'equal', 'adopt for cost']),
  /** The sentence people read first. */
  sentence: z.string(),
  rule: VerdictRule,
  /** Mean paired difference of task scores, candidate minus baseline (0..1 scale). */
  difference: z.number(),
  interval: z.tuple([z.number(), z.number()]),
  p: z.number(),
  /** What p is compared with: alpha after the corrections for candidates and looks. */
  level: z.number().optional(),
  standardError: z.number().nullable().optional(),
  /** Smallest gap this design finds with 80 % power, 0..1 scale; null when it cannot be computed. */
  detectable: z.number().nullable(),
  /** How many more tasks with the same repeats would decide; null when not undecided. */
  moreTasks: z.int().nullable(),
  /** How many more repeats of each task and arm would decide; null when no number does or the verdict is decided. */
  moreTrials: z.int().nullable().optional(),
  /** Tasks with these repeats that resolve the declared minimal effect. */
  tasksForEffect: z.int().nullable().optional(),
  /** Half-width in which two runs of the unchanged harness differ 95 times of 100; null when repeats are missing. */
  noiseFloor: z.object({ halfWidth: z.number(), from: z.string(), trials: z.int() }).nullable().optional(),
  up: z.int(),
  down: z.int(),
  coverage: z.object({ measured: z.int(), planned: z.int() }),
  scores: z.object({ baseline: ArmScore, candidate: ArmScore }).optional(),
  tasks: z.array(TaskComparison),
  regressions: z.array(z.string()),
  /** Of a screening run: the difference over all tasks it was drawn from (Horvitz-Thompson and Hajek). */
  population: z.object({ tasks: z.int(), mean: z.number(), hajek: z.number(), standardError: z.number() }).optional(),
  /** Tasks that the baseline passes by majority, and how many of them the candidate still passes. */
  retention: z.object({ kept: z.int(), of: z.int(), interval: z.tuple([z.number(), z.number()]) }).optional(),
  splits: z.array(SplitVerdict).optional(),
  /** Chance that at least one, and that all, of k trials pass; never a substitute for the pass rate. */
  passAt: z
    .array(
      z.object({
        k: z.int(),
        baseline: z.object({ any: z.number(), all: z.number() }),
        candidate: z.object({ any: z.number(), all: z.number() }),
      }),
    )
    .optional(),
  /** p of "equal within the margin" (TOST) and of "not worse by the margin". */
  equivalence: z.object({ margin: z.number(), p: z.number(), notWorseP: z.number() }).nullable().optional(),
  /** Difference if every missing trial of the candidate had failed and of the baseline passed, and the reverse. */
  bounds: z.tuple([z.number(), z.number()]).optional(),
  /** Sign-flip p of the task means. */
  signFlipP: z.number().nullable().optional(),
  /** Exact McNemar p of the task majorities; informs where another test decides. */
  mcnemarP: z.number().optional(),
  /** p that would stay valid under any number of looks, from the flips. */
  anytimeP: z.number().optional(),
  /** Why trials have no verdict, most frequent first. */
  missing: z.array(z.object({ arm: Arm, reason: z.string(), trials: z.int() })).optional(),
  cost: z.object({
    baselineTokens: z.number().nullable(),
    candidateTokens: z.number().nullable(),
    baselineUsd: z.number().nullable().optional(),
    candidateUsd: z.number().nullable().optional(),
    changes: z.array(CostChange).optional(),
  }),
  /** What was odd in the input and how it was treated, one sentence each. */
  treatments: z.array(z.string()).optional(),
});
export type Verdict = z.infer<typeof Verdict>;

/** Whether a run compares the baseline with itself (A/A). Only such a run gives its second arm other seeds. */
export function isNoiseRun(manifest: Pick<RunManifest, 'arms'>): boolean {
  return manifest.arms.some((each) => each.seedOffset !== undefined);
}
