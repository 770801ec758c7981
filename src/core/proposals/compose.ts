import { splitLines } from './lines';
import type { Hunk } from './model';

/**
 * The base text of one file with the accepted ones of its hunks, given in any order. All other bytes stay as they
 * are. Hunks of a proposal never share lines, so every subset can be taken.
 */
export function composeText(base: string, hunks: readonly Hunk[], accepted: Iterable<number>): string {
  const numbers = new Set(accepted);
  const taken = hunks.filter((hunk) => numbers.has(hunk.number)).sort(byPlace);
  const lines = splitLines(base);
  let text = '';
  let at = 0;
  for (const hunk of taken) {
    text += lines.slice(at, hunk.baseStart - 1).join('') + hunk.newText;
    at = hunk.baseStart - 1 + hunk.removed.length;
  }
  return text + lines.slice(at).join('');
}

/** Like `composeText`, with null for a file that does not exist before or after. */
export function composeFile(base: string | null, hunks: readonly Hunk[], accepted: Iterable<number>): string | null {
  const numbers = new Set(accepted);
  const taken = hunks.filter((hunk) => numbers.has(hunk.number));
  if (taken.some((hunk) => hunk.action === 'delete')) return null;
  if (base === null && taken.length === 0) return null;
  return composeText(base ?? '', taken, numbers);
}

/** Order in a file; an insertion goes before a change that starts at the same line. */
export function byPlace(a: Hunk, b: Hunk): number {
  return (
    a.baseStart - b.baseStart || Number(a.removed.length > 0) - Number(b.removed.length > 0) || a.number - b.number
  );
}
