import type { BehaviourMap, Unit } from '../model';

/**
 * Why a model may not move a unit; undefined when it may. A unit belongs to a stage only when one of its callers does, and
 * to another unit only when one of the two calls the other or both lie in one file.
 */
export function moveProblem(
  unit: Unit,
  to: { stage: string } | { into: Unit | undefined },
  map: BehaviourMap,
): string | undefined {
  if (unit.kind === 'main_loop') return 'the agent loop stays where it is';
  if (unit.edited === 'person') return 'a person placed it';
  if ('stage' in to) return stageProblem(unit, to.stage, map);
  const { into } = to;
  if (!into || into === unit) return 'there is no such other unit';
  if (into.kind === 'main_loop' && unit.order === undefined)
    return 'only steps of the round are parts of the agent loop';
  const isNear =
    into.calls.includes(unit.id) || unit.calls.includes(into.id) || into.sites[0]?.file === unit.sites[0]?.file;
  return isNear ? undefined : 'neither calls the other, and they lie in different files';
}

function stageProblem(unit: Unit, stage: string, map: BehaviourMap): string | undefined {
  const target = map.stages.find((one) => one.id === stage && one.kind !== 'subsystem');
  if (!target) return `there is no stage ${stage.slice(0, 40)}`;
  if (unit.order !== undefined) return 'it is a step of the round';
  const callers = map.units.filter((one) => unit.callers.includes(one.id));
  if (callers.length === 0) return 'no caller shows that it belongs there';
  return callers.some((caller) => caller.stage === stage) ? undefined : `none of its callers is in the stage ${stage}`;
}
