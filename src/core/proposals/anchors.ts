import { diffLineChanges } from './blocks';
import { byPlace, composeFile } from './compose';
import { type Fate, fateOf } from './concurrent';
import { splitLines } from './lines';
import type { Hunk } from './model';

/** Where a hunk goes in the present text (line from 0), or why it cannot go anywhere. */
export type Placement = { start: number } | { stale: string; conflict?: Conflict };

/** What stands where a hunk should go: lines from 0, and their text. */
export interface Conflict {
  start: number;
  text: string;
}

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
 * `applied` hunks, places are exact. Else the change of the person and the hunk are merged by lines, as with diff3:
 * a hunk goes where its lines went. The lines around it must say the same, and where both changed the same lines it is
 * a conflict. Text that was moved as a whole is found by its lines, when they occur once.
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
  const changes = diffLineChanges(baseLines, lines);
  return withoutCollisions(
    hunks,
    hunks.map((hunk) => {
      if (hunk.action === 'create') return { stale: 'a file of this name was made meanwhile' };
      if (present === null) return { stale: 'the file was removed since' };
      if (hunk.action === 'delete') return { stale: 'the file was changed since' };
      return mergedPlace(baseLines, lines, hunk, fateOf(changes, hunk));
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

function mergedPlace(base: readonly string[], lines: readonly string[], hunk: Hunk, fate: Fate): Placement {
  if (fate.kind === 'same') return { stale: 'the file has this change already' };
  const found = searchPlace(base, lines, hunk);
  const start = decide(fate, found);
  if (start === 'twice') return { stale: 'the lines around it occur more than once now' };
  if (start !== undefined && !gluesLines(lines, hunk, start)) return { start };
  const span = fate.kind === 'changed' ? fate : { start: fate.start, end: fate.start + hunk.removed.length };
  const text = lines.slice(span.start, span.end).join('');
  return {
    stale: 'the lines it changes, or those around them, were changed since',
    conflict: { start: span.start, text },
  };
}

/** The place that merge and search agree on; undefined when there is none. */
function decide(fate: Fate, found: Found): number | 'twice' | undefined {
  if (fate.kind === 'changed') return found.kind === 'once' ? found.start : undefined;
  if (fate.kind === 'same' || found.kind === 'nowhere') return undefined;
  if (found.kind === 'once') return found.start === fate.start ? found.start : 'twice';
  // Lines that always stood there more than once are told apart by the merge; new copies are not.
  return found.alsoInBase ? fate.start : 'twice';
}

/** A text without a final line end may only stand at the end of the file, or it would swallow the start of the next line. */
function gluesLines(lines: readonly string[], hunk: Hunk, start: number): boolean {
  const before = lines[start - 1];
  const isOpen = (text: string) => text !== '' && !text.endsWith('\n');
  if (before !== undefined && isOpen(before)) return true;
  return isOpen(hunk.newText) && start + hunk.removed.length < lines.length;
}

type Found = { kind: 'once'; start: number } | { kind: 'more'; alsoInBase: boolean } | { kind: 'nowhere' };

function searchPlace(baseLines: readonly string[], lines: readonly string[], hunk: Hunk): Found {
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
    if (places.length === 1) return { kind: 'once', start: places[0]! + before.length };
    if (places.length > 1) return { kind: 'more', alsoInBase: occurrences(baseLines, wanted).length > 1 };
  }
  return { kind: 'nowhere' };
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
