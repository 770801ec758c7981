import type { SiteTouches } from '../../core/links/model';
import type { TouchStep } from '../handbook/touches';
import { count } from './words';

/** A mark beside the first line of code that steps lead to. */
export interface GutterMark {
  /** From 1. */
  line: number;
  failing: boolean;
  words: string;
  /** Failing ones first. */
  steps: TouchStep[];
}

/** Marks of a file, one a line, in the order of the lines. */
export function gutterMarks(file: string, touches: readonly SiteTouches[]): GutterMark[] {
  const byLine = new Map<number, Map<string, TouchStep>>();
  for (const touch of touches) {
    if (touch.file !== file) continue;
    const steps = byLine.get(touch.start) ?? new Map<string, TouchStep>();
    for (const step of touch.steps) steps.set(`${step.run}#${step.step}`, step);
    byLine.set(touch.start, steps);
  }
  return [...byLine]
    .map(([line, found]) => {
      const steps = [...found.values()].sort((a, b) => Number(b.failing) - Number(a.failing) || a.step - b.step);
      const failing = steps.filter((step) => step.failing).length;
      const passing = steps.length - failing;
      const parts = [failing ? count(failing, 'failing step') : '', passing ? `${passing} passing` : ''];
      return { line, failing: failing > 0, words: parts.filter(Boolean).join(', '), steps };
    })
    .filter((mark) => mark.steps.length > 0)
    .sort((a, b) => a.line - b.line);
}

/** How many different failing steps lead into each file. */
export function failingByFile(touches: readonly SiteTouches[]): Map<string, number> {
  const files = new Map<string, Set<string>>();
  for (const { file, steps } of touches) {
    const known = files.get(file) ?? new Set<string>();
    for (const step of steps) if (step.failing) known.add(`${step.run}#${step.step}`);
    files.set(file, known);
  }
  return new Map([...files].filter(([, steps]) => steps.size > 0).map(([file, steps]) => [file, steps.size]));
}
