import { byPlace, composeFile } from './compose';
import { splitLines } from './lines';
import type { Hunk } from './model';

/** Where a hunk goes in the present text (line from 0), or why it cannot go anywhere. */
export type Placement = { start: number } | { stale: string };

/** Context lines before and after that must match, tried in this order. */
const contexts: readonly (readonly [number, number])[] = [
  [3, 3],
  [2, 2],
  [1, 1],
  [3, 0],
  [0, 3],
];

/**
 * Finds the places of hunks of one file in its present text, in the order given. When the text is the base with
 * `applied` hunks, places are exact. Else each hunk is looked for by its removed lines and the lines around it,
 * and only a place that is the only one counts.
 */
export function placeHunks(
  base: string | null,
  present: string | null,
  hunks: readonly Hunk[],
  applied: readonly Hunk[] = [],
): Placement[] {
  const appliedNumbers = applied.map((hunk) => hunk.number);
  if (present === base) return hunks.map((hunk) => ({ start: hunk.baseStart - 1 }));
  if (applied.length > 0 && present === composeFile(base, applied, appliedNumbers)) {
    return hunks.map((hunk) => ({ start: hunk.baseStart - 1 + shiftBefore(hunk, applied) }));
  }
  const lines = splitLines(present ?? '');
  const baseLines = splitLines(base ?? '');
  return withoutCollisions(
    hunks,
    hunks.map((hunk) => {
      if (hunk.action === 'create') return { stale: 'a file of this name was made meanwhile' };
      if (present === null) return { stale: 'the file was removed since' };
      if (hunk.action === 'delete') return { stale: 'the file was changed since' };
      return searchPlace(baseLines, lines, hunk);
    }),
  );
}

/** The text with hunks put at their places; stale ones must be left out before. */
export function composePlaced(present: string | null, placed: readonly { hunk: Hunk; start: number }[]): string | null {
  const moved = placed.map(({ hunk, start }, index) => ({ ...hunk, number: index + 1, baseStart: start + 1 }));
  return composeFile(
    present,
    moved,
    moved.map((hunk) => hunk.number),
  );
}

function shiftBefore(hunk: Hunk, applied: readonly Hunk[]): number {
  return applied
    .filter((other) => byPlace(other, hunk) < 0)
    .reduce((shift, other) => shift + other.added.length - other.removed.length, 0);
}

function searchPlace(baseLines: readonly string[], lines: readonly string[], hunk: Hunk): Placement {
  const removed = splitLines(hunk.oldText);
  const start = hunk.baseStart - 1;
  for (const [wantedBefore, wantedAfter] of contexts) {
    const before = baseLines.slice(Math.max(0, start - wantedBefore), start);
    const after = baseLines.slice(start + removed.length, start + removed.length + wantedAfter);
    // A pure insertion has nothing of its own to match, so it needs its neighbours on both sides.
    if (removed.length === 0 && (wantedBefore === 0 || wantedAfter === 0)) continue;
    if (removed.length + before.length + after.length === 0) continue;
    const wanted = [...before, ...removed, ...after];
    const places = occurrences(lines, wanted);
    if (places.length === 1) return { start: places[0]! + before.length };
    if (places.length > 1) return { stale: 'the lines around it occur more than once now' };
  }
  return { stale: 'the lines it changes, or those around them, were changed since' };
}

/** The first two places where the wanted lines stand one after the other. */
function occurrences(lines: readonly string[], wanted: readonly string[]): number[] {
  const places: number[] = [];
  for (let start = 0; start + wanted.length <= lines.length && places.length < 2; start++) {
    if (wanted.every((line, index) => lines[start + index] === line)) places.push(start);
  }
  return places;
}

function withoutCollisions(hunks: readonly Hunk[], placements: Placement[]): Placement[] {
  const collides = (first: number, second: number) => {
    const a = placements[first]!;
    const b = placements[second]!;
    if ('stale' in a || 'stale' in b) return false;
    const endOfA = a.start + hunks[first]!.removed.length;
    return a.start <= b.start && b.start < endOfA;
  };
  return placements.map((placement, index) => {
    const other = hunks.findIndex((_, at) => at !== index && (collides(index, at) || collides(at, index)));
    if (other === -1) return placement;
    return { stale: `its place is the same as that of hunk ${hunks[other]!.number} now` };
  });
}
