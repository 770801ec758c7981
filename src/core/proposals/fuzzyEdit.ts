import { splitLines, withoutEnding } from './lines';
import type { Edit } from './model';

/** An edit whose old text was found although it is not quite what stands in the file. */
export interface FuzzyEdit {
  edit: Edit;
  /** First line of the text that is replaced, from 1. */
  line: number;
  /** What differed, in words. */
  difference: string;
}

/** Shorter texts say too little to be looked for by anything but their exact characters. */
const leastCharacters = 12;

/**
 * Finds the old text of an edit when it differs from the file in white space only: blanks at line ends, or one and the
 * same indentation for all lines. The edit is made anew with the text of the file, and the new text gets the same
 * indentation. Null when there is not exactly one such place. The reviewer sees the lines of the file, never the guess.
 */
export function fuzzyEdit(base: string, edit: Edit): FuzzyEdit | null {
  const wanted = lines(edit.oldText);
  if (wanted.join('').replace(/\s/g, '').length < leastCharacters) return null;
  const all = splitLines(base);
  const places: number[] = [];
  for (let start = 0; start + wanted.length <= all.length && places.length < 2; start++) {
    if (wanted.every((line, index) => line.trim() === all[start + index]!.trim())) places.push(start);
  }
  const [start] = places;
  if (start === undefined || places.length > 1) return null;
  const found = all.slice(start, start + wanted.length);
  const shift = shiftOf(wanted, found);
  if (shift === null) return null;
  const ending = found.at(-1)!.endsWith('\n') ? '\n' : '';
  const newLines = lines(edit.newText).map((line) => (line.trim() === '' ? line : reindent(line, shift)));
  const newText = newLines.length === 0 ? '' : newLines.join('\n') + ending;
  const difference = shift.add === '' && shift.remove === '' ? 'blanks at line ends' : 'indentation';
  return { edit: { ...edit, oldText: found.join(''), newText }, line: start + 1, difference };
}

interface Shift {
  add: string;
  remove: string;
}

/** What to put before every line, or to take away; null when the lines do not agree on it. */
function shiftOf(wanted: readonly string[], found: readonly string[]): Shift | null {
  let shift: Shift | null = null;
  for (const [index, line] of wanted.entries()) {
    if (line.trim() === '') continue;
    const [have, want] = [indentOf(found[index]!), indentOf(line)];
    const own = have.endsWith(want)
      ? { add: have.slice(0, have.length - want.length), remove: '' }
      : want.endsWith(have)
        ? { add: '', remove: want.slice(0, want.length - have.length) }
        : null;
    if (!own || (shift && (shift.add !== own.add || shift.remove !== own.remove))) return null;
    shift = own;
  }
  return shift;
}

function reindent(line: string, { add, remove }: Shift): string {
  return add + (remove !== '' && line.startsWith(remove) ? line.slice(remove.length) : line);
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

/** Lines without their endings; an ending at the end of the text makes no further line. */
function lines(text: string): string[] {
  return splitLines(text).map(withoutEnding);
}
