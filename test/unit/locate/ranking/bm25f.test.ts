/** Scores by words against values worked out by hand, and what one reference and a name add. */
import { describe, expect, it } from 'vitest';
import { buildSearchIndex, type FileTerms, findReferences, rarity } from '../../../../src/core/locate/ranking';
import { scoreWords } from '../../../../src/core/locate/ranking/lexical';
import { shareOfNames } from '../../../../src/core/locate/ranking/names';
import { hopFrom, Links } from '../../../../src/core/locate/ranking/references';

/** A file of definitions, each with its words and how often they occur. */
function file(
  path: string,
  definitions: Record<string, Record<string, number>>,
  mentions: Record<string, string[]> = {},
) {
  const terms: string[] = [];
  const identifiers: string[] = [];
  const numberIn = (list: string[], word: string): number => {
    if (!list.includes(word)) list.push(word);
    return list.indexOf(word);
  };
  const text = new Map<number, number>();
  const rows = Object.entries(definitions).map(([name, words], at) => {
    const last = name.slice(name.lastIndexOf('.') + 1);
    numberIn(identifiers, last);
    const body = Object.entries(words).flatMap(([word, count]) => {
      const number = numberIn(terms, word);
      text.set(number, (text.get(number) ?? 0) + count);
      return [number, count];
    });
    return {
      name,
      kind: 'function' as const,
      start: at + 1,
      end: at + 1,
      body,
      mentions: (mentions[name] ?? []).map((word) => numberIn(identifiers, word)),
    };
  });
  const made: FileTerms = { terms, identifiers, text: [...text].flat(), definitions: rows };
  return { path, terms: made };
}

/** One saturation with k = 0.8. */
const saturated = (frequency: number): number => (1.8 * frequency) / (0.8 + frequency);
const query = (term: string, weight = 1) => [{ term, weight, first: true }];

describe('rarity', () => {
  it.each([
    [1, 2, Math.log(2)],
    [0, 2, Math.log(6)],
    [2, 2, Math.log(1.2)],
    [1, 1000, Math.log(1 + 999.5 / 1.5)],
  ])('of a word in %i of %i', (having, total, value) => {
    expect(rarity(having, total)).toBeCloseTo(value, 12);
  });

  it('is never negative, and falls with every document that has the word', () => {
    for (let having = 1; having <= 50; having++) {
      expect(rarity(having, 50)).toBeGreaterThan(0);
      expect(rarity(having, 50)).toBeLessThan(rarity(having - 1, 50));
    }
  });
});

describe('BM25F', () => {
  it('of a word in the text of one of two definitions of the same length', () => {
    const index = buildSearchIndex([
      file('x.py', { one: { alpha: 2, beta: 2 } }),
      file('y.py', { two: { beta: 1, gamma: 3 } }),
    ]);
    const scores = scoreWords(index, query('alpha'));
    const own = Math.log(2) * saturated(2);
    expect(scores.rows[0]).toBeCloseTo(1.25 * own, 12); // with a quarter of the file's text
    expect(scores.files[0]).toBeCloseTo(1.5 * own, 12); // with half of it
    expect([scores.rows[1], scores.files[1]]).toEqual([0, 0]);
    expect([scores.rowNames[0], scores.filePaths[0]]).toEqual([0, 0]);
  });

  it('makes up for the length of a definition: 0.4 of it', () => {
    const index = buildSearchIndex([
      file('x.py', { one: { alpha: 1, beta: 1 } }), // 2 words of a mean of 4
      file('y.py', { two: { alpha: 1, gamma: 5 } }), // 6 words
    ]);
    const { rows, files } = scoreWords(index, query('alpha'));
    const rare = Math.log(1.2); // in both
    const text = (length: number): number => rare * saturated(1 / (0.25 + (0.75 * length) / 4));
    const short = rare * saturated(1 / (0.6 + (0.4 * 2) / 4));
    const long = rare * saturated(1 / (0.6 + (0.4 * 6) / 4));
    expect(rows[0]).toBeCloseTo(short + 0.25 * text(2), 12);
    expect(rows[1]).toBeCloseTo(long + 0.25 * text(6), 12);
    expect(files[0]).toBeCloseTo(short + 0.5 * text(2), 12);
  });

  it('counts a word in the name three times, before the saturation and not after it', () => {
    const index = buildSearchIndex([
      file('x.py', { alpha: { alpha: 2, beta: 2 } }),
      file('y.py', { two: { beta: 1, gamma: 3 } }),
    ]);
    const scores = scoreWords(index, query('alpha'));
    const whole = saturated(2 + 1); // the text, and the name once
    expect(scores.rows[0]).toBeCloseTo(Math.log(2) * (saturated(2 + 3) + 0.25 * whole), 12);
    expect(scores.rowNames[0]).toBeCloseTo(Math.log(2) * saturated(3), 12);
    expect(scores.filePaths[0]).toBeCloseTo(Math.log(2) * saturated(1), 12);
  });

  it('counts the class around a method like its name', () => {
    const index = buildSearchIndex([
      file('x.py', { 'Alpha.one': { beta: 4 } }),
      file('y.py', { 'Other.two': { gamma: 4 } }),
    ]);
    const scores = scoreWords(index, query('alpha'));
    expect(scores.rowNames[0]).toBeCloseTo(Math.log(2) * saturated(3), 12);
    expect(scores.rowNames[1]).toBe(0);
  });

  it('halves what a definition has from the path of its file alone', () => {
    const index = buildSearchIndex([file('alpha.py', { one: { beta: 4 } }), file('other.py', { two: { gamma: 4 } })]);
    const scores = scoreWords(index, query('alpha'));
    const gain = Math.log(6) * saturated(2); // no row has the word itself
    const whole = Math.log(2) * saturated(2);
    expect(scores.rowNames[0]).toBeCloseTo(gain, 12);
    expect(scores.rows[0]).toBeCloseTo(gain / 2 + 0.25 * whole, 12);
    expect(scores.filePaths[0]).toBeCloseTo(whole, 12);
    expect(scores.rows[1]).toBe(0);
  });

  it('adds up words, each by its weight and rarity', () => {
    const index = buildSearchIndex([
      file('x.py', { one: { alpha: 2, beta: 2 } }),
      file('y.py', { two: { beta: 2, gamma: 2 } }),
    ]);
    const alone = (term: string, weight: number) => scoreWords(index, query(term, weight)).rows[0] as number;
    const both = scoreWords(index, [...query('alpha', 1.5), ...query('beta', 0.5)]).rows;
    expect(both[0]).toBeCloseTo(alone('alpha', 1.5) + alone('beta', 0.5), 12);
    expect(alone('alpha', 3)).toBeCloseTo(2 * alone('alpha', 1.5), 12);
    expect(alone('alpha', 1)).toBeGreaterThan(alone('beta', 1));
  });

  it('never counts more than 1.8 times the rarity, however often a word is repeated', () => {
    const index = buildSearchIndex([file('x.py', { alpha: { alpha: 9000 } }), file('y.py', { two: { beta: 1 } })]);
    const { rows } = scoreWords(index, query('alpha'));
    expect(rows[0]).toBeLessThan(1.25 * 1.8 * Math.log(2));
    expect(rows[0]).toBeGreaterThan(1.25 * 1.7 * Math.log(2));
  });

  it('says what share of the request occurs, and counts words that are nowhere', () => {
    const index = buildSearchIndex([
      file('x.py', { one: { alpha: 2, beta: 2 } }),
      file('y.py', { two: { beta: 2, gamma: 2 } }),
    ]);
    const scores = scoreWords(index, [...query('alpha'), { term: 'nowhere', weight: 1 }]);
    const [rare, absent] = [Math.log(2), Math.log(6)];
    expect(scores.rowCoverage[0]).toBeCloseTo(rare / (rare + absent), 12);
    expect(scores.rowFirst[0]).toBeCloseTo(1, 12); // all of the first sentence
    expect(scores.rowCoverage[1]).toBe(0);
  });

  it('is not changed by requests before it', () => {
    const make = () =>
      buildSearchIndex([file('alpha/x.py', { alpha: { beta: 3 } }), file('y.py', { two: { gamma: 1 } })]);
    const index = make();
    for (const term of ['beta', 'gamma', 'alpha', 'x']) scoreWords(index, query(term));
    expect(scoreWords(index, query('alpha'))).toEqual(scoreWords(make(), query('alpha')));
  });

  it('of an empty tree and of an empty request is nothing', () => {
    expect(scoreWords(buildSearchIndex([]), query('alpha')).rows).toHaveLength(0);
    const index = buildSearchIndex([file('x.py', { one: { alpha: 1 } })]);
    expect([...scoreWords(index, []).rows, ...scoreWords(index, []).rowCoverage]).toEqual([0, 0]);
  });
});

describe('the share of a name that a request says', () => {
  it('is by rarity: both words of two are all, a common one is less than half', () => {
    const index = buildSearchIndex([
      file('x.py', { cycle_model: { a: 1 }, load_model: { a: 1 }, save_model: { a: 1 } }),
    ]);
    const share = (...terms: string[]) =>
      shareOfNames(
        index,
        terms.map((term) => ({ term, weight: 1 })),
      ).rows;
    expect(share('cycl', 'model', 'cycle_model')[0]).toBeCloseTo(1, 12);
    expect(share('model')[0]).toBeLessThan(0.5);
    expect(share('cycl')[0]).toBeGreaterThan(share('model')[0] as number);
    expect(share('cycl')[1]).toBe(0);
  });
});

describe('one reference', () => {
  const index = buildSearchIndex([
    file('x.py', { entry: {}, worker: {}, lone: {} }, { entry: ['worker', 'helper'], worker: ['helper'] }),
    file('y.py', { helper: {}, shared: {} }),
    file('z.py', { shared: {}, far: {} }, { far: ['shared'] }),
    file('w.py', { other: {} }, { other: ['shared'] }),
  ]);
  const row = (name: string, path?: string): number =>
    index.rows.findIndex((one) => one.name === name && (!path || index.files[one.file]?.path === path));
  const references = findReferences(index);
  const seeded = (name: string, value = 1): Float64Array => {
    const scores = new Float64Array(index.rows.length);
    scores[row(name)] = value;
    return scores;
  };

  it('passes on in both directions, and only once', () => {
    const { either } = hopFrom(references, [row('worker')], seeded('worker'));
    expect([either[row('entry')], either[row('helper')]]).toEqual([1, 1]);
    expect([either[row('worker')], either[row('lone')], either[row('far')]]).toEqual([0, 0, 0]);
  });

  it('tells who calls from who is called', () => {
    const { callers } = hopFrom(references, [row('worker')], seeded('worker'));
    expect([callers[row('entry')], callers[row('helper')]]).toEqual([1, 0]);
  });

  it('prefers the definition in the same file, and shares between two elsewhere', () => {
    const targets = (from: number) => {
      const found: [number, number][] = [];
      references.targets.each(from, (to, weight) => found.push([to, weight]));
      return found;
    };
    expect(targets(row('far'))).toEqual([[row('shared', 'z.py'), 1]]);
    const shares = targets(row('other'));
    expect(shares.map(([to]) => to)).toEqual([row('shared', 'y.py'), row('shared', 'z.py')]);
    for (const [, weight] of shares) expect(weight).toBeCloseTo(Math.SQRT1_2, 6);
  });

  it('is relative to the best seed and does not depend on the scale of scores', () => {
    const scores = seeded('worker', 4);
    scores[row('helper')] = 1;
    const seeds = [row('worker'), row('helper')];
    const hops = hopFrom(references, seeds, scores);
    expect(hops.either[row('entry')]).toBe(1);
    expect(hops.gathering[row('entry')]).toBeCloseTo(Math.log(1 + 1 + 0.25), 12);
    expect(hops.either[row('worker')]).toBe(0.25); // from helper, which it mentions
    expect(
      hopFrom(
        references,
        seeds,
        scores.map((value) => 100 * value),
      ),
    ).toEqual(hops);
  });

  it('holds lists of rows without neighbours', () => {
    const links = new Links(3, [2, 2], [0, 1], [1, 0.5]);
    const of = (at: number) => {
      const found: number[] = [];
      links.each(at, (other) => found.push(other));
      return found;
    };
    expect([of(0), of(1), of(2), of(7)]).toEqual([[], [], [0, 1], []]);
  });
});
