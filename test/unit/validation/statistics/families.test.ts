// Multiplicity, samples, looks and selection. Reference values: scipy and statsmodels, mpmath, or by hand where noted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyFalseHit,
  anytimeP,
  benjaminiHochberg,
  chiSquaredMcNemar,
  estimateFromSample,
  exactSignFlip,
  expectedMaximum,
  fisherExact,
  holm,
  inclusionProbabilities,
  lookLevels,
  normalQuantile,
  passAtK,
  passHatK,
  poissonSample,
  repeatedLooksError,
  signedRank,
  signFlip,
} from '../../../../src/core/validation/statistics';
import { approximate, exact, near } from './near';

const pValue = fc.double({ min: 0, max: 1, noNaN: true });

describe('many claims', () => {
  const p = [0.01, 0.04, 0.03, 0.005, 0.2];

  it('are adjusted as the reference says', () => {
    for (const [index, q] of [0.025, 0.05, 0.05, 0.025, 0.2].entries()) near(benjaminiHochberg(p)[index], q);
    for (const [index, q] of [0.04, 0.09, 0.09, 0.025, 0.2].entries()) near(holm(p)[index], q);
    expect(holm([0.6, 0.7])).toEqual([1, 1]);
    expect([holm([]), benjaminiHochberg([])]).toEqual([[], []]);
  });

  it('are never adjusted downwards, nor by the list further than by Holm, and keep their order', () => {
    fc.assert(
      fc.property(fc.array(pValue, { maxLength: 12 }), (values) => {
        const strict = holm(values);
        const list = benjaminiHochberg(values);
        values.forEach((value, index) => {
          expect(list[index]).toBeGreaterThanOrEqual(value - exact);
          expect(strict[index]).toBeGreaterThanOrEqual((list[index] ?? 0) - exact);
          expect(strict[index]).toBeLessThanOrEqual(1);
          for (const [other, q] of list.entries()) {
            if ((values[other] ?? 0) < value) expect(q).toBeLessThanOrEqual(list[index] ?? 0);
          }
        });
      }),
    );
  });

  it('refuse what is no p value', () => {
    expect(() => holm([0.1, 1.2])).toThrow('1.2 is no p value');
    expect(() => benjaminiHochberg([Number.NaN])).toThrow('NaN is no p value');
    expect(() => holm([-0.1])).toThrow(RangeError);
  });

  it('twenty tests at 5 % give a false hit two times of three', () => near(anyFalseHit(20, 0.05), 0.6415140775914581));
});

describe('pass@k and pass^k', () => {
  it.each([
    [10, 3, 5, 0.916666666667],
    [5, 2, 2, 0.7],
    [200, 13, 10, 0.497551114731],
    [10, 0, 5, 0],
    [3, 3, 1, 1],
    [4, 3, 2, 1],
  ])('pass@k of n = %i, c = %i, k = %i', (total, passed, draws, value) =>
    near(passAtK(total, passed, draws), value, approximate),
  );

  it('pass^k is the chance that all pass', () => {
    near(passHatK(5, 2, 2), 0.1);
    near(passHatK(5, 5, 3), 1);
    expect(passHatK(5, 1, 2)).toBe(0);
    near(passHatK(10, 3, 1), 0.3);
  });

  it('is unknown, not zero, for more draws than trials', () => {
    expect(passAtK(3, 3, 4)).toBeNull();
    expect(passHatK(3, 3, 4)).toBeNull();
  });

  it('refuses what cannot be', () => {
    expect(() => passAtK(3, 4, 1)).toThrow('undefined for 4 of 3');
    expect(() => passHatK(3, 1, 0)).toThrow('k = 0');
    expect(() => passAtK(3.5, 1, 1)).toThrow('trials must be a count');
    expect(() => passAtK(3, -1, 1)).toThrow('passed must be a count');
    expect(() => passAtK(3, 1, 1.5)).toThrow('k must be a count');
  });
});

describe('samples with unequal chances', () => {
  it('give the reference estimates', () => {
    const found = estimateFromSample(
      [
        { value: 1, inclusion: 0.5 },
        { value: 1, inclusion: 0.8 },
      ],
      4,
    );
    near(found.total, 3.25);
    near(found.mean, 0.8125);
    near(found.hajek, 1);
    // By hand: (0.5 / 0.25 + 0.2 / 0.64) / 16
    near(found.standardError, Math.sqrt((2 + 0.3125) / 16));
    near(estimateFromSample([{ value: 2, inclusion: 1 }], 1).standardError, 0);
  });

  it('are right on average: every sample of the reference, weighted by its chance', () => {
    const values = [1, 0, 1, 1];
    const inclusion = [0.5, 0.25, 0.8, 0.4];
    let total = 0;
    let estimated = 0;
    for (let set = 1; set < 16; set++) {
      const members = [0, 1, 2, 3].filter((index) => set & (1 << index));
      const chance = [0, 1, 2, 3].reduce(
        (product, index) => product * (set & (1 << index) ? (inclusion[index] ?? 0) : 1 - (inclusion[index] ?? 0)),
        1,
      );
      const sample = members.map((index) => ({ value: values[index] ?? 0, inclusion: inclusion[index] ?? 0 }));
      const found = estimateFromSample(sample, 4);
      total += chance * found.total;
      estimated += chance * found.standardError ** 2;
    }
    near(total, 3);
    // 1/N^2 sum (1 - pi) / pi y^2
    near(estimated, (1 + 0.25 + 1.5) / 16);
  });

  it('refuse what cannot be', () => {
    expect(() => estimateFromSample([], 3)).toThrow('a sample of 0 cannot stand for 3');
    expect(() => estimateFromSample([{ value: 1, inclusion: 1 }], 0)).toThrow('cannot stand for 0');
    expect(() => estimateFromSample([{ value: 1, inclusion: 0 }], 1)).toThrow('0 is no inclusion');
    expect(() => estimateFromSample([{ value: 1, inclusion: 1.5 }], 2)).toThrow('1.5 is no inclusion');
    expect(() => inclusionProbabilities([1, 1], 3)).toThrow('no sample of 3 out of 2');
    expect(() => inclusionProbabilities([1, 1], 0)).toThrow('no sample of 0');
    expect(() => inclusionProbabilities([1, -1], 1)).toThrow('at least 0');
    expect(() => inclusionProbabilities([1, Number.POSITIVE_INFINITY], 1)).toThrow('at least 0');
  });

  it('have chances by weight that add up to the size', () => {
    expect(inclusionProbabilities([1, 1, 2], 2)).toEqual([0.5, 0.5, 1]);
    expect(inclusionProbabilities([0, 0], 1)).toEqual([0.5, 0.5]);
    expect(inclusionProbabilities([5, 5], 2)).toEqual([1, 1]);
    expect(inclusionProbabilities([0, 5e-324], 1)).toEqual(inclusionProbabilities([0, 1], 1));
    expect(inclusionProbabilities([1e308, 1e308], 1)).toEqual([0.5, 0.5]);
    expect(inclusionProbabilities([0, 3], 1)[0]).toBeCloseTo(0.015 / 3.015, 12);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: 1, maxLength: 30 }),
        fc.nat(),
        (weights, pick) => {
          const size = 1 + (pick % weights.length);
          const chances = inclusionProbabilities(weights, size);
          near(
            chances.reduce((sum, each) => sum + each, 0),
            size,
            1e-9,
          );
          for (const chance of chances) {
            expect(chance).toBeGreaterThan(0);
            expect(chance).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });

  it('are drawn with those chances, and alike from the same seed', () => {
    expect(poissonSample([1, 1, 0], 4)).toEqual([0, 1]);
    const chances = Array<number>(4000).fill(0.25);
    const drawn = poissonSample(chances, 11);
    expect(poissonSample(chances, 11)).toEqual(drawn);
    expect(poissonSample(chances, 12)).not.toEqual(drawn);
    expect(Math.abs(drawn.length - 1000)).toBeLessThan(4 * Math.sqrt(750));
  });
});

describe('repeated looks', () => {
  it.each([
    [1, 0.05],
    [2, 0.083],
    [3, 0.107],
    [5, 0.142],
    [10, 0.193],
  ])('%i looks at 1.96 reject a true null with chance %d', (looks, error) =>
    near(repeatedLooksError(Array(looks).fill(1.959963984540054)), error, 0.0006),
  );

  it.each([
    // Critical values of Pocock 1977 and O'Brien and Fleming 1979, as tabulated by Jennison and Turnbull 2000.
    [2, 'Pocock', 2.178, 2.178],
    [3, 'Pocock', 2.289, 2.289],
    [5, 'Pocock', 2.413, 2.413],
    [2, "O'Brien-Fleming", 2.797, 1.977],
    [3, "O'Brien-Fleming", 3.471, 2.004],
    [5, "O'Brien-Fleming", 4.562, 2.04],
  ] as const)('levels for %i looks by %s', (looks, boundary, first, last) => {
    const levels = lookLevels(looks, 0.05, boundary);
    expect(levels).toHaveLength(looks);
    near(-normalQuantile((levels[0] ?? 0) / 2), first, 0.001);
    near(-normalQuantile((levels.at(-1) ?? 0) / 2), last, 0.001);
    near(repeatedLooksError(levels.map((level) => -normalQuantile(level / 2))), 0.05, 1e-7);
  });

  it('need no correction for one look, and are strict at first by default', () => {
    near(lookLevels(1, 0.05)[0], 0.05, 1e-8);
    near(lookLevels(1, 0.01, 'Pocock')[0], 0.01, 1e-8);
    expect(lookLevels(3, 0.05)[0]).toBeLessThan(0.001);
    expect(lookLevels(3, 0.05)).toBe(lookLevels(3, 0.05));
    for (const looks of [0, 21, 1.5]) expect(() => lookLevels(looks, 0.05)).toThrow(`${looks} looks cannot be planned`);
  });

  it('at any time are valid by the ratio of likelihoods', () => {
    // By hand: 2^6 * 0! 6! / 7! = 64 / 7
    near(anytimeP(0, 6), 7 / 64);
    near(anytimeP(6, 0), 7 / 64);
    expect(anytimeP(0, 0)).toBe(1);
    expect(anytimeP(3, 3)).toBe(1);
    near(anytimeP(2, 9), (12 * 55) / 2048);
    // Ville's inequality, checked by walking all paths of 12 flips of a fair coin.
    const crossing = (flips: number, down: number, up: number): number =>
      anytimeP(down, up) <= 0.05
        ? 1
        : flips === 0
          ? 0
          : (crossing(flips - 1, down + 1, up) + crossing(flips - 1, down, up + 1)) / 2;
    expect(crossing(12, 0, 0)).toBeGreaterThan(0.0005);
    expect(crossing(12, 0, 0)).toBeLessThanOrEqual(0.05);
  });
});

it.each([
  [1, 0],
  [2, 0.564189583548],
  [3, 0.846284375322],
  [5, 1.16296447364],
  [10, 1.53875273084],
  [20, 1.8674750598],
  [60, 2.31927820724],
])('the best of %i equal candidates looks %d errors better', (candidates, value) => {
  near(expectedMaximum(candidates), value, 1e-9);
  expect(() => expectedMaximum(candidates - 0.5)).toThrow('no number of candidates');
  expect(() => expectedMaximum(0)).toThrow('0 is no number');
});

describe('tests of counts', () => {
  it.each([
    [0, 5, 0.025347318677, 0.07363827012],
    [1, 9, 0.011412036386, 0.026856695508],
    [4, 14, 0.018422125454, 0.033894853525],
    [8, 6, 0.592980098017, 0.789268026134],
    [5, 5, 1, 1],
    [0, 0, 1, 1],
  ])('chi-squared McNemar of %i and %i', (down, up, p, corrected) => {
    near(chiSquaredMcNemar(down, up), p, approximate);
    near(chiSquaredMcNemar(down, up, true), corrected, down === 5 ? 1 : approximate);
    near(chiSquaredMcNemar(up, down), p, approximate);
  });

  it('chi-squared McNemar refuses what is no count', () => {
    expect(() => chiSquaredMcNemar(-1, 0)).toThrow('down must be');
    expect(() => chiSquaredMcNemar(0, 0.5)).toThrow('up must be');
  });

  it.each([
    [0, 3, 3, 3, 0.1],
    [0, 5, 5, 5, 0.007936507936507936],
    [2, 5, 4, 5, 0.5238095238095237],
    [1, 10, 7, 9, 0.005477494641581329],
    [3, 5, 3, 5, 1],
    [0, 0, 2, 3, 1],
  ])("Fisher's exact test of %i of %i and %i of %i", (a, n, b, m, p) => {
    near(fisherExact(a, n, b, m), p, 1e-10);
    near(fisherExact(b, m, a, n), p, 1e-10);
    near(fisherExact(n - a, n, m - b, m), p, 1e-10);
  });

  it("Fisher's exact test refuses what cannot be", () => {
    expect(() => fisherExact(4, 3, 0, 3)).toThrow('more trials passed');
    expect(() => fisherExact(0, 3, 4, 3)).toThrow('more trials passed');
    expect(() => fisherExact(0.5, 3, 0, 3)).toThrow('must be a count');
  });

  it.each([
    [[1, 2, -3, 4], 3, 0.625],
    [[1, 1, 2, -1, 0, 3], 2, 0.25],
    [[3, 3, -3, 2, 2, 1, 1, -1, 0, 0], 9, 0.2734375],
    [[2, 2, 2, 2, 2, 2], 0, 0.03125],
    [[], 0, 1],
    [[1, -1], 1.5, 1],
  ])('signed ranks of %j', (differences, statistic, p) => {
    expect(signedRank(differences).statistic).toBe(statistic);
    near(signedRank(differences).p, p);
    near(signedRank(differences.map((value) => -value)).p, p);
  });

  it('signed ranks refuse rates', () => expect(() => signedRank([1 / 3])).toThrow('integer differences'));
});

describe('sign-flip of many large differences', () => {
  const large = Array.from({ length: 40 }, (_, index) => ((index * 7919) % 401) - 170);
  const drawn = { draws: 1_999, mostSteps: 0 };

  it('is drawn where counting would take too long, close to the truth and alike from the same seed', () => {
    const p = signFlip(large, drawn);
    expect(signFlip(large, drawn)).toBe(p);
    expect(signFlip(large, { ...drawn, seed: 3 })).not.toBe(p);
    near(p, exactSignFlip(large), 0.04);
    near(signFlip(large, { ...drawn, draws: 3_999 }), exactSignFlip(large), 0.03);
    expect(signFlip(large.map(Math.abs), drawn)).toBe(1 / 2_000);
    expect(signFlip([5, -5], drawn)).toBe(1);
  });

  it('is counted up to the given number of steps', () => {
    // 4 differences reach 10 in all: 2 * 10 * 4 steps.
    expect(signFlip([1, 2, 3, 4], { draws: 9, mostSteps: 80 })).toBe(0.125);
    expect(signFlip([1, 2, 3, 4], { draws: 9, mostSteps: 79 }) * 10).toBeCloseTo(
      Math.round(signFlip([1, 2, 3, 4], { draws: 9, mostSteps: 79 }) * 10),
      12,
    );
  });

  it('is counted where that is quick', () => {
    near(signFlip([3, 2, 2, 1, 1, 1, -1, -1]), 0.140625);
    expect(() => signFlip([0.5])).toThrow('not 0.5');
  });
});
