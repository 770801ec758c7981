import { z } from 'zod';

/** Limits of what a model may write about one unit. */
export const limits = { titleCharacters: 60, sentenceWords: 40, cardWords: 120, sentences: 6 };

const Sentence = z.object({
  text: z.string().describe('One plain sentence.'),
  evidence: z.array(z.string()).describe('Ids of the evidence that bears it out, such as e3.'),
});

/** What the proposer answers. */
export const RefineAnswer = z.object({
  units: z.array(
    z.object({
      unit: z.string().describe('The id given, such as u1.'),
      title: z.string().nullable().describe(`A better name of at most ${limits.titleCharacters} characters, or null.`),
      sentences: z.array(Sentence),
      stage: z.string().nullable().describe('Id of a stage it fits better, or null.'),
      mergeInto: z.string().nullable().describe('Id of another unit given that it is a part of, or null.'),
    }),
  ),
});
export type RefineAnswer = z.infer<typeof RefineAnswer>;

/** What the reviewer answers. */
export const ReviewAnswer = z.object({
  verdicts: z.array(
    z.object({
      item: z.string().describe('The id given, such as i4.'),
      keep: z.boolean().describe('True only when the evidence cited bears out every word.'),
      problem: z.string().describe('What is wrong; empty when nothing is.'),
    }),
  ),
});
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;

/** Something a model said that was not taken, and why. */
export const Dropped = z.object({ text: z.string(), reason: z.string() });
export type Dropped = z.infer<typeof Dropped>;

export const RefinedUnit = z.object({
  id: z.string(),
  /** The title before; a new one is in `newTitle`. */
  title: z.string(),
  /** failed: the model gave no answer that could be used. */
  outcome: z.enum(['written', 'nothing kept', 'failed']),
  newTitle: z.string().optional(),
  sentences: z.array(z.string()),
  moved: z.string().optional(),
  dropped: z.array(Dropped),
});
export type RefinedUnit = z.infer<typeof RefinedUnit>;

/** Tokens and money; null where the model or the price does not tell. */
export const RefineCost = z.object({
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  /** Calls that did not report their tokens; those are not in the sums. */
  unknownCalls: z.int(),
  costUsd: z.number().nullable(),
});
export type RefineCost = z.infer<typeof RefineCost>;

export const RefineEstimate = z.object({
  units: z.int(),
  /** Units that were done before and whose text is the same. */
  skipped: z.int(),
  batches: z.int(),
  /** When every answer passes at once, and when every round is needed. */
  tokens: z.object({ least: z.int(), most: z.int() }),
  costUsd: z.object({ least: z.number(), most: z.number() }).nullable(),
});
export type RefineEstimate = z.infer<typeof RefineEstimate>;

export const RefineResult = z.object({
  model: z.string(),
  units: z.array(RefinedUnit),
  skipped: z.int(),
  cost: RefineCost,
  /** Why it ended before all units were done; null when they are. Running it again goes on from there. */
  stopped: z.object({ why: z.enum(['cancelled', 'budget', 'model']), message: z.string(), left: z.int() }).nullable(),
});
export type RefineResult = z.infer<typeof RefineResult>;

/** Price of a million tokens. */
export interface TokenPrice {
  inputUsd: number;
  outputUsd: number;
}
