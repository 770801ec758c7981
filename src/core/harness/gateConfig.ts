import { z } from 'zod';

/** Names of the checks of a proposal, as results and `harness.json` use them. */
export const GateId = z.enum([
  'applies',
  'stale',
  'parses',
  'scope',
  'protected',
  'secrets',
  'leakage',
  'bloat',
  'premise',
]);
export type GateId = z.infer<typeof GateId>;

const reason = z.string().min(1).describe('Why; shown beside the result.');

/** `gates` of harness.json. */
export const GateConfig = z.strictObject({
  off: z
    .array(z.strictObject({ gate: GateId, reason }))
    .default([])
    .describe('Checks that are not made. A check that is off is listed as such, never as passed.'),
  allow: z
    .array(
      z.strictObject({
        gate: GateId,
        files: z.array(z.string()).min(1).describe('Patterns in .gitignore syntax.'),
        reason,
      }),
    )
    .default([])
    .describe('Files in which a check finds no problem.'),
  promptGrowth: z
    .strictObject({
      characters: z
        .int()
        .min(0)
        .default(600)
        .describe(
          'A prompt may always grow by this much, a short one by twice as much as long as it does not more than triple.',
        ),
      share: z.number().min(0).default(0.25).describe('Or by this share of its length.'),
      most: z.int().min(0).default(4000).describe('But never by more than this.'),
    })
    .default({ characters: 600, share: 0.25, most: 4000 })
    .describe('How much longer a prompt may become in one proposal.'),
  wordsInARow: z
    .int()
    .min(4)
    .default(8)
    .describe('So many words in the same order as in a task are a copy, half as many again in a trace.'),
});
export type GateConfig = z.infer<typeof GateConfig>;
