import { z } from 'zod';

/** A link as a row shows it. `index` is its position in the step's links; the page sends it back to open the code. */
export const RowLink = z.object({
  index: z.int(),
  /** `output.ts:33 truncate` */
  label: z.string(),
  unit: z.string().nullable(),
  /** Evidence in words. */
  reason: z.string(),
  kind: z.string(),
  confidence: z.number(),
});
export type RowLink = z.infer<typeof RowLink>;

/** One row of the step list: what is shown before anybody asks for the whole text. */
export const TraceRow = z.object({
  n: z.int(),
  kind: z.enum(['system', 'user', 'agent', 'tool', 'event']),
  /** Word for who speaks: prompt, agent, result, harness, event. */
  who: z.string(),
  preview: z.string(),
  textLength: z.int(),
  calls: z.array(z.object({ name: z.string(), preview: z.string() })),
  isError: z.boolean(),
  tokensOut: z.number().nullable(),
  time: z.string().nullable(),
  copied: z.boolean(),
  links: z.array(RowLink),
  /** Titles of findings that name this step. */
  findings: z.array(z.string()),
});
export type TraceRow = z.infer<typeof TraceRow>;

export const TraceHead = z.object({
  run: z.string(),
  title: z.string(),
  outcome: z.object({ icon: z.string(), words: z.string(), tone: z.enum(['good', 'bad', 'neutral']) }),
  /** "31 steps", "24 turns", "$0.12": each with its unit. */
  facts: z.array(z.string()),
  stepCount: z.int(),
  /** Where the page opens: the first finding, else the last error of a failed run, else the first step. */
  startAt: z.int(),
  startReason: z.string().nullable(),
  warnings: z.array(z.string()),
  /** Why no row has links; null when links are there. */
  linksMissing: z.string().nullable(),
  runs: z.array(z.object({ run: z.string(), label: z.string() })),
  findings: z.array(z.object({ title: z.string(), steps: z.array(z.int()) })),
});
export type TraceHead = z.infer<typeof TraceHead>;

export const RowFilter = z.object({
  text: z.string(),
  kinds: z.array(z.string()),
  errorsOnly: z.boolean(),
});
export type RowFilter = z.infer<typeof RowFilter>;

export const BodyPart = z.object({
  title: z.string(),
  text: z.string(),
  /** Characters that were left out at the end, 0 when the text is whole. */
  left: z.int(),
});
export type BodyPart = z.infer<typeof BodyPart>;

/** Messages of the trace page to its host. */
export const FromTracePage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), run: z.string().nullable() }),
  z.object({ type: z.literal('rows'), from: z.int(), to: z.int() }),
  z.object({ type: z.literal('body'), n: z.int() }),
  z.object({ type: z.literal('search'), request: z.int(), filter: RowFilter }),
  /** The highlight moved; the host moves the code beside with it. */
  z.object({ type: z.literal('select'), n: z.int() }),
  z.object({ type: z.literal('openCode'), n: z.int(), link: z.int(), focus: z.boolean() }),
  /** To the next step with an error or a finding; -1 goes back. */
  z.object({ type: z.literal('nextError'), n: z.int(), direction: z.union([z.literal(1), z.literal(-1)]) }),
  z.object({ type: z.literal('chooseRun'), run: z.string() }),
  z.object({ type: z.literal('openSource') }),
]);
export type FromTracePage = z.infer<typeof FromTracePage>;

/** Messages of the host to the trace page. Each stays below 256 KB. */
export const ToTracePage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('head'), head: TraceHead }),
  z.object({ type: z.literal('rows'), from: z.int(), rows: z.array(TraceRow) }),
  z.object({ type: z.literal('body'), n: z.int(), parts: z.array(BodyPart) }),
  z.object({ type: z.literal('found'), request: z.int(), steps: z.array(z.int()), complete: z.boolean() }),
  z.object({ type: z.literal('goTo'), n: z.int() }),
  /** Links or findings changed: rows held by the page are old. */
  z.object({ type: z.literal('stale') }),
  z.object({ type: z.literal('failed'), message: z.string(), nextStep: z.string().nullable() }),
]);
export type ToTracePage = z.infer<typeof ToTracePage>;
