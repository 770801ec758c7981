import { z } from 'zod';

/** Strongest first. */
export const LinkKind = z.enum(['recorded', 'frame', 'literal', 'tool', 'configuration', 'lifecycle']);
export type LinkKind = z.infer<typeof LinkKind>;

/** Where in the step the evidence stands: the number of the call or result, and the range of the text where it is known. */
export const LinkPart = z.object({
  /** `record` is text of the step's original record that the step itself does not show. */
  of: z.enum(['text', 'reasoning', 'call', 'result', 'record']),
  at: z.int(),
  /** In UTF-16 units; absent where the text was unpacked from JSON first. */
  from: z.int().optional(),
  to: z.int().optional(),
});
export type LinkPart = z.infer<typeof LinkPart>;

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
  /** The part of the step that the evidence stands in; absent where the step as a whole is the evidence. */
  part: LinkPart.optional(),
  /** Set where the harness of the trace was another version than the one that was looked at, in words. */
  drift: z.string().optional(),
  /** The commit the place is in, when it is not the working tree. */
  commit: z.string().optional(),
  /** In how many other places of the harness the same text stands. */
  also: z.int().optional(),
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
