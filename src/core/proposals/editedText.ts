import { diffLineChanges, type LineChange } from './blocks';
import { byPlace } from './compose';
import { splitLines, withoutEnding } from './lines';
import type { Hunk, Review } from './model';
import type { StoredProposal } from './proposalStore';

/** A hunk as it will be written: with what the person typed into it. */
export interface EffectiveHunk extends Hunk {
  /** Numbers of other hunks the person's text was typed across; all are taken together or none. */
  alsoNeeds: number[];
}

/** The hunks of one file of a proposal with the person's edits of the right side worked in. */
export function effectiveHunks(stored: StoredProposal, review: Review, file: string): EffectiveHunk[] {
  const hunks = stored.hunks.filter((hunk) => hunk.file === file).sort(byPlace);
  const edited = review.edited[file];
  const plain = hunks.map((hunk) => ({ ...hunk, alsoNeeds: [] }));
  if (edited === undefined || plain.length === 0) return plain;
  const [first] = plain;
  if (first!.action !== 'replace') return [withText(first!, 1, first!.oldText, edited)];
  return workIn(stored.baseTexts.get(file) ?? '', hunks, edited);
}

/** A stretch of the proposed text: kept base lines, or the new lines of a hunk. Lines from 0. */
interface Stretch {
  start: number;
  end: number;
  baseStart: number;
  baseEnd: number;
  hunk?: Hunk;
}

interface Group {
  hunks: Stretch[];
  changes: LineChange[];
}

/**
 * Works by the difference between the proposed and the edited text, so hunks that the person left alone stay
 * exactly as they were. A change beside or in a hunk becomes part of it; any other goes with the nearest hunk.
 */
function workIn(base: string, hunks: readonly Hunk[], edited: string): EffectiveHunk[] {
  const baseLines = splitLines(base);
  const { stretches, lines } = proposedStretches(baseLines, hunks);
  const changes = diffLineChanges(lines, splitLines(edited));
  const owned = stretches.filter((stretch) => stretch.hunk);
  return groupsOf(owned, changes).map((group) => {
    const spans = [...group.hunks, ...group.changes];
    const start = Math.min(...spans.map((span) => span.start));
    const end = Math.max(...spans.map((span) => span.end));
    const baseStart = group.hunks.find((stretch) => stretch.start === start)?.baseStart ?? toBase(stretches, start);
    const lastHunk = group.hunks.findLast((stretch) => stretch.end === end);
    const baseEnd = lastHunk?.baseEnd ?? toBase(stretches, end);
    const oldText = baseLines.slice(baseStart, baseEnd).join('');
    const newText = changedLines(lines, start, end, group.changes);
    const numbers = group.hunks.map((stretch) => stretch.hunk!.number).sort((a, b) => a - b);
    const [number] = numbers;
    const owner = number === undefined ? nearest(owned, start) : hunks.find((hunk) => hunk.number === number)!;
    return { ...withText(owner, baseStart + 1, oldText, newText), alsoNeeds: numbers.slice(1) };
  });
}

function proposedStretches(baseLines: readonly string[], hunks: readonly Hunk[]) {
  const stretches: Stretch[] = [];
  const lines: string[] = [];
  let baseAt = 0;
  const add = (added: readonly string[], baseEnd: number, hunk?: Hunk) => {
    const start = lines.length;
    lines.push(...added);
    stretches.push({ start, end: lines.length, baseStart: baseAt, baseEnd, hunk });
    baseAt = baseEnd;
  };
  for (const hunk of hunks) {
    add(baseLines.slice(baseAt, hunk.baseStart - 1), hunk.baseStart - 1);
    add(splitLines(hunk.newText), baseAt + hunk.removed.length, hunk);
  }
  add(baseLines.slice(baseAt), baseLines.length);
  return { stretches, lines };
}

/** Every hunk is in exactly one group, and hunks are in one group when a change joins them. */
function groupsOf(owned: readonly Stretch[], changes: readonly LineChange[]): Group[] {
  const groups: Group[] = owned.map((stretch) => ({ hunks: [stretch], changes: [] }));
  for (const change of changes) {
    const touched = touchedBy(change, owned);
    const joined = groups.filter((group) => group.hunks.some((stretch) => touched.includes(stretch)));
    const target: Group = joined[0] ?? { hunks: [], changes: [] };
    if (joined.length === 0) groups.push(target);
    for (const other of joined.slice(1)) {
      target.hunks.push(...other.hunks);
      target.changes.push(...other.changes);
      groups.splice(groups.indexOf(other), 1);
    }
    target.changes.push(change);
  }
  return groups;
}

function touchedBy(change: LineChange, owned: readonly Stretch[]): Stretch[] {
  const inside = owned.filter((stretch) => change.start < stretch.end && change.end > stretch.start);
  const swallowed = owned.filter((stretch) => change.start < stretch.start && stretch.end < change.end);
  const crossed = [...new Set([...inside, ...swallowed])];
  if (crossed.length > 0) return crossed;
  return owned.filter((stretch) => change.start <= stretch.end && change.end >= stretch.start).slice(0, 1);
}

function toBase(stretches: readonly Stretch[], line: number): number {
  const kept = stretches.filter((stretch) => !stretch.hunk && stretch.start <= line && line <= stretch.end);
  const stretch = kept.find((one) => one.end > one.start) ?? kept[0];
  return stretch ? stretch.baseStart + line - stretch.start : 0;
}

function changedLines(lines: readonly string[], start: number, end: number, changes: readonly LineChange[]): string {
  let text = '';
  let at = start;
  for (const change of [...changes].sort((a, b) => a.start - b.start)) {
    text += lines.slice(at, change.start).join('') + change.newText;
    at = change.end;
  }
  return text + lines.slice(at, end).join('');
}

function nearest(owned: readonly Stretch[], line: number): Hunk {
  const distance = (stretch: Stretch) => Math.min(Math.abs(stretch.start - line), Math.abs(stretch.end - line));
  return [...owned].sort((a, b) => distance(a) - distance(b))[0]!.hunk!;
}

function withText(hunk: Hunk, baseStart: number, oldText: string, newText: string): EffectiveHunk {
  return {
    ...hunk,
    baseStart,
    oldText,
    newText,
    removed: splitLines(oldText).map(withoutEnding),
    added: splitLines(newText).map(withoutEnding),
    alsoNeeds: [],
  };
}
