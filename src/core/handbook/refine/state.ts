import { join } from 'node:path';
import { z } from 'zod';
import { parseJson, readTextIfPresent, storePaths, writeJsonFile } from '../../store';
import type { BehaviourMap, Unit } from '../model';
import { textOf } from '../overlay';

/** What was asked before, so that a run goes on where another one ended. Losing it costs only money. */
const RefineState = z.object({
  schemaVersion: z.literal(1),
  /** By unit id: the text that was described, and by which model. */
  units: z.record(z.string(), z.object({ text: z.string(), model: z.string() })),
});
type RefineState = z.infer<typeof RefineState>;

function stateFile(root: string): string {
  return join(storePaths(root).cache, 'handbook-refine.json');
}

export async function readState(root: string): Promise<RefineState> {
  const text = await readTextIfPresent(stateFile(root));
  if (text === undefined) return { schemaVersion: 1, units: {} };
  return parseJson(text, RefineState, stateFile(root));
}

/** Remembers that a model was asked about the present text of units. */
export async function rememberUnits(root: string, units: readonly Unit[], model: string): Promise<void> {
  const state = await readState(root);
  for (const unit of units) state.units[unit.id] = { text: textOf(unit.sites), model };
  await writeJsonFile(stateFile(root), state);
}

/**
 * The units worth a model's words, most important first: the agent loop and its steps, then what many call. Code of no
 * special behaviour stays out, and so do units that a person named and described.
 */
export function worthDescribing(map: BehaviourMap): Unit[] {
  const rank = (unit: Unit): number => {
    if (unit.kind === 'main_loop') return 0;
    return unit.stage === 'loop' && unit.order !== undefined ? 1 : 2;
  };
  return map.units
    .filter((unit) => unit.kind !== 'other' && unit.kind !== 'config_defaults')
    .filter((unit) => !(unit.words?.title === 'person' && unit.words.summary === 'person'))
    .map((unit, index) => ({ unit, index }))
    .sort(
      (a, b) =>
        rank(a.unit) - rank(b.unit) ||
        (rank(a.unit) === 1 ? (a.unit.order ?? 0) - (b.unit.order ?? 0) : 0) ||
        b.unit.callers.length - a.unit.callers.length ||
        a.index - b.index,
    )
    .map(({ unit }) => unit);
}

/** Units whose present text this model was not asked about. */
export function notYetAsked(units: readonly Unit[], state: RefineState, model: string): Unit[] {
  return units.filter((unit) => {
    const known = state.units[unit.id];
    return known?.text !== textOf(unit.sites) || known.model !== model;
  });
}
