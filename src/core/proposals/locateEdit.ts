import { dominantEnding, lineAt, withEnding } from './lines';
import type { Edit } from './model';

/** Where the old text of an edit stands in the base, as character offsets; `end` is not included. */
export interface EditRange {
  start: number;
  end: number;
  newText: string;
}

/**
 * The one place where the old text of an edit stands, or the reason in words why there is not exactly one.
 * Matching is exact: a near match would change lines that nobody showed to the reviewer.
 */
export function locateEdit(base: string, edit: Pick<Edit, 'oldText' | 'newText'>): EditRange | { reason: string } {
  if (edit.oldText === '') return { reason: 'the text to replace is empty' };
  const first = base.indexOf(edit.oldText);
  if (first === -1) return { reason: notFoundReason(base, edit.oldText) };
  const second = base.indexOf(edit.oldText, first + 1);
  if (second !== -1) {
    const lines = `lines ${lineAt(base, first)} and ${lineAt(base, second)}`;
    return { reason: `the text to replace occurs more than once (${lines}); give more lines around it` };
  }
  return { start: first, end: first + edit.oldText.length, newText: edit.newText };
}

/** Says the one thing that is wrong when the text differs only in white space, the usual slip of a model. */
function notFoundReason(base: string, oldText: string): string {
  const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();
  const wanted = squeeze(oldText);
  if (wanted !== '' && squeeze(base).includes(wanted)) {
    return 'the text to replace differs from the file in white space; copy it exactly';
  }
  const firstLine = oldText.split('\n').find((line) => line.trim() !== '');
  const at = firstLine === undefined ? -1 : base.indexOf(firstLine.trim());
  if (at === -1) return 'the text to replace is not in the file';
  return `the text to replace is not in the file; only its first line is (line ${lineAt(base, at)})`;
}

/**
 * The edit with the line endings of the file. Models answer with `\n` whatever the file has, and nobody means
 * to change line endings by that.
 */
export function fitLineEndings(base: string, edit: Edit): Edit {
  if (!base.includes('\r\n')) return edit;
  const ending = dominantEnding(base);
  const oldText = base.includes(edit.oldText) ? edit.oldText : withEnding(edit.oldText, ending);
  return { ...edit, oldText, newText: withEnding(edit.newText, ending) };
}
