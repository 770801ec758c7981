import type { BehaviourMap, Unit } from '../../core/handbook/model';

/** Stages a unit can be moved to, and back to where it was derived for when a person or a model moved it. */
export function stageChoices(
  unit: Unit,
  map: BehaviourMap,
): { label: string; description: string; stage: string | null }[] {
  const stages = map.stages
    .filter((stage) => stage.id !== unit.stage)
    .map((stage) => ({
      label: stage.title,
      description: `${stage.units.length} units`,
      stage: stage.id as string | null,
    }));
  if (!unit.edited) return stages;
  return [{ label: 'Back to the stage it was derived for', description: '', stage: null }, ...stages];
}

export interface Separable {
  label: string;
  description: string;
  key: string;
}

/** All units that were merged into others. */
export function separable(map: BehaviourMap): Separable[] {
  const titles = new Map(map.units.map((unit) => [unit.id, unit.title]));
  return Object.entries(map.overlay?.merged ?? {}).map(([key, into]) => ({
    label: key.replace(/^unit:/, ''),
    description: `merged into ${titles.get(into) ?? into}`,
    key,
  }));
}

/** The units that were merged into this one. */
export function mergedUnits(unit: Pick<Unit, 'id'>, map: BehaviourMap): Separable[] {
  const merged = map.overlay?.merged ?? {};
  return separable(map).filter(({ key }) => merged[key] === unit.id);
}
