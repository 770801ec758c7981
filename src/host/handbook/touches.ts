import type { Unit } from '../../core/handbook/model';
import type { SiteTouches } from '../../core/links/model';
import { count } from '../traces/words';

export type TouchStep = SiteTouches['steps'][number];

export interface UnitTouches {
  readonly failingSteps: readonly string[];
  readonly steps: readonly TouchStep[];
}

/** Counts by touches, then by unit: views are drawn far more often than either is computed anew. */
const counted = new WeakMap<readonly SiteTouches[], WeakMap<Pick<Unit, 'sites'>, UnitTouches>>();

/**
 * Steps that lead to a unit's sites, the failing ones as `run#step` so that they can be counted once. Counted once for
 * each pair of objects, so neither may be changed afterwards.
 */
export function touchesOfUnit(unit: Pick<Unit, 'sites'>, touches: readonly SiteTouches[]): UnitTouches {
  const units = counted.get(touches) ?? new WeakMap<Pick<Unit, 'sites'>, UnitTouches>();
  counted.set(touches, units);
  const found = units.get(unit) ?? countTouches(unit, touches);
  units.set(unit, found);
  return found;
}

const untouched: UnitTouches = { failingSteps: [], steps: [] };

function countTouches(unit: Pick<Unit, 'sites'>, touches: readonly SiteTouches[]): UnitTouches {
  if (touches.length === 0) return untouched;
  const steps = new Map<string, TouchStep>();
  for (const touch of touches) {
    const owns = unit.sites.some(
      (site) => site.file === touch.file && site.start <= touch.end && touch.start <= site.end,
    );
    if (!owns) continue;
    for (const step of touch.steps) steps.set(`${step.run}#${step.step}`, step);
  }
  const failingSteps = [...steps].filter(([, step]) => step.failing).map(([key]) => key);
  return { failingSteps, steps: [...steps.values()] };
}

/** One CodeLens: where, its words, and the steps behind it (failing first). */
export interface Lens {
  start: number;
  words: string;
  steps: TouchStep[];
}

/**
 * Lenses of a file, at most one a start line: "9 failing steps in 3 tasks | 2 passing".
 * Sites that only passing runs touched get none; they are no reason to look.
 */
export function lensesOf(file: string, touches: readonly SiteTouches[]): Lens[] {
  const byStart = new Map<number, Map<string, TouchStep>>();
  for (const touch of touches) {
    if (touch.file !== file) continue;
    const steps = byStart.get(touch.start) ?? new Map<string, TouchStep>();
    for (const step of touch.steps) steps.set(`${step.run}#${step.step}`, step);
    byStart.set(touch.start, steps);
  }
  return [...byStart]
    .map(([start, steps]): Lens => {
      const ordered = [...steps.values()].sort((a, b) => Number(b.failing) - Number(a.failing) || a.step - b.step);
      return { start, words: lensWords(ordered), steps: ordered };
    })
    .filter((lens) => lens.steps.some((step) => step.failing))
    .sort((a, b) => a.start - b.start);
}

function lensWords(steps: readonly TouchStep[]): string {
  const failing = steps.filter((step) => step.failing);
  const tasks = new Set(failing.map((step) => step.task ?? step.run)).size;
  return `${count(failing.length, 'failing step')} in ${count(tasks, 'task')} | ${steps.length - failing.length} passing`;
}
