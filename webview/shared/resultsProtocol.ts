import { z } from 'zod';

const Count = z.object({ passed: z.int(), of: z.int(), missing: z.int() });

export const ResultRow = z.object({
  task: z.string(),
  baseline: Count,
  candidate: Count,
  /** The group in words, such as "flipped up". */
  group: z.string(),
  regression: z.boolean(),
  predicted: z.string().nullable(),
  /** Traces that can be opened: newest candidate and baseline trial, absolute paths. */
  baselineTrace: z.string().nullable(),
  candidateTrace: z.string().nullable(),
  /** What a trial without a verdict printed, absolute path. */
  output: z.string().nullable(),
  /** The same arm both passed and failed the task. */
  unstable: z.boolean().optional(),
  /** Fisher's p of this task alone and its q in the list of all, in words; absent where nothing was measured. */
  evidence: z.string().optional(),
  split: z.string().optional(),
});
export type ResultRow = z.infer<typeof ResultRow>;

const Range = z.tuple([z.number(), z.number()]);

/** A line of the interval plot. */
export const IntervalRow = z.object({ label: z.string(), difference: z.number(), interval: Range });
export type IntervalRow = z.infer<typeof IntervalRow>;

/** A harness version in the plot of cost against score. */
export const CostDot = z.object({
  label: z.string(),
  /** Per trial, in the unit of the plot. */
  cost: z.number(),
  score: z.number(),
  /** "light", "medium", "heavy" for the picks of the line that nothing dominates. */
  picks: z.array(z.string()),
  onLine: z.boolean(),
  current: z.boolean(),
});
export type CostDot = z.infer<typeof CostDot>;

export const HistoryLine = z.object({
  run: z.string(),
  when: z.string(),
  what: z.string(),
  verdict: z.string(),
  difference: z.string(),
  /** Run whose candidate is the baseline here. */
  parent: z.string().nullable(),
  current: z.boolean(),
});
export type HistoryLine = z.infer<typeof HistoryLine>;

/** Everything the results page shows; numbers are on the 0..1 scale. */
export const ResultsView = z.object({
  run: z.string(),
  title: z.string(),
  state: z.enum(['running', 'finished', 'cancelled', 'interrupted']),
  verdict: z.string().nullable(),
  sentence: z.string(),
  /** "This design resolves 14 pp or more at 80 %." and its kind, in reading order. */
  notes: z.array(z.string()),
  difference: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  groups: z.array(z.object({ group: z.string(), count: z.int() })),
  regressions: z.array(z.string()),
  rows: z.array(ResultRow),
  done: z.int(),
  planned: z.int(),
  canResume: z.boolean(),
  /** Overall first, then the splits. */
  intervals: z.array(IntervalRow).optional(),
  /** Half-width in which reruns of the unchanged harness lie, and margin of "equal"; null when not known. */
  noiseFloor: z.number().nullable().optional(),
  margin: z.number().nullable().optional(),
  /** Scores, retention, pass@k, costs and the rule, a line each. */
  facts: z.array(z.string()).optional(),
  cost: z
    .object({ unit: z.string(), dots: z.array(CostDot) })
    .nullable()
    .optional(),
  history: z.array(HistoryLine).optional(),
  /** Reason of a person who went against the verdict. */
  override: z.string().nullable().optional(),
  canOverride: z.boolean().optional(),
  /** Looks that are left, so that more repeats may be added. */
  looksLeft: z.int().optional(),
});
export type ResultsView = z.infer<typeof ResultsView>;

export const FromResultsPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), run: z.string().nullable() }),
  z.object({ type: z.literal('openTrace'), file: z.string() }),
  z.object({ type: z.literal('openOutput'), file: z.string() }),
  z.object({ type: z.literal('openJson') }),
  z.object({ type: z.literal('resume') }),
  z.object({ type: z.literal('override') }),
  z.object({ type: z.literal('runMore') }),
  z.object({ type: z.literal('export') }),
  z.object({ type: z.literal('openRun'), run: z.string() }),
  z.object({ type: z.literal('compareWith'), run: z.string() }),
]);
export type FromResultsPage = z.infer<typeof FromResultsPage>;

export const ToResultsPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('results'), view: ResultsView }),
  z.object({ type: z.literal('failed'), message: z.string(), nextStep: z.string().nullable() }),
]);
export type ToResultsPage = z.infer<typeof ToResultsPage>;
