/** Indices that belong together, rising on both sides. */
export interface Pair {
  first: number;
  second: number;
}

/** Cells of one table of the alignment; 4 million are 20 MB. */
const MOST_CELLS = 4_000_000;

interface Sequences {
  /** Keys that are equal for turns that are the same. */
  firstKeys: readonly string[];
  secondKeys: readonly string[];
  /** 0 (never in one row) to 1. */
  score(first: number, second: number): number;
}

interface Window {
  from: number;
  to: number;
  otherFrom: number;
  otherTo: number;
}

/**
 * Pairs of two sequences with the greatest sum of scores, in order (weighted longest common subsequence). What is equal at
 * both ends is paired first. Where the table would be too large, equal elements that occur once on both sides are taken
 * as anchors (patience), and a piece without any is aligned near its diagonal only: `approximate` says so.
 */
export function alignSequences(sequences: Sequences): { pairs: Pair[]; approximate: boolean } {
  const pairs: Pair[] = [];
  const { firstKeys, secondKeys } = sequences;
  let approximate = false;
  const within = ({ from, to, otherFrom, otherTo }: Window): void => {
    let [start, end, otherStart, otherEnd] = [from, to, otherFrom, otherTo];
    while (start < end && otherStart < otherEnd && firstKeys[start] === secondKeys[otherStart])
      pairs.push({ first: start++, second: otherStart++ });
    const tail: Pair[] = [];
    while (end > start && otherEnd > otherStart && firstKeys[end - 1] === secondKeys[otherEnd - 1])
      tail.push({ first: --end, second: --otherEnd });
    const window = { from: start, to: end, otherFrom: otherStart, otherTo: otherEnd };
    const [rows, columns] = [end - start, otherEnd - otherStart];
    if (rows > 0 && columns > 0) {
      if (rows * columns <= MOST_CELLS) pairs.push(...table(sequences, window, Number.POSITIVE_INFINITY));
      else {
        approximate = true;
        const anchors = uniquePairs(sequences, window);
        if (anchors.length === 0) pairs.push(...table(sequences, window, Math.floor(MOST_CELLS / rows / 2)));
        else between(window, anchors, within, pairs);
      }
    }
    pairs.push(...tail.reverse());
  };
  within({ from: 0, to: firstKeys.length, otherFrom: 0, otherTo: secondKeys.length });
  return { pairs, approximate };
}

function between(window: Window, anchors: readonly Pair[], within: (window: Window) => void, pairs: Pair[]): void {
  let [from, otherFrom] = [window.from, window.otherFrom];
  for (const anchor of anchors) {
    within({ from, to: anchor.first, otherFrom, otherTo: anchor.second });
    pairs.push(anchor);
    [from, otherFrom] = [anchor.first + 1, anchor.second + 1];
  }
  within({ from, to: window.to, otherFrom, otherTo: window.otherTo });
}

/** Keys that stand once on both sides, in the longest chain that rises on both. */
function uniquePairs({ firstKeys, secondKeys }: Sequences, { from, to, otherFrom, otherTo }: Window): Pair[] {
  const once = (keys: readonly string[], start: number, end: number) => {
    const places = new Map<string, number>();
    for (let at = start; at < end; at += 1) places.set(keys[at], places.has(keys[at]) ? -1 : at);
    return places;
  };
  const others = once(secondKeys, otherFrom, otherTo);
  const candidates: Pair[] = [];
  for (const [key, first] of once(firstKeys, from, to)) {
    const second = others.get(key) ?? -1;
    if (first >= 0 && second >= 0) candidates.push({ first, second });
  }
  return longestRising(candidates);
}

/** Longest chain with rising `second` of pairs that rise in `first`; patience sorting, n log n. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = [];
  const before: number[] = [];
  pairs.forEach((pair, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]].second < pair.second) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : ends[low - 1];
    ends[low] = index;
  });
  const chain: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]) chain.push(pairs[at]);
  return chain.reverse();
}

const BOTH = 1;
const SKIP_FIRST = 2;

/** The table itself, filled from the end so that the walk goes forward. `reach` is the distance from the diagonal. */
function table({ score }: Sequences, { from, to, otherFrom, otherTo }: Window, reach: number): Pair[] {
  const [rows, columns] = [to - from, otherTo - otherFrom];
  const width = Math.min(columns, reach * 2 + 1);
  const slope = columns / rows;
  const startOf = (row: number) =>
    width === columns ? 0 : Math.max(0, Math.min(columns - width, Math.round(row * slope) - reach));
  const moves = new Uint8Array(rows * width);
  let below = new Float32Array(columns + 1);
  for (let row = rows - 1; row >= 0; row -= 1) {
    const current = new Float32Array(columns + 1);
    const start = startOf(row);
    for (let column = start + width - 1; column >= start; column -= 1) {
      const alike = score(from + row, otherFrom + column);
      const both = alike > 0 ? below[column + 1] + alike : -1;
      const best = Math.max(both, below[column], current[column + 1]);
      current[column] = best;
      // Pairs first, so that of several equal alignments the earliest is taken.
      moves[row * width + column - start] = both === best ? BOTH : below[column] === best ? SKIP_FIRST : 0;
    }
    for (let column = start - 1; column >= 0; column -= 1) current[column] = current[start];
    below = current;
  }
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    const at = column - startOf(row);
    if (at >= width) row += 1;
    else if (at < 0) column = startOf(row);
    else {
      const move = moves[row * width + at];
      if (move === BOTH) pairs.push({ first: from + row, second: otherFrom + column });
      if (move !== 0) row += 1;
      if (move !== SKIP_FIRST) column += 1;
    }
  }
  return pairs;
}
