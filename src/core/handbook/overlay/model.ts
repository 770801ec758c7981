import { z } from 'zod';
import { Author } from '../model';

/** What a model said about a unit. Stands beside the words of a person and never in their place. */
export const ModelWords = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  stage: z.string().optional(),
  mergedInto: z.string().optional(),
  /** Lines the sentences cite: `hash+from-to`, counted from 0 in the site whose text has this hash. */
  evidence: z.array(z.string()).optional(),
  model: z.string(),
  /** When, ISO 8601. */
  at: z.string(),
  /** Hash of the text of the unit that was described; words for another text are left out. */
  text: z.string(),
});
export type ModelWords = z.infer<typeof ModelWords>;

export const OverlayEntry = z.strictObject({
  /** Author of the fields of this object; a model's words stand in `model`. */
  by: Author,
  title: z.string().optional(),
  description: z.string().optional(),
  stage: z.string().optional(),
  pinned: z.boolean().optional(),
  /** Key of the unit that this one is a part of. */
  mergedInto: z.string().optional(),
  model: ModelWords.optional(),
  /** Graph ids the unit owned when the entry was written; they find it again when its id changes. */
  symbols: z.array(z.string()).optional(),
});
export type OverlayEntry = z.infer<typeof OverlayEntry>;

/** `.harnessmith/handbook.json`: only what was added to the derived map. */
export const HandbookOverlay = z.strictObject({
  schemaVersion: z.literal(1),
  /** By unit id. */
  units: z.record(z.string(), OverlayEntry),
  /** Definitions with another home than the derived one, by graph id. `unit` is a key of `units`. */
  members: z.record(z.string(), z.strictObject({ unit: z.string(), by: Author })).optional(),
});
export type HandbookOverlay = z.infer<typeof HandbookOverlay>;
