// Reference values computed with scipy 1.17.1 and statsmodels 0.15.0, or derived by hand where noted.
import { describe, expect, it } from 'vitest';
import {
  clopperPearson,
  connorTasks,
  exactMcNemar,
  exactSignFlip,
  mcnemarPower,
  midPMcNemar,
  wilson,
} from '../../../../src/core/validation/statistics';
import { approximate, exact, near } from './near';

describe('exact McNemar', () => {
  it.each([
    [0, 5, 0.0625, 0.03125],
    [1, 9, 0.021484375, 0.01171875],
    [4, 14, 0.0308837890625, 0.0192108154297],
    [8, 6, 0.79052734375, 0.607238769531],
    [5, 5, 1, 1],
    [0, 0, 1, 1],
  ])('%i down and %i up', (down, up, p, midP) => {
    near(exactMcNemar(down, up), p, exact);
    near(midPMcNemar(down, up), midP, exact);
  });

  it('agrees on larger tables', () => {
    near(exactMcNemar(121, 59), 4.4344492637551645e-6, exact);
    near(exactMcNemar(12, 41), 8.171334999262925e-5, exact);
  });

  it('needs six flips with nothing on the other side at 5 %', () => {
    expect(exactMcNemar(0, 5)).toBeGreaterThan(0.05);
    expect(exactMcNemar(0, 6)).toBe(0.03125);
  });

  it('stays exact where the binomial sums are beyond the range of numbers', () => {
    // P(Bin(2n, 1/2) = n) leaves 1 - p for (n, n + 1); 2 * P(X <= 1000 of 2001) is exactly 1.
    expect(exactMcNemar(1000, 1001)).toBe(1);
    expect(exactMcNemar(0, 1000)).toBe(2 ** -999);
    expect(exactMcNemar(900, 1100)).toBeGreaterThan(0);
  });

  it('refuses what is no count', () => {
    expect(() => exactMcNemar(-1, 2)).toThrow(RangeError);
    expect(() => midPMcNemar(1.5, 2)).toThrow('down must be a count');
    expect(() => exactMcNemar(1, Number.NaN)).toThrow('up must be a count');
  });
});

describe('exact sign-flip', () => {
  it.each([
    [[1, 1, 2, -1], 0.5],
    [[1, 1, 1, 1, 1, 1], 0.03125],
    [[3, 2, 2, 1, 1, 1, -1, -1], 0.140625],
    [[0, 0, 0], 1],
    [[], 1],
  ])('%j', (differences, p) => near(exactSignFlip(differences), p, exact));

  it('equals exact McNemar when every difference is one', () => {
    near(exactSignFlip([...Array(14).fill(1), ...Array(4).fill(-1)]), exactMcNemar(4, 14), exact);
  });

  it('does not decide by floating point when one task holds the whole difference', () => {
    expect(exactSignFlip([3, 0, 0, 0, 0])).toBe(1);
  });

  it('refuses rates', () => expect(() => exactSignFlip([1 / 3])).toThrow('integer differences'));
});

describe('Wilson interval', () => {
  it.each([
    [0, 10, 0, 0.277532799863],
    [7, 10, 0.396778147461, 0.892208732594],
    [19, 20, 0.763868806553, 0.991118551199],
    [0, 0, 0, 1],
  ])('%i of %i', (passed, total, low, high) => {
    const interval = wilson(passed, total);
    near(interval[0], low, approximate);
    near(interval[1], high, approximate);
  });

  it('refuses more passes than trials', () => expect(() => wilson(3, 2)).toThrow('3 of 2'));
});

describe('Clopper-Pearson interval', () => {
  it.each([
    [0, 10, 0, 0.308497107819],
    [7, 10, 0.34754714994, 0.933260488822],
    [19, 20, 0.751267237228, 0.998734910502],
    [20, 20, 0.831566529, 1],
    [0, 0, 0, 1],
  ])('%i of %i', (passed, total, low, high) => {
    const interval = clopperPearson(passed, total);
    near(interval[0], low, approximate);
    near(interval[1], high, approximate);
  });

  it('refuses more passes than trials', () => expect(() => clopperPearson(3, 2)).toThrow('3 of 2'));
});

describe('power of exact McNemar', () => {
  const alpha = 0.05;

  it('gives the exact power at the sizes of Connor', () => {
    expect(connorTasks({ down: 0.05, up: 0.15 })).toBe(155);
    expect(connorTasks({ down: 0.1, up: 0.2 })).toBe(234);
    near(mcnemarPower(155, { down: 0.05, up: 0.15 }, { alpha }), 0.76174718, approximate);
    near(mcnemarPower(234, { down: 0.1, up: 0.2 }, { alpha }), 0.77555883, approximate);
  });

  it('gives the size of the test when nothing differs', () => {
    // Both directions together, by symmetry.
    near(2 * mcnemarPower(108, { down: 0.07, up: 0.07 }, { alpha }), 0.02742207, approximate);
  });

  it('sees a 13-point gap about half the time with 45 tasks', () => {
    near(mcnemarPower(45, { down: 0, up: 0.13 }, { alpha }), 0.54, 0.01);
    near(mcnemarPower(447, { down: 0.04, up: 0.09 }, { alpha }), 0.82, 0.01);
  });

  it('is the plain binomial tail when every task changes', () => {
    // Six of six must be ups: 0.9^6.
    near(mcnemarPower(6, { down: 0.1, up: 0.9 }, { alpha }), 0.9 ** 6, exact);
    expect(mcnemarPower(5, { down: 0, up: 1 }, { alpha })).toBe(0);
    expect(mcnemarPower(50, { down: 0, up: 0 }, { alpha })).toBe(0);
  });
});
