import { z } from 'zod';
import { TraceComparison } from '../compare';

/** What a call does, as far as its name and command tell. */
export const ActionKind = z.enum(['look', 'change', 'run', 'submit', 'talk', 'other']);
export type ActionKind = z.infer<typeof ActionKind>;

/** How the calls of a turn ended: `none` when nothing was called or the trace ends before the result. */
export const ResultClass = z.enum(['ok', 'empty', 'error', 'none']);
export type ResultClass = z.infer<typeof ResultClass>;

/** One model turn with its results, short enough to hold all turns of a long run. */
export const TurnSummary = z.object({
  /** The step of the model's answer, and the last step with a result of it; equal where both are one. */
  step: z.int(),
  lastStep: z.int(),
  /** First characters of what the model said. */
  said: z.string(),
  calls: z.array(z.object({ name: z.string(), preview: z.string() })),
  action: ActionKind,
  result: z.object({ class: ResultClass, preview: z.string() }),
});
export type TurnSummary = z.infer<typeof TurnSummary>;

/** What differs between two turns that stand beside each other. */
export const Difference = z.enum(['tool', 'arguments', 'resultClass', 'result']);
export type Difference = z.infer<typeof Difference>;

/** A line of two runs side by side. A side is null where the other run has a turn of its own. */
export const AlignedRow = z.object({
  state: z.enum(['same', 'changed', 'onlyFirst', 'onlySecond']),
  first: TurnSummary.nullable(),
  second: TurnSummary.nullable(),
  /** 1 for equal calls and results, 0 for a row with one side. */
  similarity: z.number(),
  differs: z.array(Difference),
});
export type AlignedRow = z.infer<typeof AlignedRow>;

/** Why a divergence matters; the order is that of the rules. */
export const DivergenceReason = z.enum(['resultClass', 'change', 'submit', 'end', 'resultThenOtherCalls', 'noReturn']);
export type DivergenceReason = z.infer<typeof DivergenceReason>;

/** The first row from which on the two runs go different ways. */
export const RunDivergence = z.object({
  /** Index into the rows, from 0. */
  row: z.int(),
  reason: DivergenceReason,
  firstStep: z.int().nullable(),
  secondStep: z.int().nullable(),
  /** Why it matters, in words. */
  why: z.string(),
});
export type RunDivergence = z.infer<typeof RunDivergence>;

/** Two runs aligned by calls and results. Everything of {@link TraceComparison}, and the rows. */
export const RunAlignment = TraceComparison.extend({
  rows: z.array(AlignedRow),
  matters: RunDivergence.nullable(),
  counts: z.object({ same: z.int(), changed: z.int(), onlyFirst: z.int(), onlySecond: z.int() }),
  /** True when the runs were too long to be aligned everywhere, so that far moved turns may stand alone. */
  approximate: z.boolean(),
});
export type RunAlignment = z.infer<typeof RunAlignment>;
