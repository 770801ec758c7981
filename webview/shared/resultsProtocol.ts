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
});
export type ResultRow = z.infer<typeof ResultRow>;

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
});
export type ResultsView = z.infer<typeof ResultsView>;

export const FromResultsPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), run: z.string().nullable() }),
  z.object({ type: z.literal('openTrace'), file: z.string() }),
  z.object({ type: z.literal('openOutput'), file: z.string() }),
  z.object({ type: z.literal('openJson') }),
  z.object({ type: z.literal('resume') }),
]);
export type FromResultsPage = z.infer<typeof FromResultsPage>;

export const ToResultsPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('results'), view: ResultsView }),
  z.object({ type: z.literal('failed'), message: z.string(), nextStep: z.string().nullable() }),
]);
export type ToResultsPage = z.infer<typeof ToResultsPage>;
