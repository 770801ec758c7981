import { z } from 'zod';

/** Strongest first. */
export const LinkKind = z.enum(['recorded', 'frame', 'literal', 'tool', 'configuration', 'lifecycle']);
export type LinkKind = z.infer<typeof LinkKind>;

/** From a step of a trace to harness code. No evidence, no link. */
export const Link = z.object({
  step: z.int(),
  kind: LinkKind,
  file: z.string(), // relative to the harness repository
  symbol: z.string(),
  start: z.int(),
  end: z.int(),
  /** Handbook unit that owns the place, when one does. */
  unit: z.string().nullable(),
  confidence: z.number().min(0).max(1),
  /** Evidence in words: "literal text, 6 of 7 lines; also in 2 other places". */
  reason: z.string(),
});
export type Link = z.infer<typeof Link>;

/** How often a site was touched, and by which steps; the way back from code. */
export const SiteTouches = z.object({
  file: z.string(),
  symbol: z.string(),
  start: z.int(),
  end: z.int(),
  steps: z.array(
    z.object({ run: z.string(), task: z.string().nullable(), step: z.int(), failing: z.boolean(), kind: LinkKind }),
  ),
  failingRuns: z.int(),
  passingRuns: z.int(),
});
export type SiteTouches = z.infer<typeof SiteTouches>;
