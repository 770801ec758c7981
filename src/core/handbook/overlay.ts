import type { Harness } from '../harness';
import { parseJson, readTextIfPresent, storePaths, writeJsonFile } from '../store';
import { type BehaviourMap, HandbookOverlay, type Unit } from './model';

const empty: HandbookOverlay = { schemaVersion: 1, units: {} };

/**
 * What people and models added to the map; empty when there is no `handbook.json`.
 * @throws InputError naming the file and the place when it does not fit the schema.
 */
export async function loadOverlay(harness: Pick<Harness, 'root'>): Promise<HandbookOverlay> {
  const file = storePaths(harness.root).handbookJson;
  const text = await readTextIfPresent(file);
  return text === undefined ? empty : parseJson(text, HandbookOverlay, file);
}

/** Writes the overlay with its keys sorted, so that two people's additions merge. */
export async function saveOverlay(harness: Pick<Harness, 'root'>, overlay: HandbookOverlay): Promise<void> {
  const units = Object.fromEntries(Object.entries(overlay.units).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeJsonFile(storePaths(harness.root).handbookJson, HandbookOverlay.parse({ ...overlay, units }));
}

/** The map with titles, descriptions and stages of the overlay; entries for units that do not exist change nothing. */
export function applyOverlay(map: BehaviourMap, overlay: HandbookOverlay): BehaviourMap {
  if (Object.keys(overlay.units).length === 0) return map;
  const stageIds = new Set(map.stages.map((stage) => stage.id));
  const units = map.units.map((unit): Unit => {
    const added = overlay.units[unit.id];
    if (!added) return unit;
    const stage = added.stage !== undefined && stageIds.has(added.stage) ? added.stage : unit.stage;
    return {
      ...unit,
      title: added.title ?? unit.title,
      summary: added.description ?? unit.summary,
      stage,
      edited: added.by,
    };
  });
  const moved = new Map(units.map((unit) => [unit.id, unit.stage]));
  const stages = map.stages.map((stage) => ({
    ...stage,
    units: [
      ...stage.units.filter((id) => moved.get(id) === stage.id),
      ...units.filter((unit) => unit.stage === stage.id && !stage.units.includes(unit.id)).map((unit) => unit.id),
    ],
  }));
  return { ...map, units, stages: stages.filter((stage) => stage.units.length > 0) };
}

/** Entries of the overlay that no unit answers to any more, with the places they name. */
export function orphans(map: BehaviourMap, overlay: HandbookOverlay): string[] {
  const known = new Set(map.units.map((unit) => unit.id));
  return Object.keys(overlay.units).filter((id) => !known.has(id));
}
