import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bootstrapMeans,
  detectableGap,
  exactMcNemar,
  exactSignFlip,
  furtherTasks,
  mcnemarPower,
  midPMcNemar,
  pairedBootstrap,
  quantile,
  wilson,
} from '../../../../src/core/validation/statistics';
import { binomialProbability, binomialUpperTail } from '../../../../src/core/validation/statistics/numbers';

const count = fc.integer({ min: 0, max: 400 });
const alpha = 0.05;

describe('exact McNemar', () => {
  it('is symmetric, a probability, and never below its mid-p', () => {
    fc.assert(
      fc.property(count, count, (down, up) => {
        const p = exactMcNemar(down, up);
        expect(p).toBe(exactMcNemar(up, down));
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(midPMcNemar(down, up)).toBeLessThanOrEqual(p);
      }),
    );
  });

  it('falls as a fixed number of flips becomes more one-sided', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 400 }), (pairs) => {
        for (let down = 1; 2 * down <= pairs; down++) {
          expect(exactMcNemar(down - 1, pairs - down + 1)).toBeLessThan(exactMcNemar(down, pairs - down) + 1e-15);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('sign-flip', () => {
  const differences = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 12 });

  it('agrees with counting all sign patterns', () => {
    fc.assert(
      fc.property(differences, (values) => {
        const observed = Math.abs(values.reduce((sum, value) => sum + value, 0));
        let extreme = 0;
        for (let pattern = 0; pattern < 2 ** values.length; pattern++) {
          const sum = values.reduce((total, value, bit) => total + (pattern & (1 << bit) ? value : -value), 0);
          if (Math.abs(sum) >= observed) extreme++;
        }
        expect(exactSignFlip(values)).toBeCloseTo(extreme / 2 ** values.length, 12);
      }),
      { numRuns: 50 },
    );
  });

  it('does not change when the arms change places', () => {
    fc.assert(
      fc.property(differences, (values) => {
        expect(exactSignFlip(values.map((value) => -value))).toBeCloseTo(exactSignFlip(values), 12);
      }),
    );
  });
});

describe('paired bootstrap', () => {
  const rates = fc.array(fc.constantFrom(-1, -2 / 3, -1 / 3, 0, 1 / 3, 2 / 3, 1), { minLength: 1, maxLength: 40 });

  it('gives the same interval for the same seed, within the range of the data', () => {
    fc.assert(
      fc.property(rates, fc.integer(), (differences, seed) => {
        const interval = pairedBootstrap(differences, { samples: 200, seed });
        expect(pairedBootstrap(differences, { samples: 200, seed })).toEqual(interval);
        expect(interval[0]).toBeLessThanOrEqual(interval[1]);
        expect(interval[0]).toBeGreaterThanOrEqual(Math.min(...differences) - 1e-12);
        expect(interval[1]).toBeLessThanOrEqual(Math.max(...differences) + 1e-12);
      }),
    );
  });

  it('depends on the seed', () => {
    const differences = Array.from({ length: 30 }, (_, index) => (index % 7) / 7 - 0.4);
    const one = bootstrapMeans(differences, { samples: 50, seed: 1 });
    expect([...bootstrapMeans(differences, { samples: 50, seed: 2 })]).not.toEqual([...one]);
  });

  it('draws as the exact distribution of [0, 0, 1] says', () => {
    const samples = 9_000;
    const means = bootstrapMeans([0, 0, 1], { samples, seed: 5 });
    // Weights of the means 0, 1/3, 2/3, 1 are 8, 12, 6, 1 of 27.
    for (const [ones, weight] of [8, 12, 6, 1].entries()) {
      const share = means.filter((value) => Math.abs(value - ones / 3) < 1e-9).length / samples;
      const expected = weight / 27;
      expect(Math.abs(share - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / samples));
    }
  });

  it('refuses nothing', () => {
    expect(() => pairedBootstrap([], { samples: 10, seed: 1 })).toThrow('at least one task');
    expect(() => pairedBootstrap([0], { samples: 0, seed: 1 })).toThrow('at least one sample');
  });

  it('interpolates quantiles', () => {
    expect(quantile([0, 1, 2, 3], 0.5)).toBe(1.5);
    expect(quantile([0, 1, 2, 3], 1)).toBe(3);
    expect(quantile([7], 0.3)).toBe(7);
  });
});

describe('Wilson', () => {
  it('holds the observed rate, stays in [0, 1] and narrows with more trials', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (total, share) => {
        const passed = Math.round(total * share);
        const [low, high] = wilson(passed, total);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(passed / total);
        expect(high).toBeGreaterThanOrEqual(passed / total);
        const [lower, higher] = wilson(passed * 4, total * 4);
        expect(higher - lower).toBeLessThan(high - low);
      }),
    );
  });
});

describe('planning', () => {
  it('never needs a larger gap with more tasks by more than the step of the discrete test', () => {
    const gaps = [10, 20, 40, 80, 160, 320].map((tasks) => detectableGap(tasks, 0.13, { alpha }) ?? 1);
    for (const [index, gap] of gaps.slice(1).entries()) expect(gap).toBeLessThan(gaps[index] ?? 0);
  });

  it('says that fewer than six tasks resolve nothing', () => {
    expect(detectableGap(5, 0.2, { alpha })).toBeNull();
    expect(detectableGap(0, 0.2, { alpha })).toBeNull();
    expect(detectableGap(6, 0.2, { alpha })).not.toBeNull();
  });

  it('finds a gap that has the power it claims', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 200 }),
        fc.double({ min: 0.01, max: 0.4, noNaN: true }),
        (tasks, change) => {
          const gap = detectableGap(tasks, change, { alpha });
          if (gap === null) return;
          const changed = Math.max(change, gap);
          const discordance = { up: (changed + gap) / 2, down: (changed - gap) / 2 };
          expect(mcnemarPower(tasks, discordance, { alpha })).toBeGreaterThanOrEqual(0.8);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('counts further tasks in either direction, and none for a gap of zero', () => {
    const up = furtherTasks(16, { up: 3 / 16, down: 1 / 16 }, { alpha });
    expect(up).toBe(furtherTasks(16, { up: 1 / 16, down: 3 / 16 }, { alpha }));
    expect(up).toBeGreaterThan(60);
    expect(mcnemarPower(16 + (up ?? 0), { up: 3 / 16, down: 1 / 16 }, { alpha })).toBeGreaterThanOrEqual(0.8);
    expect(furtherTasks(16, { up: 0.1, down: 0.1 }, { alpha })).toBeNull();
    expect(furtherTasks(5, { up: 1, down: 0 }, { alpha })).toBe(1);
  });

  it('falls back to the formula for gaps that need very many tasks', () => {
    expect(furtherTasks(500, { up: 0.105, down: 0.1 }, { alpha })).toBeGreaterThan(50_000);
  });
});

describe('binomial tails', () => {
  it('equal the sum of their terms, and do not lose the tail that is nearly everything', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: -1, max: 122 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, k, p) => {
          let sum = 0;
          for (let ups = Math.max(0, k); ups <= n; ups++) sum += binomialProbability(n, ups, p);
          expect(binomialUpperTail(n, k, p)).toBeCloseTo(sum, 10);
        },
      ),
    );
    expect(binomialUpperTail(5_000, 100, 0.9)).toBe(1);
    expect(binomialUpperTail(5_000, 4_990, 0.1)).toBe(0);
    expect(mcnemarPower(5_000, { up: 0.9, down: 0.1 }, { alpha })).toBeCloseTo(1, 12);
  });
});
