import type { CompareHead, ComparePair, ToTracePage, TraceRow } from '../shared/protocol';

/** A run laid beside the one of the page. */
export interface CompareState {
  head: CompareHead;
  pairs: readonly ComparePair[];
  /** Rows of the run on the right; those on the left are the page's own. */
  rows: ReadonlyMap<number, TraceRow>;
  /** Position in the pairs. */
  selected: number;
  side: 'left' | 'right';
}

/** With the next part of a comparison; the first part begins a new one, at the place where the runs part. */
export function withComparison(
  state: CompareState | null,
  { at, head, pairs }: Extract<ToTracePage, { type: 'comparison' }>,
): CompareState {
  const same = at > 0 && state?.head.run === head.run ? state : null;
  const all = same ? [...same.pairs.slice(0, at), ...pairs] : pairs;
  const start = divergentPair(head, all);
  return {
    head,
    pairs: all,
    rows: same?.rows ?? new Map(),
    selected: same && same.selected > 0 ? same.selected : Math.max(0, start),
    side: same?.side ?? 'left',
  };
}

/** Position of the first pair where the runs part; -1 when they do not, or the pair is not there yet. */
export function divergentPair({ divergence }: CompareHead, pairs: readonly ComparePair[]): number {
  if (!divergence) return -1;
  const { left, right } = divergence;
  return pairs.findIndex((pair) => (left !== null && pair.left === left) || (left === null && pair.right === right));
}

/** The next pair that differs, in a direction; the same one when there is none. */
export function nextDifference(pairs: readonly ComparePair[], from: number, direction: 1 | -1): number {
  const differs = (pair: ComparePair) => pair.state !== 'same';
  const found =
    direction === 1
      ? pairs.findIndex((pair, index) => index > from && differs(pair))
      : pairs.findLastIndex((pair, index) => index < from && differs(pair));
  return found < 0 ? from : found;
}

const stateWords: Record<ComparePair['state'], string> = {
  same: 'same calls and results',
  calls: 'other calls',
  texts: 'other results',
  onlyLeft: 'only in the run on the left',
  onlyRight: 'only in the run on the right',
};

/** A pair in words: which steps, and how they differ. */
export function pairWords({ left, right, state }: ComparePair): string {
  const steps = [left, right].map((n) => (n === null ? 'nothing' : `step ${n}`));
  return `${steps[0]} and ${steps[1]}: ${stateWords[state]}`;
}

/** How a pair differs, short; empty where it does not. */
export function pairMark({ state }: ComparePair): string {
  return { same: '', calls: 'other calls', texts: 'other results', onlyLeft: 'only left', onlyRight: 'only right' }[
    state
  ];
}

/** What a key does in a comparison; null for keys that belong to others. */
export type CompareKey =
  | { move: number }
  | { side: 'left' | 'right' }
  | { difference: 1 | -1 }
  | { do: 'divergence' | 'openCode' | 'goToCode' | 'link1' | 'link2' | 'link3' | 'texts' | 'leave' | 'help' };

const keys: Record<string, CompareKey> = {
  ArrowDown: { move: 1 },
  j: { move: 1 },
  ArrowUp: { move: -1 },
  k: { move: -1 },
  PageDown: { move: 10 },
  PageUp: { move: -10 },
  Home: { move: Number.NEGATIVE_INFINITY },
  End: { move: Number.POSITIVE_INFINITY },
  ArrowLeft: { side: 'left' },
  ArrowRight: { side: 'right' },
  n: { difference: 1 },
  N: { difference: -1 },
  f: { do: 'divergence' },
  Enter: { do: 'openCode' },
  1: { do: 'link1' },
  2: { do: 'link2' },
  3: { do: 'link3' },
  d: { do: 'texts' },
  Escape: { do: 'leave' },
  '?': { do: 'help' },
};

/** The meaning of a key press in a comparison. */
export function compareKey(press: {
  key: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}): CompareKey | null {
  if (press.ctrlKey || press.metaKey) return null;
  if (press.altKey) return press.key === 'Enter' ? { do: 'goToCode' } : null;
  return (Object.hasOwn(keys, press.key) ? keys[press.key] : null) ?? null;
}

/** The keys of a comparison in words. */
export const compareHelp: readonly (readonly [keys: string, does: string])[] = [
  ['Up, Down, J, K', 'move through the lines; the code beside follows'],
  ['Left, Right', 'the run on the left, on the right'],
  ['F', 'where the runs part'],
  ['N / Shift+N', 'next, previous difference'],
  ['Enter / Alt+Enter, 1, 2, 3', 'the harness code of the step on that side'],
  ['D', 'how the texts of the two steps differ'],
  ['Escape', 'leave the comparison'],
];
