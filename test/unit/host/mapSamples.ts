import type { BehaviourMap, Unit } from '../../../src/core/handbook';
import type { MapViewInput } from '../../../src/host/map/mapView';
import { mapOf, unitOf } from './fakes';

/** A map with as many units a stage as asked for; every unit calls the next one of the whole map. */
export function mapWith(counts: Partial<Record<string, number>>): BehaviourMap {
  const kinds = ['configure', 'setup', 'onset', 'loop', 'finish', 'side_flow', 'cross_cut'] as const;
  const stages: BehaviourMap['stages'] = [];
  const units: Unit[] = [];
  for (const [name, count = 0] of Object.entries(counts)) {
    const kind = kinds.find((one) => one === name) ?? 'subsystem';
    const own = Array.from({ length: count }, (_, at) =>
      unitOf({
        id: `${name}-${at}`,
        title: `Unit ${at} of ${name}`,
        stage: name,
        kind: kind === 'subsystem' ? 'other' : 'response_parse',
        order: kind === 'loop' && at < 5 ? at + 1 : undefined,
        sites: [{ file: `src/${name}.ts`, symbol: `f${at}`, start: at * 10 + 1, end: at * 10 + 5, hash: 'h' }],
      }),
    );
    stages.push({
      id: name,
      kind,
      title: kind === 'subsystem' ? `Subsystem ${name}` : name,
      units: own.map(({ id }) => id),
    });
    units.push(...own);
  }
  units.forEach((unit, at) => {
    unit.calls = units[at + 1] ? [units[at + 1]!.id] : [];
  });
  return { ...mapOf(units), stages, loops: units.some(({ id }) => id === 'loop-0') ? ['loop-0'] : [] };
}

export function inputOf(map: BehaviourMap, over: Partial<MapViewInput> = {}): MapViewInput {
  return {
    map,
    touches: [],
    states: new Map(),
    costs: null,
    costsLoading: false,
    traced: false,
    opened: new Set(),
    wanted: new Set(),
    ...over,
  };
}
