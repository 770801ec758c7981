import { z } from 'zod';
import { SiteState, Unit } from '../handbook';

/** A place that the request is about, checked against the working tree. */
export const LocatedSite = z.object({
  file: z.string(),
  symbol: z.string(),
  start: z.int().min(1),
  end: z.int().min(1),
  score: z.number(),
  /** Why it is shown, in words. */
  reason: z.string(),
  state: SiteState,
  /** Unit that owns it. */
  unit: z.string().optional(),
  /** Set where a model chose it. */
  by: z.literal('model').optional(),
});
export type LocatedSite = z.infer<typeof LocatedSite>;

/** Something the request takes for granted, compared with the source. */
export const Premise = z.object({
  /** As the request says it. */
  mention: z.string(),
  /** True when the source agrees. */
  found: z.boolean(),
  /** Current value or text in the source; empty when nothing was found. */
  value: z.string(),
  file: z.string(),
  line: z.int(),
});
export type Premise = z.infer<typeof Premise>;

export const PlanItem = z.object({ file: z.string(), symbol: z.string(), why: z.string() });
export type PlanItem = z.infer<typeof PlanItem>;

/** What a model was asked and what that took. */
export const ModelShare = z.object({
  label: z.string(),
  /** How far it came: 1 behaviours and files, 2 definitions, 3 their source. */
  levels: z.int(),
  sentTokens: z.int(),
  receivedTokens: z.int(),
  costUsd: z.number().nullable(),
  /** What handing over all searchable source would have sent, estimated. */
  wholeCodeTokens: z.int(),
  /** Places it named that were not offered, are there twice or changed meanwhile. */
  dropped: z.int(),
  /** What went wrong, in sentences. */
  notes: z.array(z.string()),
});
export type ModelShare = z.infer<typeof ModelShare>;

/** The answer to a request in words. */
export const LocateAnswer = z.object({
  request: z.string(),
  units: z.array(z.object({ unit: Unit, score: z.number(), reasons: z.array(z.string()) })),
  sites: z.array(LocatedSite),
  alsoLookAt: z.array(z.object({ file: z.string(), line: z.int(), reason: z.string() })),
  premises: z.array(Premise),
  plan: z.object({ modify: z.array(PlanItem), add: z.array(PlanItem), remove: z.array(PlanItem) }),
  /** Present when a model was asked. */
  model: ModelShare.optional(),
});
export type LocateAnswer = z.infer<typeof LocateAnswer>;
