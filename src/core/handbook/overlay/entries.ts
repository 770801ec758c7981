import type { BehaviourMap, Unit } from '../model';
import { symbolsOf } from './find';
import type { HandbookOverlay, OverlayEntry } from './model';
import { textOf } from './words';

/** The key of the entry of a unit, under its present id. Words a model wrote in the old form move to `model`'s place. */
export function ensureEntry(
  overlay: HandbookOverlay,
  map: BehaviourMap,
  unit: Unit,
  by: 'person' | 'model' = 'person',
): string {
  const symbols = symbolsOf(unit);
  const merged = map.overlay?.merged ?? {};
  const old = Object.entries(map.overlay?.placed ?? {}).find(
    ([key, id]) => id === unit.id && merged[key] === undefined,
  )?.[0];
  const key = overlay.units[unit.id] || old === undefined || !overlay.units[old] ? unit.id : old;
  if (key !== unit.id) renameKey(overlay, key, unit.id);
  const entry = overlay.units[unit.id];
  const isPersons = by === 'person' || entry?.by === 'person';
  overlay.units[unit.id] = isPersons
    ? { ...byPerson(entry, unit), by: 'person', symbols }
    : { ...entry, by: 'model', symbols };
  return unit.id;
}

/** The fields of an entry may be a model's; they stay the model's when a person adds to it. */
function byPerson(entry: OverlayEntry | undefined, unit: Unit): Partial<OverlayEntry> {
  if (entry?.by !== 'model') return entry ?? {};
  const { by: _by, symbols, pinned, model, ...said } = entry;
  const words = { model: 'unknown', at: '', text: textOf(unit.sites), ...said, ...model };
  return { symbols, pinned, model: words };
}

/** An entry whose unit has another id now goes on under that id, with all that refers to it. */
function renameKey(overlay: HandbookOverlay, from: string, to: string): void {
  const entry = overlay.units[from] as OverlayEntry;
  delete overlay.units[from];
  overlay.units[to] = entry;
  for (const other of Object.values(overlay.units)) {
    if (other.mergedInto === from) other.mergedInto = to;
    if (other.model?.mergedInto === from) other.model.mergedInto = to;
  }
  for (const member of Object.values(overlay.members ?? {})) if (member.unit === from) member.unit = to;
}

/** Leaves out entries that say nothing and that nothing refers to. */
export function tidy(overlay: HandbookOverlay): HandbookOverlay {
  const needed = new Set(Object.values(overlay.members ?? {}).map((member) => member.unit));
  for (const entry of Object.values(overlay.units)) {
    for (const key of [entry.mergedInto, entry.model?.mergedInto]) if (key !== undefined) needed.add(key);
  }
  const units = Object.entries(overlay.units).filter(
    ([key, { by: _by, symbols: _symbols, ...said }]) =>
      needed.has(key) || Object.values(said).some((value) => value !== undefined),
  );
  const { members = {}, ...rest } = overlay;
  return { ...rest, units: Object.fromEntries(units), ...(Object.keys(members).length > 0 ? { members } : {}) };
}
