import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignSequences, type Pair } from '../../../../src/core/traces/contrast/align';

const align = (first: readonly string[], second: readonly string[]) =>
  alignSequences({ firstKeys: first, secondKeys: second, score: (a, b) => (first[a] === second[b] ? 1 : 0) });

/** Length of the longest common subsequence, the slow way. */
function longest(first: readonly string[], second: readonly string[]): number {
  const table = Array.from({ length: first.length + 1 }, () => new Array<number>(second.length + 1).fill(0));
  for (let a = 1; a <= first.length; a += 1)
    for (let b = 1; b <= second.length; b += 1)
      table[a][b] =
        first[a - 1] === second[b - 1] ? table[a - 1][b - 1] + 1 : Math.max(table[a - 1][b], table[a][b - 1]);
  return table[first.length][second.length];
}

function rises(pairs: readonly Pair[]): boolean {
  return pairs.every(
    (pair, at) => at === 0 || (pair.first > pairs[at - 1].first && pair.second > pairs[at - 1].second),
  );
}

describe('alignment', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

  it('pairs as many equal elements as there can be, in order', () => {
    fc.assert(
      fc.property(letters, letters, (first, second) => {
        const { pairs, approximate } = align(first, second);
        expect(approximate).toBe(false);
        expect(rises(pairs)).toBe(true);
        expect(pairs.every((pair) => first[pair.first] === second[pair.second])).toBe(true);
        expect(pairs).toHaveLength(longest(first, second));
      }),
    );
  });

  it('prefers the better of two partners', () => {
    const scores = [[0.5, 0.9]];
    const { pairs } = alignSequences({ firstKeys: ['x'], secondKeys: ['y', 'z'], score: (a, b) => scores[a][b] });
    expect(pairs).toEqual([{ first: 0, second: 1 }]);
  });

  it('long sequences go by what stands once on both sides, and still find all of it', () => {
    const first = Array.from({ length: 5000 }, (_, at) => `step ${at}`);
    const second = first
      .filter((_, at) => at % 7 !== 0)
      .flatMap((key, at) => (at % 5 === 0 ? [`own ${at}`, key] : [key]));
    second.unshift('start');
    first.push('end');
    const { pairs, approximate } = align(first, second);
    expect(approximate).toBe(true);
    expect(rises(pairs)).toBe(true);
    expect(pairs).toHaveLength(first.filter((key) => second.includes(key)).length);
  });

  it('long sequences of few kinds are aligned near the diagonal, whatever their lengths', () => {
    for (const [rows, columns] of [
      [3000, 3000],
      [9000, 900],
      [900, 9000],
    ]) {
      const first = Array.from({ length: rows }, (_, at) => (at % 3 === 0 ? 'a' : 'b'));
      const second = Array.from({ length: columns }, (_, at) => (at % 3 === 1 ? 'a' : 'b'));
      const { pairs, approximate } = align(['x', ...first], ['y', ...second]);
      expect(approximate).toBe(true);
      expect(rises(pairs)).toBe(true);
      expect(pairs.length).toBeGreaterThan(Math.min(rows, columns) * 0.6);
    }
  });
});
