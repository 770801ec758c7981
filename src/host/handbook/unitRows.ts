import type { BehaviourMap, Unit } from '../../core/handbook/model';
import type { NodeTarget } from '../tree/treeNode';
import { UnitFinder } from './anchors';

/** Ids of the rows of the Handbook view that lead to a unit, from the root down; empty for a unit of no stage. */
export function pathToUnit(unit: Pick<Unit, 'id'>, map: BehaviourMap): string[] {
  const stage = UnitFinder.of(map).stageOf(unit);
  if (!stage) return [];
  const path = [`stage:${stage.id}`, `stage:${stage.id}/unit:${unit.id}`];
  return stage.kind === 'subsystem' ? ['subsystems', ...path] : path;
}

/** Whether a row stands for the unit or for a place inside its code. */
export function leadsTo(target: NodeTarget | undefined, unit: Pick<Unit, 'id' | 'sites'>): boolean {
  if (target?.kind === 'unit') return target.unit === unit.id;
  if (target?.kind !== 'site') return false;
  const { file, start, end } = target.place;
  return unit.sites.some((site) => site.file === file && site.start <= start && end <= site.end);
}
