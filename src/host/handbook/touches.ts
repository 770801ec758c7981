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

/** How many failing steps lead to any of these units; a step that leads to several counts once. */
export function failingStepsOf(units: readonly Pick<Unit, 'sites'>[], touches: readonly SiteTouches[]): number {
  return new Set(units.flatMap((unit) => touchesOfUnit(unit, touches).failingSteps)).size;
}

/** Touches by file, so that counting for all units of a map does not go through all touches for each. */
const byFile = new WeakMap<readonly SiteTouches[], Map<string, SiteTouches[]>>();

function touchesIn(file: string, touches: readonly SiteTouches[]): readonly SiteTouches[] {
  let files = byFile.get(touches);
  if (!files) {
    files = new Map();
    for (const touch of touches) {
      const known = files.get(touch.file);
      if (known) known.push(touch);
      else files.set(touch.file, [touch]);
    }
    byFile.set(touches, files);
  }
  return files.get(file) ?? [];
}

function countTouches(unit: Pick<Unit, 'sites'>, touches: readonly SiteTouches[]): UnitTouches {
  const steps = new Map<string, TouchStep>();
  for (const file of new Set(unit.sites.map((site) => site.file))) {
    const sites = unit.sites.filter((site) => site.file === file);
    for (const touch of touchesIn(file, touches)) {
      if (!sites.some((site) => site.start <= touch.end && touch.start <= site.end)) continue;
      for (const step of touch.steps) steps.set(`${step.run}#${step.step}`, step);
    }
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
  for (const touch of touchesIn(file, touches)) {
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

/** "9 failing steps in 3 tasks"; a run without a task counts as one of its own. */
export function failingStepWords(failing: readonly TouchStep[]): string {
  const tasks = new Set(failing.map((step) => step.task ?? step.run)).size;
  return `${count(failing.length, 'failing step')} in ${count(tasks, 'task')}`;
}

function lensWords(steps: readonly TouchStep[]): string {
  const failing = steps.filter((step) => step.failing);
  return `${failingStepWords(failing)} | ${steps.length - failing.length} passing`;
}
