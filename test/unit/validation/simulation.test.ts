import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, it } from 'vitest';
import { judge, type Verdict } from '../../../src/core/validation';
import { manifestOf, trialsOf } from './trials';

/**
 * Judges many simulated runs. Tasks differ in how often the baseline passes them, as in real suites: some always, some
 * never, some now and then; `gain` is added to the chance of the candidate.
 */
function simulate(runs: number, tasks: number, trials: number, gain: number): Record<Verdict['verdict'], number> {
  const random = xoroshiro128plus(7);
  const counts = { accept: 0, reject: 0, undecided: 0, 'not measured': 0, equal: 0, 'adopt for cost': 0 };
  const letters = (chance: number) =>
    Array.from({ length: trials }, () => (uniformFloat64(random) < chance ? 'p' : 'f')).join('');
  for (let run = 0; run < runs; run++) {
    const outcomes = Object.fromEntries(
      Array.from({ length: tasks }, (_, index) => {
        const chance = Math.min(1, Math.max(0, uniformFloat64(random) * 1.6 - 0.3));
        return [`t${index}`, [letters(chance), letters(chance + gain)] as const];
      }),
    );
    const manifest = manifestOf(Object.keys(outcomes), trials);
    counts[judge({ ...manifest, rule: { ...manifest.rule, bootstrapSamples: 20 } }, trialsOf(outcomes)).verdict]++;
  }
  return counts;
}

describe('the default rule', () => {
  it.each([
    [40, 1],
    [40, 2],
    [40, 3],
    [100, 3],
  ])('credits at most one in twenty candidates that are the baseline: %i tasks x %i', (tasks, trials) => {
    const { accept, reject } = simulate(300, tasks, trials, 0);
    expect(accept).toBeLessThanOrEqual(0.05 * 300);
    expect(reject).toBeLessThanOrEqual(0.05 * 300);
  });

  it('finds a large true gain, finds it more often with more repeats, and never rejects it', () => {
    const once = simulate(150, 60, 1, 0.3);
    const often = simulate(150, 60, 5, 0.3);
    expect(often.accept).toBeGreaterThan(once.accept);
    expect(often.accept).toBeGreaterThan(120);
    expect(once.reject + often.reject).toBe(0);
  });
});
