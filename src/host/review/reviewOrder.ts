import type { HunkView, ProposalView } from '../work/methods';

/** Where a hunk stands on the right side, where all hunks of the proposal are in the text. */
export interface ProposedRange {
  /** From 1. */
  start: number;
  /** At least `start`: a pure deletion is shown on the line that follows it. */
  end: number;
}

/** Lines of a hunk on the right side. Edits a person made there later may move them. */
export function proposedRange(hunk: HunkView, hunks: readonly HunkView[]): ProposedRange {
  const before = hunks.filter(
    (other) =>
      other.file === hunk.file &&
      (other.baseStart < hunk.baseStart || (other.baseStart === hunk.baseStart && other.number < hunk.number)),
  );
  const shift = before.reduce((sum, other) => sum + other.added.length - other.removed.length, 0);
  const start = Math.max(1, hunk.baseStart + shift);
  return { start, end: Math.max(start, start + hunk.added.length - 1) };
}

/** The hunk of a file that a line of the right side belongs to: the one around it, else the nearest. */
export function hunkAtLine(hunks: readonly HunkView[], file: string, line: number): HunkView | undefined {
  let best: HunkView | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const hunk of hunks.filter((one) => one.file === file)) {
    const { start, end } = proposedRange(hunk, hunks);
    const distance = line < start ? start - line : Math.max(0, line - end);
    if (distance < bestDistance) {
      best = hunk;
      bestDistance = distance;
    }
  }
  return best;
}

/** The next undecided hunk after (or before) the given one, going round; undefined when all are decided. */
export function nextUndecided(
  hunks: readonly HunkView[],
  from: number | null,
  direction: 1 | -1,
): HunkView | undefined {
  const order = direction === 1 ? [...hunks] : [...hunks].reverse();
  const at = order.findIndex((hunk) => hunk.number === from);
  return [...order.slice(at + 1), ...order.slice(0, at + 1)].find((hunk) => hunk.state === 'open');
}

/** "hunk 2 of 7, 3 undecided" */
export function reviewStatus(view: ProposalView, current: number | null): string {
  const position = view.hunks.findIndex((hunk) => hunk.number === current) + 1;
  const open = view.hunks.filter((hunk) => hunk.state === 'open').length;
  const undecided = open === 0 ? 'all decided' : `${open} undecided`;
  return position === 0
    ? `${view.hunks.length} hunks, ${undecided}`
    : `hunk ${position} of ${view.hunks.length}, ${undecided}`;
}

/** The question Apply asks, naming what is written where; null when nothing is accepted. */
export function applyQuestion(view: ProposalView, target: 'branch' | 'workingTree', branch: string): string | null {
  const accepted = view.hunks.filter((hunk) => hunk.state === 'accepted');
  if (accepted.length === 0) return null;
  const files = new Set(accepted.map((hunk) => hunk.file)).size;
  const what = `${accepted.length} of ${view.hunks.length} hunks in ${files === 1 ? '1 file' : `${files} files`}`;
  return target === 'branch' ? `Write ${what} on branch ${branch}?` : `Write ${what} into your working tree?`;
}
