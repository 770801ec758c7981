import { z } from 'zod';
import { Tokens } from '../model';

/** Numbers of one step. */
export const StepMetrics = z.object({
  step: z.int(),
  tokens: Tokens.nullable(),
  costUsd: z.number().nullable(),
  /** `recorded`, or which prices it was computed with; null without a cost. */
  costOrigin: z.string().nullable(),
  /** Seconds this step took: recorded, or from the time stamp before to its own; null when neither is known. */
  seconds: z.number().nullable(),
  secondsOrigin: z.enum(['recorded', 'timestamps']).nullable(),
  /** Tokens of the text the step adds to the context, estimated. */
  estimatedTokens: z.int(),
});
export type StepMetrics = z.infer<typeof StepMetrics>;

/** What the first model call was given before any work: tokens are estimates of 4 characters each unless recorded. */
export const Preamble = z.object({
  /** The step of the first model answer. */
  step: z.int(),
  recordedInput: z.number().nullable(),
  systemPrompt: z.int().nullable(),
  userMessages: z.int().nullable(),
  /** From the schemas where the trace holds them; else what remains of the recorded input; null when neither is there. */
  toolSchemas: z.int().nullable(),
  toolSchemasOrigin: z.enum(['schemas', 'remainder']).nullable(),
  estimate: z.literal('4 characters a token'),
});
export type Preamble = z.infer<typeof Preamble>;

/** What a run looks like from far away; runs with like fingerprints failed alike. */
export const Fingerprint = z.object({
  turns: z.int(),
  noActionTurns: z.int(),
  calls: z.int(),
  toolErrors: z.int(),
  /** Calls that were made before without an error. */
  repeats: z.int(),
  /** Calls that try again what failed. */
  retries: z.int(),
  /** Most model turns in a row that answer an error. */
  longestErrorStreak: z.int(),
  truncatedResults: z.int(),
  compactions: z.int(),
  /** Calls by tool, most used first, at most twelve. */
  tools: z.array(z.object({ name: z.string(), calls: z.int(), errors: z.int() })),
  endsTruncated: z.boolean(),
});
export type Fingerprint = z.infer<typeof Fingerprint>;

export const RunMetrics = z.object({
  run: z.string(),
  tokens: Tokens,
  costUsd: z.number().nullable(),
  costOrigin: z.string().nullable(),
  /** From the first to the last time stamp; null without. */
  seconds: z.number().nullable(),
  /** Sum and greatest of the seconds of model answers, and how many are known. */
  modelSeconds: z.object({ sum: z.number(), most: z.number(), known: z.int() }),
  preamble: Preamble.nullable(),
  fingerprint: Fingerprint,
  steps: z.array(StepMetrics),
});
export type RunMetrics = z.infer<typeof RunMetrics>;
