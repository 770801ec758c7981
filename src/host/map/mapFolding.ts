import type { BehaviourMap, Stage, Unit } from '../../core/handbook/model';

/** Which units of a map are drawn one by one. */
export interface Folding {
  /** Stages whose boxes are drawn, in order; of folders without a box only a fold is drawn. */
  stages: { stage: Stage; shown: Unit[]; hidden: Unit[]; open: boolean }[];
  /** Folders of code without a box of their own, largest share of failing steps and units first. */
  folders: { stage: Stage; hidden: Unit[] }[];
}

export interface FoldingInput {
  map: Pick<BehaviourMap, 'stages' | 'units' | 'loops'>;
  /** Stages a person unfolded. */
  opened: ReadonlySet<string>;
  /** Units that must be seen: selected, or found by a search. */
  wanted: ReadonlySet<string>;
  failing: (unit: Unit) => number;
  /** Most boxes of units and folds together. */
  limit: number;
}

/** Units a stage shows before anybody unfolds it. */
const loopShown = 40;
const stageShown = 10;

/**
 * Chooses the units to draw so that they and the folds stay within the limit. Steps in run order and units that failing
 * steps lead to come before helpers; a stage that was unfolded shows all it may.
 */
export function foldingOf(input: FoldingInput): Folding {
  const { map, opened, wanted } = input;
  const units = new Map(map.units.map((unit) => [unit.id, unit]));
  const loops = new Set(map.loops);
  const stages: Folding['stages'] = [];
  const folders: Folding['folders'] = [];
  const drawn = map.stages.filter((stage) => stage.units.length > 0);
  // Every stage may need one box for what it hides.
  let left = input.limit - drawn.length;
  const ranked = new Map(
    drawn.map((stage) => {
      const members = stage.units.flatMap((id) => units.get(id) ?? []);
      const ranked = members.map((unit) => ({ unit, rank: rankOf(unit, loops, wanted, input.failing) }));
      return [stage.id, ranked.sort((a, b) => b.rank - a.rank).map(({ unit }) => unit)];
    }),
  );
  const chosen = new Map<string, Set<string>>();
  const take = (stage: Stage, count: number) => {
    const members = ranked.get(stage.id)!;
    const now = Math.min(members.length, Math.max(count, members.filter((unit) => wanted.has(unit.id)).length), left);
    left -= now;
    chosen.set(stage.id, new Set(members.slice(0, now).map((unit) => unit.id)));
  };
  // What every stage shows comes first, so that one large unfolded stage cannot hide the others.
  for (const stage of drawn) take(stage, usualCount(stage));
  for (const stage of drawn) {
    if (!opened.has(stage.id)) continue;
    left += chosen.get(stage.id)!.size;
    take(stage, Number.POSITIVE_INFINITY);
  }
  for (const stage of drawn) {
    const shownIds = chosen.get(stage.id)!;
    const members = stage.units.flatMap((id) => units.get(id) ?? []);
    const hidden = members.filter((unit) => !shownIds.has(unit.id));
    if (stage.kind === 'subsystem' && shownIds.size === 0) folders.push({ stage, hidden });
    else {
      const shown = members.filter((unit) => shownIds.has(unit.id));
      stages.push({ stage, shown, hidden, open: opened.has(stage.id) });
    }
  }
  const weights = new Map(
    folders.map(({ stage, hidden }) => [
      stage.id,
      hidden.reduce((sum, unit) => sum + input.failing(unit), 0) * 1000 + hidden.length,
    ]),
  );
  folders.sort((a, b) => weights.get(b.stage.id)! - weights.get(a.stage.id)!);
  return { stages, folders };
}

function usualCount(stage: Stage): number {
  if (stage.kind === 'subsystem') return 0;
  return stage.kind === 'loop' ? loopShown : stageShown;
}

/** How much a unit deserves a box of its own; stages keep their order among equals. */
function rankOf(
  unit: Unit,
  loops: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  failing: (unit: Unit) => number,
): number {
  if (wanted.has(unit.id)) return 1e9;
  const used = Math.min(50, unit.calls.length + unit.callers.length);
  const named = unit.kind === 'other' ? 0 : 100;
  const step = unit.order === undefined ? 0 : 2000;
  const loop = loops.has(unit.id) || unit.kind === 'main_loop' ? 4000 : 0;
  const edited = unit.edited === 'person' ? 1000 : 0;
  return loop + step + edited + Math.min(1000, failing(unit) * 50) + named + used;
}
