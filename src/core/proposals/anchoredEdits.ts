import { diffLineChanges, type LineChange } from './blocks';
import { splitLines } from './lines';
import type { Edit } from './model';

interface Region {
  start: number;
  end: number;
  changes: LineChange[];
}

/** Edits that turn one text into another, each with as many lines around it as make its old text occur once. */
export function anchoredEdits(file: string, base: string, text: string): Edit[] {
  const lines = splitLines(base);
  let regions: Region[] = [];
  for (const change of diffLineChanges(lines, splitLines(text))) {
    let region = grow(base, lines, { start: change.start, end: change.end, changes: [change] });
    // Grown into each other, changes become one edit, which may have to grow again.
    for (let last = regions.at(-1); last && last.end > region.start; last = regions.at(-1)) {
      regions = regions.slice(0, -1);
      const start = Math.min(last.start, region.start);
      const end = Math.max(last.end, region.end);
      region = grow(base, lines, { start, end, changes: [...last.changes, ...region.changes] });
    }
    regions.push(region);
  }
  return regions.map((region) => ({
    file,
    action: 'replace',
    oldText: lines.slice(region.start, region.end).join(''),
    newText: changedText(lines, region),
  }));
}

function grow(base: string, lines: readonly string[], region: Region): Region {
  let { start, end } = region;
  for (;;) {
    const oldText = lines.slice(start, end).join('');
    const unique = oldText !== '' && base.indexOf(oldText) === base.lastIndexOf(oldText);
    if (unique || (start === 0 && end === lines.length)) return { ...region, start, end };
    start = Math.max(0, start - 1);
    end = Math.min(lines.length, end + 1);
  }
}

function changedText(lines: readonly string[], { start, end, changes }: Region): string {
  let text = '';
  let at = start;
  for (const change of changes) {
    text += lines.slice(at, change.start).join('') + change.newText;
    at = change.end;
  }
  return text + lines.slice(at, end).join('');
}
