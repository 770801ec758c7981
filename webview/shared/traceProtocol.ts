import { z } from 'zod';
import { CompareHead, ComparePair } from './compareProtocol';

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

/** What a step has to do with another one, or with a run it starts. */
export const RowRelation = z.object({
  words: z.string(),
  title: z.string(),
  /** The step to jump to. */
  step: z.int().nullable(),
  /** The run to open. */
  run: z.string().nullable(),
});
export type RowRelation = z.infer<typeof RowRelation>;

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
  /** Set for a prompt that says mostly what an earlier step said; the number of lines that differ. */
  same: z.object({ of: z.int(), changed: z.int() }).nullable(),
  relations: z.array(RowRelation),
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

/** What to look for, and which rows to hide. */
export const RowFilter = z.object({
  /** Words that all must occur in a step; words in quotes stand together. */
  text: z.string(),
  /** True hides the steps without a hit. */
  onlyHits: z.boolean(),
  kinds: z.array(z.string()),
  /** Steps that call one of these tools or answer it. */
  tools: z.array(z.string()),
  /** Steps that lead to this unit of the handbook. */
  unit: z.string().nullable(),
  errorsOnly: z.boolean(),
});
export type RowFilter = z.infer<typeof RowFilter>;

export const BodyPart = z.object({
  /** What the text is: `changes` are the lines of a repeated prompt that differ, with `+` and `-` in front. */
  kind: z.enum(['text', 'reasoning', 'call', 'result', 'changes', 'rest']),
  title: z.string(),
  text: z.string(),
  /** Characters that were left out at the end, 0 when the text is whole. */
  left: z.int(),
});
export type BodyPart = z.infer<typeof BodyPart>;

/** The record of a step as it stands in the file. */
export const RawStep = z.object({
  /** Bytes from `offset`, from 0; `part` is the member of an archive. */
  ranges: z.array(z.object({ file: z.string(), part: z.string().nullable(), offset: z.int(), length: z.int() })),
  text: z.string(),
  left: z.int(),
});
export type RawStep = z.infer<typeof RawStep>;

/** An image of a step; `data` is base64, null when it is too large to be shown. */
export const StepImage = z.object({ type: z.string(), bytes: z.int(), data: z.string().nullable() });
export type StepImage = z.infer<typeof StepImage>;

/** A line of the outline: a phase with the turns that follow it, or one turn. Steps `from` to `to`. */
export const OutlineEntry = z.object({
  level: z.enum(['phase', 'turn']),
  from: z.int(),
  to: z.int(),
  label: z.string(),
  /** Steps with an error inside. */
  errors: z.int(),
});
export type OutlineEntry = z.infer<typeof OutlineEntry>;

/** A name to filter by, with the number of steps that have it. */
export const Choice = z.object({ id: z.string(), label: z.string(), steps: z.int() });
export type Choice = z.infer<typeof Choice>;

/** Messages of the trace page to its host. */
export const FromTracePage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), run: z.string().nullable() }),
  z.object({ type: z.literal('rows'), from: z.int(), to: z.int() }),
  z.object({ type: z.literal('body'), n: z.int() }),
  z.object({ type: z.literal('search'), request: z.int(), filter: RowFilter }),
  /** The highlight moved; the host moves the code beside with it. */
  z.object({ type: z.literal('select'), n: z.int(), other: z.boolean() }),
  /** `other`: the step is one of the run that is compared. */
  z.object({ type: z.literal('openCode'), n: z.int(), link: z.int(), focus: z.boolean(), other: z.boolean() }),
  /** To the next step with an error or a finding; -1 goes back. */
  z.object({ type: z.literal('nextError'), n: z.int(), direction: z.union([z.literal(1), z.literal(-1)]) }),
  z.object({ type: z.literal('chooseRun'), run: z.string() }),
  z.object({ type: z.literal('openSource') }),
  z.object({ type: z.literal('raw'), n: z.int() }),
  /** A run that a step started, by whatever the trace calls it. */
  z.object({ type: z.literal('openRun'), run: z.string() }),
  /** Lays another run beside this one; null lets the person choose. */
  z.object({ type: z.literal('compare'), run: z.string().nullable() }),
  z.object({ type: z.literal('otherRows'), from: z.int(), to: z.int() }),
  z.object({ type: z.literal('leaveCompare') }),
  /** Shows how texts of two steps differ; `base` null takes the earlier text that is most like it. */
  z.object({
    type: z.literal('difference'),
    base: z.object({ n: z.int(), other: z.boolean() }).nullable(),
    n: z.int(),
    other: z.boolean(),
  }),
  z.object({ type: z.literal('image'), n: z.int(), index: z.int() }),
  z.object({ type: z.literal('copy'), n: z.int(), as: z.enum(['markdown', 'json', 'link']) }),
]);
export type FromTracePage = z.infer<typeof FromTracePage>;

/** Messages of the host to the trace page. Each stays below 256 KB. */
export const ToTracePage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('head'), head: TraceHead }),
  z.object({ type: z.literal('rows'), from: z.int(), rows: z.array(TraceRow) }),
  z.object({ type: z.literal('body'), n: z.int(), parts: z.array(BodyPart), images: z.int() }),
  z.object({ type: z.literal('raw'), n: z.int(), raw: RawStep }),
  /** The one message that may be larger: an image of up to 2 MB. */
  z.object({ type: z.literal('image'), n: z.int(), index: z.int(), image: StepImage }),
  /** The outline in parts, the first one from 0, and with it the tools of the run. */
  z.object({ type: z.literal('outline'), at: z.int(), entries: z.array(OutlineEntry), tools: z.array(Choice) }),
  /** The comparison in parts, the first one from 0. */
  z.object({ type: z.literal('comparison'), at: z.int(), head: CompareHead, pairs: z.array(ComparePair) }),
  z.object({ type: z.literal('otherRows'), rows: z.array(TraceRow) }),
  z.object({ type: z.literal('units'), units: z.array(Choice) }),
  /** Steps from the one after the last part to `to` that pass the filter, and those that have a hit. */
  z.object({
    type: z.literal('found'),
    request: z.int(),
    from: z.int(),
    to: z.int(),
    steps: z.array(z.int()),
    hits: z.array(z.int()),
    done: z.boolean(),
  }),
  /** Something was done outside the page, such as copying; said to screen readers too. */
  z.object({ type: z.literal('said'), words: z.string() }),
  z.object({ type: z.literal('goTo'), n: z.int() }),
  /** The file grew while the page was open. */
  z.object({ type: z.literal('grew'), stepCount: z.int() }),
  /** Links or findings changed: rows held by the page are old. */
  z.object({ type: z.literal('stale') }),
  z.object({ type: z.literal('failed'), message: z.string(), nextStep: z.string().nullable() }),
]);
export type ToTracePage = z.infer<typeof ToTracePage>;
