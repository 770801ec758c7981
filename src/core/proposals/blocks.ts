import { diffArrays } from 'diff';
import { splitLines } from './lines';
import type { EditRange } from './locateEdit';

/** Whole lines `start` (from 0) to `end` (not included) that become `newText`. */
export interface LineChange {
  start: number;
  end: number;
  newText: string;
}

/** Above this many differing lines a block is shown as one change instead of being searched for the smallest ones. */
const maximumDifferences = 2_000;

/**
 * The smallest line changes that character edits of one text amount to, in order, none touching the next.
 * Every change lies within the lines of the edit it comes from, so edits that share no line stay apart.
 */
export function lineChanges(base: string, edits: readonly EditRange[]): LineChange[] {
  const lines = splitLines(base);
  const offsets = lineOffsets(lines);
  const blocks = wholeLineBlocks(base, offsets, edits);
  const changes = blocks.flatMap((block) => smallestChanges(lines.slice(block.start, block.end), block));
  return joinTouching(changes);
}

/** Offset of the first character of each line, and the length of the text at the end. */
function lineOffsets(lines: readonly string[]): number[] {
  const offsets = [0];
  for (const line of lines) offsets.push(offsets[offsets.length - 1]! + line.length);
  return offsets;
}

function wholeLineBlocks(base: string, offsets: readonly number[], edits: readonly EditRange[]): LineChange[] {
  const lineCount = offsets.length - 1;
  const sorted = [...edits].sort((a, b) => a.start - b.start);
  const blocks: LineChange[] = [];
  let index = 0;
  while (index < sorted.length) {
    const start = lineOf(offsets, sorted[index]!.start);
    let end = start;
    let at = offsets[start]!;
    let text = '';
    // Takes in every further edit on the same lines, and the next line when the change swallowed the line end.
    for (;;) {
      const edit = sorted[index];
      if (edit && (edit.start < offsets[end]! || end === start)) {
        text += base.slice(at, edit.start) + edit.newText;
        at = edit.end;
        end = Math.max(end, lineOf(offsets, edit.end - 1) + 1);
        index++;
        continue;
      }
      const whole = text + base.slice(at, offsets[end]);
      if (whole === '' || whole.endsWith('\n') || end >= lineCount) {
        blocks.push({ start, end, newText: whole });
        break;
      }
      end++;
    }
  }
  return blocks;
}

function lineOf(offsets: readonly number[], offset: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low;
}

function smallestChanges(oldLines: string[], block: LineChange): LineChange[] {
  return diffLineChanges(oldLines, splitLines(block.newText)).map((change) => ({
    ...change,
    start: change.start + block.start,
    end: change.end + block.start,
  }));
}

/** The changes that turn one list of lines into another; one change for all when they have too little in common. */
export function diffLineChanges(oldLines: string[], newLines: string[]): LineChange[] {
  const parts = diffArrays(oldLines, newLines, { maxEditLength: maximumDifferences });
  if (!parts) return [{ start: 0, end: oldLines.length, newText: newLines.join('') }];
  const changes: LineChange[] = [];
  let at = 0;
  for (const part of parts) {
    if (part.added) changes.push({ start: at, end: at, newText: part.value.join('') });
    else if (part.removed) changes.push({ start: at, end: at + part.count, newText: '' });
    if (!part.added) at += part.count;
  }
  return joinTouching(changes);
}

function joinTouching(changes: readonly LineChange[]): LineChange[] {
  const joined: LineChange[] = [];
  for (const change of changes) {
    const last = joined[joined.length - 1];
    if (last && last.end >= change.start) {
      last.end = Math.max(last.end, change.end);
      last.newText += change.newText;
    } else {
      joined.push({ ...change });
    }
  }
  return joined;
}
