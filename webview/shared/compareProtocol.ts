import { z } from 'zod';

/** Two steps in one line of a comparison; null where a run has nothing there. */
export const ComparePair = z.object({
  left: z.int().nullable(),
  right: z.int().nullable(),
  /** `calls`: other calls or another speaker; `texts`: other results or prompts, times and numbers aside. */
  state: z.enum(['same', 'calls', 'texts', 'onlyLeft', 'onlyRight']),
});
export type ComparePair = z.infer<typeof ComparePair>;

/** The run beside this one, and what tells them apart. */
export const CompareHead = z.object({
  run: z.string(),
  /** Names of both runs with their outcomes. */
  leftTitle: z.string(),
  rightTitle: z.string(),
  rightOutcome: z.object({ icon: z.string(), words: z.string(), tone: z.enum(['good', 'bad', 'neutral']) }),
  rightSteps: z.int(),
  /** Where the runs part, in words. */
  sentence: z.string(),
  divergence: z.object({ left: z.int().nullable(), right: z.int().nullable() }).nullable(),
});
export type CompareHead = z.infer<typeof CompareHead>;
