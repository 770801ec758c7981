import { z } from 'zod';

/** What the map draws: a unit, or a box that stands for units that are not drawn one by one. */
export const MapNode = z.object({
  /** Id of the unit; of the stage with `fold:` before it for a fold. */
  id: z.string(),
  kind: z.enum(['unit', 'fold']),
  /** Stage whose box it lies in. */
  stage: z.string(),
  title: z.string(),
  /** Codicon that repeats the kind of behaviour. */
  icon: z.string(),
  /** `src/parser.ts:24-37`; for a fold, how many units it stands for. */
  detail: z.string(),
  summary: z.string(),
  /** Position in the run order of its stage; null where order means nothing. */
  step: z.int().nullable(),
  /** Failing steps that lead to it, each counted once. */
  failing: z.int(),
  /** Tokens and US dollars of the turns that lead to it; null while unknown or not recorded. */
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  /** That the code changed since it was indexed. */
  changed: z.enum(['moved', 'stale']).nullable(),
});
export type MapNode = z.infer<typeof MapNode>;

/** An arrow between two nodes, by their positions in `nodes`. */
export const MapEdge = z.object({
  from: z.int(),
  to: z.int(),
  /** order: the next step of the run; again: from the last step of the loop to the first. */
  kind: z.enum(['order', 'again', 'calls', 'may']),
  /** How many calls between units it stands for; more than one where a fold hides some. */
  count: z.int(),
});
export type MapEdge = z.infer<typeof MapEdge>;

export const MapStage = z.object({
  id: z.string(),
  kind: z.enum(['configure', 'setup', 'onset', 'loop', 'finish', 'side_flow', 'cross_cut', 'subsystem']),
  title: z.string(),
  units: z.int(),
  shown: z.int(),
  failing: z.int(),
  /** True when a person unfolded it. */
  open: z.boolean(),
});
export type MapStage = z.infer<typeof MapStage>;

export const MapView = z.object({
  harness: z.string(),
  stages: z.array(MapStage),
  nodes: z.array(MapNode),
  edges: z.array(MapEdge),
  /** Units of the whole handbook, drawn or not. */
  units: z.int(),
  /** Whether any trace was read, so that no failing step means something. */
  traced: z.boolean(),
  costs: z.enum(['none', 'loading', 'ready']),
  /** What was not found, and other things to know, in words. */
  notes: z.array(z.string()),
});
export type MapView = z.infer<typeof MapView>;

export const MapMatch = z.object({ unit: z.string(), title: z.string(), stage: z.string(), detail: z.string() });
export type MapMatch = z.infer<typeof MapMatch>;

/** Messages of the map page to its host. */
export const FromMapPage = z.discriminatedUnion('type', [
  /** What was unfolded and selected before the page was closed. */
  z.object({ type: z.literal('ready'), opened: z.array(z.string()), selected: z.string().nullable() }),
  z.object({ type: z.literal('openCode'), unit: z.string() }),
  z.object({ type: z.literal('openPage'), unit: z.string() }),
  z.object({ type: z.literal('showSteps'), unit: z.string() }),
  z.object({ type: z.literal('fold'), stage: z.string(), open: z.boolean() }),
  z.object({ type: z.literal('costs') }),
  z.object({ type: z.literal('search'), request: z.int(), text: z.string() }),
  /** Makes a unit visible that a fold hides. */
  z.object({ type: z.literal('show'), unit: z.string() }),
]);
export type FromMapPage = z.infer<typeof FromMapPage>;

/** Messages of the host to the map page. Each stays below 256 KB. */
export const ToMapPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('view'), view: MapView }),
  /** Selects a unit and brings it into sight. */
  z.object({ type: z.literal('focus'), unit: z.string() }),
  z.object({ type: z.literal('found'), request: z.int(), matches: z.array(MapMatch), total: z.int() }),
  z.object({ type: z.literal('failed'), message: z.string(), nextStep: z.string().nullable() }),
]);
export type ToMapPage = z.infer<typeof ToMapPage>;
