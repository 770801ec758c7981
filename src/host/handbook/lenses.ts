import type { BehaviourMap, Unit } from '../../core/handbook/model';
import type { SiteTouches } from '../../core/links/model';
import type { CommandId } from '../ids';
import { lineInEdited, UnitFinder } from './anchors';
import { type Lens, lensesOf, touchesOfUnit } from './touches';
import { lensTitle } from './unitWords';

/** Where a lens goes and what it will say; the words are made only when it is seen. */
export interface PlannedLens {
  file: string;
  /** From 1, in the text as it is now. */
  line: number;
  /** Units that start there; empty for code that only traces lead to. */
  units: string[];
  /** Steps that lead to this line of code although no unit starts there. */
  touched: Lens | null;
}

export interface LensText {
  title: string;
  tooltip: string;
  command: CommandId;
  arguments: unknown[];
}

/**
 * Lenses of a file, at most one a line: anchors of units, and touched code that is no anchor. Helpers that belong to no
 * behaviour, and steps inside a function that has a lens of its own, get one only where failing steps lead to them: a
 * lens above every few lines would hide the code.
 */
export function lensPlan(
  map: BehaviourMap,
  file: string,
  touches: readonly SiteTouches[],
  edited: readonly string[] | null,
): PlannedLens[] {
  const plan = new Map<number, PlannedLens>();
  for (const { line, units } of UnitFinder.of(map).anchors(file)) {
    const told = units.filter((unit) => isDefinition(unit) || failing(unit, touches));
    const [first] = told;
    if (!first) continue;
    const now = edited ? lineInEdited(first.sites[0]!, edited) : line;
    plan.set(now, { file, line: now, units: told.map((unit) => unit.id), touched: null });
  }
  for (const touched of lensesOf(file, touches)) {
    const known = plan.get(touched.start);
    if (known) known.touched = touched;
    else plan.set(touched.start, { file, line: touched.start, units: [], touched });
  }
  return [...plan.values()].sort((a, b) => a.line - b.line);
}

/** Whether a unit owns definitions; a region of somebody else's function owns none. */
function isDefinition(unit: Unit): boolean {
  return unit.kind !== 'other' && unit.members.length > 0;
}

function failing(unit: Unit, touches: readonly SiteTouches[]): boolean {
  return touchesOfUnit(unit, touches).failingSteps.length > 0;
}

/** Words and command of a lens; null when its units are gone from the map. */
export function lensText(lens: PlannedLens, map: BehaviourMap, touches: readonly SiteTouches[]): LensText | null {
  const finder = UnitFinder.of(map);
  const units = lens.units.flatMap((id) => finder.unit(id) ?? []);
  const [first] = units;
  if (!first) {
    if (!lens.touched) return null;
    return {
      title: lens.touched.words,
      tooltip: 'Steps of traces that lead to this code',
      command: 'harnessmith.showSteps',
      arguments: [lens.file, lens.touched.start],
    };
  }
  const title = lensTitle(units, map, touches);
  const touched = units.find((unit) => failing(unit, touches));
  return touched
    ? {
        title,
        tooltip: 'Steps of traces that lead to this behaviour',
        command: 'harnessmith.showUnitSteps',
        arguments: [touched.id],
      }
    : { title, tooltip: first.summary, command: 'harnessmith.openUnitPage', arguments: [first.id] };
}
