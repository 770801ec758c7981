import { z } from 'zod';

/** One line of `.harnessmith/ledger.jsonl`. Append-only. */
export const LedgerEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('proposal'), at: z.string(), by: z.string(), proposal: z.string(), title: z.string() }),
  z.object({
    kind: z.literal('decision'),
    at: z.string(),
    by: z.string(),
    proposal: z.string(),
    hunks: z.array(z.int()),
    state: z.enum(['accepted', 'rejected', 'open']),
    reason: z.string().optional(),
  }),
  z.object({
    kind: z.literal('apply'),
    at: z.string(),
    by: z.string(),
    proposal: z.string(),
    hunks: z.array(z.int()),
    target: z.string(),
  }),
  z.object({
    kind: z.literal('run'),
    at: z.string(),
    by: z.string(),
    run: z.string(),
    proposal: z.string().nullable(),
    state: z.string(),
    /** Only of runs on a split: what the split belongs to, so that a spent one stays spent when run folders are deleted. */
    suite: z.string().optional(),
    split: z.string().optional(),
    campaign: z.string().optional(),
  }),
  z.object({
    kind: z.literal('verdict'),
    at: z.string(),
    by: z.literal('harnessmith'),
    run: z.string(),
    proposal: z.string().nullable(),
    verdict: z.string(),
    difference: z.number(),
    p: z.number(),
  }),
  z.object({ kind: z.literal('override'), at: z.string(), by: z.string(), run: z.string(), reason: z.string() }),
]);
export type LedgerEntry = z.infer<typeof LedgerEntry>;
