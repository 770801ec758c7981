import { z } from 'zod';
import type { Bridge } from '../shared/bridge';
import { type FromTracePage, RowFilter, type ToTracePage } from '../shared/traceProtocol';

/** Only ids and positions survive a reload; the rest is read again. */
export const SavedState = z.object({
  run: z.string(),
  selected: z.int(),
  filter: RowFilter,
  open: z.array(z.int()),
  raw: z.array(z.int()),
  outline: z.boolean(),
  markdown: z.boolean(),
});
export type SavedState = z.infer<typeof SavedState>;

export type TraceBridge = Bridge<ToTracePage, FromTracePage, SavedState>;
