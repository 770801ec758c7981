// Reference values computed with scipy 1.17.1 and statsmodels 0.15.0, or derived by hand where noted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  biasCorrectedBootstrap,
  bonettPrice,
  differenceVariance,
  equivalenceP,
  exactBootstrapSums,
  mean,
  meanWithError,
  nonInferiorityP,
  type PairedMean,
  pairedBootstrap,
  pairedInterval,
  pairedMean,
  planningFactor,
  repeatsFor,
  resolvableGap,
  sampleVariance,
  studentCdf,
  tasksFor,
  varianceSplit,
  waldPaired,
} from '../../../../src/core/validation/statistics';
import { approximate, exact, near } from './near';

/** A public rerun set of 108 tasks x 3: how many tasks passed 0, 1, 2 and 3 times. */
const passCounts = [59, 13, 11, 25].flatMap((tasks, passes) => Array<number>(tasks).fill(passes));

describe('means over tasks', () => {
  it('have the task-clustered error, not the one of independent trials', () => {
    const { mean: score, standardError } = meanWithError(passCounts.map((count) => count / 3));
    near(score, 0.33950617284, approximate);
    near(standardError, 0.040425195183, approximate);
    const trials = passCounts.flatMap((count) => [0, 1, 2].map((repeat) => (repeat < count ? 1 : 0)));
    near(meanWithError(trials).standardError, 0.026307871624, 1e-4); // n - 1 instead of n below
  });

  it('say nothing of one task, and nothing at all of none', () => {
    expect(meanWithError([0.5])).toEqual({ mean: 0.5, standardError: null });
    expect(sampleVariance([])).toBeNull();
    expect(mean([])).toBeNaN();
    expect(sampleVariance([1, 2, 4])).toBeCloseTo(7 / 3, 12);
  });

  it('equal their error where one task holds the whole difference', () => {
    const { mean: middle, standardError } = meanWithError([3, 0, 0, 0]);
    near(standardError, middle, exact);
  });

  it('are split into spread between and within tasks', () => {
    // By hand: task means 1/2 and 1, within 1/2 and 0, so total 1/8 and noise (1/4 + 0) / 2.
    expect(varianceSplit([[0, 1], [1, 1], [1]])).toEqual({ between: 0, within: 0.25 });
    const split = varianceSplit([
      [0, 0, 1],
      [1, 1, 1],
      [0, 0, 0],
    ]);
    near(split?.within, 1 / 9);
    near(split?.between, 7 / 27 - 1 / 27);
    expect(varianceSplit([[0, 1], [1]])).toBeNull();
    expect(varianceSplit([])).toBeNull();
  });
});

describe('the paired t test', () => {
  const reference: PairedMean = {
    mean: 0.012345679012,
    standardError: 0.023584876768,
    degrees: 107,
    t: 0.523457431372,
    p: 0.601738404502,
  };

  it('gives the reference interval, power and plan', () => {
    const [low, high] = pairedInterval(reference);
    near(low, 0.012345679012 - 1.9823833701756908 * 0.023584876768, 1e-10);
    near(high, 0.012345679012 + 1.9823833701756908 * 0.023584876768, 1e-10);
    near(resolvableGap(reference.standardError), 0.066075042125, approximate);
    expect(tasksFor(0.03, reference.standardError ** 2 * 108)).toBe(524);
  });

  it('is the mean over its error', () => {
    const found = pairedMean([1, 0, 2, -1, 1, 1]);
    near(found?.mean, 2 / 3);
    near(found?.standardError, Math.sqrt(16 / 15 / 6));
    near(found?.t, 2 / 3 / Math.sqrt(16 / 15 / 6));
    expect(found?.degrees).toBe(5);
    near(found?.p, 2 * (1 - studentCdf(found?.t ?? 0, 5)));
    const [low, high] = pairedInterval(found as PairedMean, 0.9);
    const [wider, widest] = pairedInterval(found as PairedMean);
    expect(wider).toBeLessThan(low);
    expect(widest).toBeGreaterThan(high);
  });

  it('defines what a spread of zero means', () => {
    expect(pairedMean([0.5])).toBeNull();
    expect(pairedMean([0, 0, 0])?.p).toBe(1);
    expect(pairedMean([1, 1, 1])?.p).toBe(0);
    const still = pairedMean([0, 0]) as PairedMean;
    expect([nonInferiorityP(still, 0.05), nonInferiorityP(still, 0), equivalenceP(still, 0.05)]).toEqual([0, 1, 0]);
  });

  it('shows that a candidate is not worse, or equal, only within the margin', () => {
    // t = (mean + margin) / error, one-sided
    near(nonInferiorityP(reference, 0.05), 1 - studentCdf((0.012345679012 + 0.05) / 0.023584876768, 107));
    near(equivalenceP(reference, 0.05), 1 - studentCdf((0.05 - 0.012345679012) / 0.023584876768, 107));
    expect(equivalenceP(reference, 0.05)).toBeGreaterThan(nonInferiorityP(reference, 0.05));
    expect(equivalenceP({ ...reference, mean: -reference.mean }, 0.05)).toBe(equivalenceP(reference, 0.05));
    expect(nonInferiorityP({ ...reference, mean: -0.05 }, 0.05)).toBeCloseTo(0.5, 12);
  });
});

describe('paired pass rates', () => {
  it('have the reference intervals', () => {
    const wald = waldPaired(2, 10, 50);
    near(wald.difference, 0.16);
    near(wald.standardError, 0.0654828222, approximate);
    near(wald.interval[0], 0.0316560269, approximate);
    near(wald.interval[1], 0.2883439731, approximate);
    const [low, high] = bonettPrice(2, 10, 50);
    near(low, 0.0191587086, approximate);
    near(high, 0.2885335991, approximate);
  });

  it('never have an interval without width by Bonett and Price, nor one outside [-1, 1]', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), fc.nat(30), (down, up, same) => {
        const pairs = Math.max(1, down + up + same);
        const [low, high] = bonettPrice(down, up, pairs);
        expect(high - low).toBeGreaterThan(0.01);
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
        const [opposite] = bonettPrice(up, down, pairs);
        expect(opposite).toBeCloseTo(-high, 12);
      }),
    );
    expect(bonettPrice(0, 1, 1)[1]).toBe(1);
    expect(waldPaired(0, 3, 3).interval).toEqual([1, 1]);
    expect(bonettPrice(2, 10, 50, 0.8)[0]).toBeGreaterThan(bonettPrice(2, 10, 50)[0]);
  });

  it('refuse counts that do not fit', () => {
    expect(() => waldPaired(0, 0, 0)).toThrow('do not fit into 0 pairs');
    expect(() => bonettPrice(3, 3, 5)).toThrow('3 down and 3 up do not fit into 5 pairs');
    expect(() => bonettPrice(-1, 3, 5)).toThrow('down must be a count');
    expect(() => bonettPrice(1, 0.5, 5)).toThrow('up must be a count');
    expect(() => bonettPrice(0, 0, 1.5)).toThrow('pairs must be a count');
  });
});

describe('planning', () => {
  it('has the factor 2.80 for 5 % and 80 %', () => {
    near(planningFactor(), 2.8015852, 1e-7);
    near(planningFactor({ alpha: 0.01, power: 0.9 }), 2.5758293035489 + 1.2815515655446, 1e-9);
    near(resolvableGap(0.1, { alpha: 0.01, power: 0.9 }), 0.38573808690935, 1e-9);
  });

  it('counts tasks and repeats from the parts of the variance', () => {
    const variance = { effect: 0.02, withinBaseline: 0.1, withinCandidate: 0.14 };
    near(differenceVariance(variance, 3), 0.1);
    expect(tasksFor(0.1, 0.1)).toBe(Math.ceil((2.8015852 ** 2 * 0.1) / 0.01));
    expect(tasksFor(-0.1, 0.1)).toBe(tasksFor(0.1, 0.1));
    expect(tasksFor(0.1, 0)).toBe(1);
    expect(tasksFor(0, 0.1)).toBeNull();
    const repeats = repeatsFor(0.1, 100, variance) ?? 0;
    expect(repeats).toBe(3); // 100 * 0.01 / 7.849 - 0.02 = 0.1074 is allowed, 0.24 is there
    near(resolvableGap(Math.sqrt(differenceVariance(variance, repeats) / 100)), 0.1, 0.02);
    expect(repeatsFor(0.1, 10, variance)).toBeNull(); // the tasks alone vary too much
    expect(repeatsFor(0, 1000, { ...variance, effect: 0 })).toBeNull();
    expect(repeatsFor(1, 1000, variance)).toBe(1);
  });
});

describe('the bootstrap', () => {
  it('knows the exact distribution of [0, 0, 1]', () => {
    const found = exactBootstrapSums([0, 0, 1]);
    expect(found.map(({ sum }) => sum)).toEqual([0, 1, 2, 3]);
    for (const [index, weight] of [8, 12, 6, 1].entries()) near(found[index]?.chance, weight / 27);
    expect(() => exactBootstrapSums([])).toThrow('at least one task');
    expect(() => exactBootstrapSums([0.5])).toThrow('integers, not 0.5');
  });

  it('corrected for bias and skew moves towards the long tail, and not at all without one', () => {
    const options = { samples: 4_000, seed: 3 };
    const even = [-2, -1, 0, 1, 2].flatMap((value) => [value, value, value, value]).map((value) => value / 10);
    const [low, high] = biasCorrectedBootstrap(even, options);
    const [plainLow, plainHigh] = pairedBootstrap(even, options);
    near(low, plainLow, 0.012);
    near(high, plainHigh, 0.012);
    const skewed = [...Array<number>(25).fill(0), 1, 1, 1];
    const corrected = biasCorrectedBootstrap(skewed, options);
    const plain = pairedBootstrap(skewed, options);
    expect(corrected[0]).toBeGreaterThan(plain[0]);
    expect(corrected[1]).toBeGreaterThan(plain[1]);
    // The same with the signs turned, up to the luck of the draw.
    const turned = biasCorrectedBootstrap(
      skewed.map((value) => -value),
      options,
    );
    near(turned[0], -corrected[1], 0.06);
    near(turned[1], -corrected[0], 0.06);
    expect(biasCorrectedBootstrap([0.2, 0.2, 0.2], options).map((end) => end.toFixed(9))).toEqual([
      '0.200000000',
      '0.200000000',
    ]);
    const narrow = biasCorrectedBootstrap(even, { ...options, confidence: 0.5 });
    expect(narrow[1] - narrow[0]).toBeLessThan((high - low) * 0.5);
  });
});
