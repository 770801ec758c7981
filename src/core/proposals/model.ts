import { z } from 'zod';

/** Something that backs a claim; `unverified` claims have none. */
export const EvidenceRef = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step'), run: z.string(), step: z.int() }),
  z.object({ kind: z.literal('unit'), unit: z.string() }),
  z.object({ kind: z.literal('site'), file: z.string(), start: z.int(), end: z.int() }),
  z.object({ kind: z.literal('flaw'), flaw: z.string() }),
]);
export type EvidenceRef = z.infer<typeof EvidenceRef>;

/** A text-anchored edit. `create` has an empty `oldText`; `delete` an empty `newText` and the whole text as `oldText`. */
export const Edit = z.object({
  file: z.string(),
  action: z.enum(['replace', 'create', 'delete']),
  oldText: z.string(),
  newText: z.string(),
});
export type Edit = z.infer<typeof Edit>;

/** One behaviour change: the unit of thought of a review. */
export const Decision = z.object({
  id: z.string(), // d1, d2, ...
  title: z.string(),
  rationale: z.string(),
  evidence: z.array(EvidenceRef),
  edits: z.array(Edit).min(1),
});
export type Decision = z.infer<typeof Decision>;

export const GateResult = z.object({
  gate: z.string(),
  passed: z.boolean(),
  /** Why it failed, one entry a place; empty when passed. */
  problems: z.array(z.object({ message: z.string(), file: z.string().optional(), line: z.int().optional() })),
  /** Why harness.json turns it off; nothing was checked then. */
  off: z.string().optional(),
  /** Problems that harness.json allows, with the reason given there. */
  excused: z
    .array(z.object({ message: z.string(), file: z.string().optional(), line: z.int().optional(), reason: z.string() }))
    .optional(),
});
export type GateResult = z.infer<typeof GateResult>;

/** Made before evaluation, so that it can be wrong. */
export const Prediction = z.object({
  fixes: z.array(z.string()),
  atRisk: z.array(z.string()),
  note: z.string(),
  /** What the change should do to the pass rate and to the tokens of a run, in words, and what may go wrong. */
  expected: z.string().optional(),
  risk: z.string().optional(),
});
export type Prediction = z.infer<typeof Prediction>;

/** Immutable once made: `proposals/<id>/proposal.json`. */
export const Proposal = z.object({
  schemaVersion: z.literal(1),
  id: z.string(), // p-<8 hex>
  createdAt: z.string(),
  title: z.string(),
  request: z.string(),
  flaw: z.string().nullable(),
  /** Commit of the user's tree, null outside git, and the content hash of every file the edits touch. */
  base: z.object({ commit: z.string().nullable(), files: z.record(z.string(), z.string().nullable()) }),
  decisions: z.array(Decision),
  /** Files and symbols the proposer said it would touch. */
  declares: z.object({ modify: z.array(z.string()), add: z.array(z.string()), remove: z.array(z.string()) }),
  prediction: Prediction,
  gates: z.array(GateResult),
  /** Edits of the answer that could not be used, with the reason. */
  refused: z.array(z.object({ file: z.string(), reason: z.string() })),
  /** Edits whose old text differed from the file in white space, with the line where it was found. */
  fuzz: z.array(z.object({ file: z.string(), line: z.int(), difference: z.string() })).optional(),
  /** The proposal it is a revision of, and what the person asked for. */
  revises: z.object({ proposal: z.string(), hunks: z.array(z.int()), comment: z.string() }).optional(),
  model: z.object({
    id: z.string(),
    inputTokens: z.number().nullable(),
    outputTokens: z.number().nullable(),
    costUsd: z.number().nullable(),
  }),
});
export type Proposal = z.infer<typeof Proposal>;

export const HunkState = z.enum(['open', 'accepted', 'rejected', 'stale', 'conflicting', 'applied']);
export type HunkState = z.infer<typeof HunkState>;

/** One contiguous change of one file that belongs to one decision. Numbered from 1 over the proposal. */
export const Hunk = z.object({
  number: z.int().min(1),
  decision: z.string(),
  file: z.string(),
  /** What becomes of the file; a created or deleted file is one hunk. */
  action: Edit.shape.action,
  /** First changed line of the base text, from 1; for pure insertions the line before which they go. */
  baseStart: z.int(),
  /** Lines to show, without their line endings. */
  removed: z.array(z.string()),
  added: z.array(z.string()),
  /** The same as exact text with line endings: what is compared and written. */
  oldText: z.string(),
  newText: z.string(),
});
export type Hunk = z.infer<typeof Hunk>;

/** `proposals/<id>/review.json`: what people decided; survives reloads. */
export const Review = z.object({
  schemaVersion: z.literal(1),
  proposal: z.string(),
  hunks: z.record(
    z.string(),
    z.object({ state: HunkState, at: z.string(), by: z.string(), reason: z.string().optional() }),
  ),
  /** Texts the person edited on the right side, by file. */
  edited: z.record(z.string(), z.string()),
  appliedAt: z.string().nullable(),
  /** `workingTree` or the name of the branch. */
  appliedTo: z.string().nullable(),
  /** Tip of the branch after the last apply to it; anything else there is somebody's own work. */
  appliedCommit: z.string().nullable().optional(),
});
export type Review = z.infer<typeof Review>;
