import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTasks, judge, type Trial, Verdict } from '../../../src/core/validation';
import { manifestOf, trial, trialsOf } from './trials';

const judged = (outcomes: Record<string, readonly [string, string]>, repeats: number) =>
  judge(manifestOf(Object.keys(outcomes), repeats), trialsOf(outcomes));

/** The same outcome for tasks t1, t2, ... */
const times = (count: number, outcome: readonly [string, string], name = 't') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index + 1}`, outcome]));

describe('the task table', () => {
  it('groups tasks by majority and by how steady they are', () => {
    const groups = Object.fromEntries(
      compareTasks(
        ['up', 'down', 'pass', 'fail', 'flaky', 'none', 'partly'],
        3,
        trialsOf({
          up: ['ffp', 'ppf'],
          down: ['ppp', 'fpf'],
          pass: ['ppp', 'pp-'],
          fail: ['fff', 'fff'],
          flaky: ['ppf', 'ppp'],
          none: ['---', 'ppp'],
          partly: ['p--', 'f--'],
        }),
      ).map((task) => [task.task, task]),
    );
    expect(Object.fromEntries(Object.entries(groups).map(([task, { group }]) => [task, group]))).toEqual({
      up: 'flipped up',
      down: 'flipped down',
      pass: 'stable pass',
      fail: 'stable fail',
      flaky: 'flaky',
      none: 'not measured',
      partly: 'flipped down',
    });
    expect(groups.pass?.candidate).toEqual({ passed: 2, of: 2, missing: 1 });
    expect(groups.none?.baseline).toEqual({ passed: 0, of: 0, missing: 3 });
  });

  it('counts an even split as no pass in both arms', () => {
    const table = compareTasks(['a', 'b'], 2, trialsOf({ a: ['pf', 'pp'], b: ['pf', 'fp'] }));
    expect(table.map((task) => task.group)).toEqual(['flipped up', 'flaky']);
  });

  it('counts trials that were never made as missing and ignores other tasks', () => {
    expect(compareTasks(['a'], 3, trialsOf({ a: ['p', ''], x: ['ppp', 'ppp'] }))).toEqual([
      {
        task: 'a',
        baseline: { passed: 1, of: 1, missing: 2 },
        candidate: { passed: 0, of: 0, missing: 3 },
        group: 'not measured',
      },
    ]);
  });
});

describe('judge', () => {
  it('accepts six flips up with nothing down, and not five', () => {
    expect(judged({ ...times(6, ['fff', 'ppp']), ...times(10, ['ppp', 'ppp'], 's') }, 3)).toMatchObject({
      verdict: 'accept',
      p: 0.03125,
      up: 6,
      down: 0,
      moreTasks: null,
      regressions: [],
    });
    const five = judged({ ...times(5, ['fff', 'ppp']), ...times(11, ['ppp', 'ppp'], 's') }, 3);
    expect(five).toMatchObject({ verdict: 'undecided', p: 0.0625, up: 5 });
    expect(five.moreTasks).toBeGreaterThan(0);
  });

  it('says a reject in words, with every regression by name', () => {
    const verdict = judged(
      { ...times(7, ['p', 'f']), ...times(1, ['f', 'p'], 'new'), ...times(92, ['p', 'p'], 's') },
      1,
    );
    expect(verdict.verdict).toBe('undecided');
    expect(verdict.regressions).toEqual(['t1', 't2', 't3', 't4', 't5', 't6', 't7']);
    const worse = judged({ ...times(9, ['p', 'f']), ...times(1, ['f', 'p'], 'new'), ...times(90, ['p', 'p'], 's') }, 1);
    expect(worse.verdict).toBe('reject');
    expect(worse.sentence).toMatch(
      /^Reject\. Candidate p12 against baseline: -8\.0 pp \[-14\.\d, -1\.\d\], p = 0\.021 \(exact McNemar on single trials, 100 tasks x 1\)\. 1 task flipped up, 9 down\. Regressions: t1, t2, t3, t4, t5, t6, t7, t8 and 1 more\. This design resolves \d+ pp or more at 80 % power\. Coverage 200 of 200\.$/,
    );
  });

  it('says what would decide when it is undecided', () => {
    const verdict = judged(
      { ...times(3, ['fff', 'ppp']), ...times(1, ['ppp', 'fff'], 'd'), ...times(12, ['ppp', 'ppp'], 's') },
      3,
    );
    expect(verdict).toMatchObject({ verdict: 'undecided', moreTasks: 110, p: 0.625, difference: 0.125 });
    expect(verdict.sentence).toMatch(
      /About 110 more tasks x 3 would decide if this difference holds\. To resolve 5 pp: \d+ tasks x 3\./,
    );
    expect(verdict.sentence).toContain('Regressions: d1.');
  });

  it('says when more tasks would not decide', () => {
    const { sentence, moreTasks } = judged({ a: ['f', 'p'], b: ['p', 'f'] }, 1);
    expect(moreTasks).toBeNull();
    expect(sentence).toContain('Both did equally well, so more tasks like these would not decide.');
  });

  it('does not count trials as independent: repeats of one task are one vote', () => {
    const verdict = judged(times(1, ['f'.repeat(50), 'p'.repeat(50)]), 50);
    expect(verdict).toMatchObject({ verdict: 'undecided', p: 1, difference: 1, detectable: null });
    expect(verdict.sentence).toContain('needs at least 6 tasks');
  });

  it('is not measured when one arm misses too many verdicts, and says why', () => {
    const outcomes = { ...times(8, ['fff', 'ppp']), ...times(4, ['ppp', '---'], 'm') };
    const trials = trialsOf(outcomes).map(
      (each): Trial =>
        each.verdict === 'missing' ? { ...each, exception: { type: 'TrialTimeout', message: '' } } : each,
    );
    const verdict = judge(manifestOf(Object.keys(outcomes), 3), trials);
    expect(verdict).toMatchObject({ verdict: 'not measured', coverage: { measured: 60, planned: 72 } });
    expect(verdict.missing).toEqual([{ arm: 'candidate', reason: 'TrialTimeout', trials: 12 }]);
    expect(verdict.sentence).toBe(
      'Not measured. Only 60 of 72 trials have a verdict (no verdict: 12 TrialTimeout in the candidate). ' +
        'The rule asks for 80 % in each arm.',
    );
    // If all missing trials had failed: 8 up, 4 down of 12 tasks. If they had passed: 8 up.
    expect(verdict.bounds?.map((bound) => Math.round(bound * 12))).toEqual([4, 8]);
  });

  it('still judges when a few verdicts are missing, on what was measured', () => {
    const verdict = judged({ ...times(7, ['fff', 'pp-']), ...times(9, ['ppp', 'ppp'], 's') }, 3);
    expect(verdict).toMatchObject({ verdict: 'accept', coverage: { measured: 89, planned: 96 }, signFlipP: 2 ** -6 });
  });

  it('follows the level that was declared before the run', () => {
    const outcomes = times(6, ['f', 'p']);
    const manifest = manifestOf(Object.keys(outcomes), 1);
    const strict = judge({ ...manifest, rule: { ...manifest.rule, alpha: 0.01 } }, trialsOf(outcomes));
    expect(strict).toMatchObject({ verdict: 'undecided', moreTasks: 2 });
  });

  it('stays undecided when flips and pass rates disagree', () => {
    // Six tasks flip up by a hair, while many others lose trials without losing their majority.
    const outcomes = { ...times(6, ['ppfff', 'pppff']), ...times(10, ['ppppp', 'pppff'], 's') };
    const manifest = manifestOf(Object.keys(outcomes), 5);
    const rule = { ...manifest.rule, test: 'exact McNemar on task majorities' } as const;
    const verdict = judge({ ...manifest, rule }, trialsOf(outcomes));
    expect(verdict.p).toBeLessThan(0.05);
    expect(verdict.difference).toBeLessThan(0);
    expect(verdict.verdict).toBe('undecided');
  });

  it('adds tokens only where every trial states them', () => {
    const trials = [
      trial('a', 'baseline', 1, 'pass', { tokens: 10 }),
      trial('a', 'baseline', 2, 'pass', { tokens: 5 }),
      trial('a', 'candidate', 1, 'pass', { tokens: 7 }),
      trial('a', 'candidate', 2, 'pass'),
    ];
    expect(judge(manifestOf(['a'], 2), trials).cost).toEqual({
      baselineTokens: 15,
      candidateTokens: null,
      baselineUsd: null,
      candidateUsd: null,
      changes: [],
    });
  });

  it('has a verdict of the agreed shape for any outcomes, and the opposite one for swapped arms', () => {
    const outcome = fc.string({ unit: fc.constantFrom('p', 'f', '-'), minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(outcome, outcome), { minLength: 1, maxLength: 20 }), (pairs) => {
        const outcomes = Object.fromEntries(pairs.map((pair, index) => [`t${index}`, pair]));
        const verdict = judged(outcomes, 3);
        Verdict.parse(verdict);
        const swapped = judged(
          Object.fromEntries(
            Object.entries(outcomes).map(([task, [before, after]]) => [task, [after, before] as const]),
          ),
          3,
        );
        const opposite: Partial<Record<Verdict['verdict'], string>> = { accept: 'reject', reject: 'accept' };
        expect(swapped.verdict).toBe(opposite[verdict.verdict] ?? verdict.verdict);
        expect(swapped.p).toBe(verdict.p);
        expect(swapped.difference).toBeCloseTo(-verdict.difference, 12);
        expect(swapped.bounds?.[0]).toBeCloseTo(-(verdict.bounds?.[1] ?? 0), 12);
        expect(verdict.bounds?.[0]).toBeLessThanOrEqual((verdict.bounds?.[1] ?? 0) + 1e-12);
      }),
      { numRuns: 40 },
    );
  });
});

it('never shows an interval without width: what was not seen is no certainty', () => {
  const [low, high] = judged(times(4, ['ppf', 'ppf']), 3).interval;
  expect(low).toBeCloseTo(-high, 12);
  expect(high).toBeGreaterThan(0.5);
  const many = judged(times(100, ['ppf', 'ppf']), 3);
  expect(many.interval[1]).toBeLessThan(0.04);
  expect(many.verdict).toBe('equal');
});
