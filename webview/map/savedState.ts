import { z } from 'zod';
import type { Bridge } from '../shared/bridge';
import type { FromMapPage, ToMapPage } from '../shared/mapProtocol';
import { heatKinds } from './heat';

/** Ids and positions only; what they stand for is read again. */
export const SavedState = z.object({
  selected: z.string().nullable(),
  opened: z.array(z.string()),
  viewport: z.object({ x: z.number(), y: z.number(), scale: z.number().min(0.01).max(10) }).nullable(),
  heat: z.enum(heatKinds),
  /** Whose calls are drawn. */
  calls: z.enum(['selected', 'all', 'none']),
  list: z.boolean(),
});
export type SavedState = z.infer<typeof SavedState>;

export const startState: SavedState = {
  selected: null,
  opened: [],
  viewport: null,
  heat: 'failing',
  calls: 'selected',
  list: false,
};

export type MapBridge = Bridge<ToMapPage, FromMapPage, SavedState>;
