import type { LineChange } from './blocks';
import type { Hunk } from './model';

/**
 * What the changes of a person did to the lines of a hunk. `kept`: they stand untouched at `start`. `same`: the person
 * made the very change of the hunk. `changed`: these lines of the present text stand where the hunk would go.
 * Lines from 0; `end` is not included.
 */
export type Fate = { kind: 'kept'; start: number } | { kind: 'same' } | { kind: 'changed'; start: number; end: number };

/** Follows a hunk through changes of the base, given in order and not touching each other. */
export function fateOf(changes: readonly LineChange[], hunk: Hunk): Fate {
  const start = hunk.baseStart - 1;
  const end = start + hunk.removed.length;
  if (changes.some((one) => one.start === start && one.end === end && one.newText === hunk.newText)) {
    return { kind: 'same' };
  }
  const clashing = changes.filter((change) => clashes(change, start, end));
  if (clashing.length === 0) return { kind: 'kept', start: start + shiftBefore(changes, start) };
  const first = Math.min(start, ...clashing.map((change) => change.start));
  const last = Math.max(end, ...clashing.map((change) => change.end));
  const from =
    first +
    shiftBefore(
      changes.filter((change) => change.end < first),
      first,
    );
  const inside = changes.filter((change) => change.start >= first && change.end <= last);
  return {
    kind: 'changed',
    start: from,
    end: from + (last - first) + inside.reduce((sum, one) => sum + growth(one), 0),
  };
}

/** An insertion stands between two lines: a change of either, or another insertion there, leaves its place open. */
function clashes(change: LineChange, start: number, end: number): boolean {
  if (start === end) return change.start <= start && change.end >= start;
  return change.start < end && change.end > start;
}

/** How many lines further down the line `start` stands now. */
function shiftBefore(changes: readonly LineChange[], start: number): number {
  return changes.filter((change) => change.end <= start).reduce((shift, one) => shift + growth(one), 0);
}

function growth(change: LineChange): number {
  return lineCount(change.newText) - (change.end - change.start);
}

function lineCount(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
