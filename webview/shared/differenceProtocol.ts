import { z } from 'zod';

const DifferenceSide = z.object({
  title: z.string(),
  text: z.string(),
  /** Characters that were left out at the end. */
  left: z.int(),
});

/** Two texts to lay beside each other. */
export const Difference = z.object({ before: DifferenceSide, after: DifferenceSide });
export type Difference = z.infer<typeof Difference>;

export const ToDifferencePage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('difference'), difference: Difference }),
]);
export type ToDifferencePage = z.infer<typeof ToDifferencePage>;

export const FromDifferencePage = z.discriminatedUnion('type', [z.object({ type: z.literal('ready') })]);
export type FromDifferencePage = z.infer<typeof FromDifferencePage>;
