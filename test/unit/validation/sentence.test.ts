import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, points, pValue } from '../../../src/core/validation';
import { manifestOf, trialsOf } from './trials';

describe('numbers in sentences', () => {
  it.each([
    [0.0625, '+6.3'],
    [-0.031, '-3.1'],
    [0, '0.0'],
    [-0.0001, '0.0'],
    [0.0001, '0.0'],
    [1, '+100.0'],
    [-1, '-100.0'],
  ])('a difference of %d is %s points', (difference, text) => expect(points(difference)).toBe(text));

  it.each([
    [1, '1'],
    [0.9999, '1'],
    [0.19, '0.19'],
    [0.03125, '0.031'],
    [0.0001, '0.0001'],
    [0.00008171, '8.2e-5'],
    [2 ** -999, '1.9e-301'],
  ])('p = %d is written %s', (p, text) => expect(pValue(p)).toBe(text));

  it('never say that p is zero', () => {
    fc.assert(
      fc.property(fc.double({ min: Number.MIN_VALUE, max: 1, noNaN: true }), (p) => {
        expect(Number(pValue(p))).toBeGreaterThan(0);
        expect(Number(pValue(p))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the sentence', () => {
  const sentence = (outcomes: Record<string, readonly [string, string]>, trials: number, label = 'p12') => {
    const manifest = manifestOf(Object.keys(outcomes), trials);
    const arms = manifest.arms.map((arm) => (arm.arm === 'candidate' ? { ...arm, label } : arm));
    return judge({ ...manifest, arms }, trialsOf(outcomes)).sentence;
  };

  it('speaks of one task in the singular', () => {
    expect(sentence({ a: ['f', 'p'] }, 1)).toBe(
      'Undecided. Candidate p12 against baseline: +100.0 pp [-73.4, +100.0], p = 1 (exact McNemar on single trials, ' +
        '1 task x 1). 1 task flipped up, 0 down. This design cannot resolve any gap at 80 % power; it needs at least 6 ' +
        'tasks. About 10 more tasks x 1 would decide if this difference holds. To resolve 5 pp: 4187 tasks x 1. ' +
        'Coverage 2 of 2.',
    );
  });

  it('tells why verdicts are missing also when it decides', () => {
    const outcomes = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((task) => [task, ['fffff', 'ppppp'] as const]),
    );
    expect(sentence({ ...outcomes, h: ['ppp--', 'ppppp'] }, 5)).toMatch(
      /^Accept\. .* Coverage 78 of 80 \(no verdict: 2 no verdict in the baseline\)\.$/,
    );
  });

  it('names an arm without a label plainly', () => {
    expect(sentence({ a: ['f', 'p'] }, 1, '')).toContain('Undecided. Candidate against baseline');
  });
});
