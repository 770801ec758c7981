// Values computed to 30 digits with mpmath 1.3.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  normalCdf,
  normalQuantile,
  studentCdf,
  studentQuantile,
  studentTwoSided,
} from '../../../../src/core/validation/statistics';
import { normalDensity } from '../../../../src/core/validation/statistics/normal';
import { logFactorial } from '../../../../src/core/validation/statistics/numbers';
import { approximate, exact, near, relativelyNear } from './near';

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [0.5, 0.6914624612740131],
    [-1, 0.15865525393145705],
    [1.959963984540054, 0.975],
    [3, 0.9986501019683699],
    [-3, 0.0013498980316300946],
    [-5.9, 1.8175078630994284e-9],
    [-6.5, 4.016000583859118e-11],
    [-10, 7.619853024160525e-24],
    [-20, 2.7536241186062337e-89],
  ])('P(Z <= %d)', (x, p) => relativelyNear(normalCdf(x), p, 1e-11));

  it.each([
    [0.5, 0],
    [0.8, 0.8416212335729142],
    [0.975, 1.959963984540054],
    [0.93, 1.4757910281791706],
    [0.025, -1.959963984540054],
    [0.0001, -3.7190164854556804],
    [0.9999, 3.7190164854556804],
    [1e-10, -6.361340902404057],
    [1e-15, -7.941345326170997],
  ])('quantile of %d', (p, x) => near(normalQuantile(p), x, 1e-12));

  it('is symmetric, steady across its two formulas, and undone by its quantile', () => {
    fc.assert(
      fc.property(fc.double({ min: -8, max: 8, noNaN: true }), (x) => {
        near(normalCdf(x) + normalCdf(-x), 1, exact);
        if (x < 5) near(normalQuantile(normalCdf(x)), x, 1e-9);
      }),
    );
    near(normalCdf(-3 - 1e-9), normalCdf(-3), 1e-10);
    near(normalDensity(0), 0.3989422804014327);
    near(normalDensity(-2), 0.05399096651318806);
  });

  it('has quantiles between 0 and 1 only', () => {
    for (const p of [0, 1, -0.1, 1.1, Number.NaN]) expect(() => normalQuantile(p)).toThrow(`not ${p}`);
  });
});

describe("Student's t", () => {
  it.each([
    [0.5, 1, 0.6475836176504333],
    [2, 1, 0.8524163823495667],
    [-1.3, 2, 0.1616235159080202],
    [2.1, 3, 0.9367173987251577],
    [1, 4, 0.8130495168499706],
    [0.7, 7, 0.7467412239022001],
    [0.523457431372, 107, 0.6991307977490218],
    [-4, 10, 0.001259166312368346],
    [12, 5, 0.9999645525374142],
  ])('P(T <= %d) with %i degrees', (t, degrees, p) => near(studentCdf(t, degrees), p));

  it.each([
    [0.975, 1, 12.7062047361747],
    [0.975, 2, 4.302652729749464],
    [0.8, 3, 0.9784723123633045],
    [0.95, 4, 2.13184678632665],
    [0.975, 10, 2.228138851986275],
    [0.975, 107, 1.9823833701756908],
    [0.025, 10, -2.228138851986275],
    [0.5, 9, 0],
  ])('quantile of %d with %i degrees', (p, degrees, t) => near(studentQuantile(p, degrees), t, 1e-10));

  it('has a two-sided p of at most 1', () => {
    expect(studentTwoSided(0, 8)).toBe(1);
    near(studentTwoSided(-0.523457431372, 107), 0.601738404502, approximate);
    near(studentTwoSided(0.523457431372, 107), 0.601738404502, approximate);
    near(studentTwoSided(Number.POSITIVE_INFINITY, 3), 0);
  });

  it('refuses degrees of freedom that are none', () => {
    expect(() => studentCdf(1, 0)).toThrow('at least one degree');
    expect(() => studentCdf(1, 2.5)).toThrow('degrees of freedom must be a count');
    expect(() => studentQuantile(1, 3)).toThrow(RangeError);
  });
});

it('log factorials are those of the integers', () => {
  expect(logFactorial(0)).toBe(0);
  near(Math.exp(logFactorial(10)), 3_628_800, 1e-6);
  near(logFactorial(170), 706.5730622457874, 1e-9);
});
