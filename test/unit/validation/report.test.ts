import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  equalBudget,
  factLines,
  gainReport,
  judge,
  paretoPicks,
  type RunReport,
  reportFormats,
  ruleFor,
  scorePrediction,
  type Trial,
  writeReport,
} from '../../../src/core/validation';
import { manifestOf, trialsOf } from './trials';

type Outcomes = Record<string, readonly [string, string]>;

function reportOf(outcomes: Outcomes, repeats: number, change = (each: Trial) => each): RunReport {
  const manifest = manifestOf(Object.keys(outcomes), repeats);
  const trials = trialsOf(outcomes).map(change);
  return { manifest, trials, verdict: judge(manifest, trials) };
}

const times = (count: number, outcome: readonly [string, string], name = 't'): Outcomes =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index + 1}`, outcome]));

const report = reportOf(
  {
    up: ['fff', 'ppp'],
    down: ['ppp', 'fff'],
    none: ['---', 'ppp'],
    same: ['fff', 'fff'],
    s2: ['fff', 'fff'],
    s3: ['fff', 'fff'],
  },
  3,
);

describe('written reports', () => {
  it('say the sentence first and name every task once, in each format for people', () => {
    for (const format of ['md', 'html'] as const) {
      const text = writeReport(format, report);
      expect(text.indexOf('Candidate p12 against baseline')).toBeGreaterThan(0);
      expect(text.indexOf('Candidate p12')).toBeLessThan(text.indexOf('3 of 3'));
      for (const task of ['up', 'down', 'none', 'same']) expect(text).toContain(task);
      // A regression is never below an improvement.
      expect(text.lastIndexOf('flipped down')).toBeLessThan(text.lastIndexOf('flipped up'));
    }
  });

  it('are one HTML file without script or address, and with every text escaped', () => {
    const hostile = '<script>alert("x")</script>&';
    const text = writeReport('html', reportOf({ [hostile]: ['f', 'p'] }, 1));
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;');
    expect(text).not.toMatch(/https?:/);
    expect(writeReport('md', reportOf({ '[x](y)|<b>': ['f', 'p'] }, 1))).toContain('\\[x\\](y)\\|\\<b\\>');
  });

  it('hold every trial as a line of CSV that no spreadsheet takes for a formula', () => {
    const text = writeReport('csv', reportOf({ '=cmd,"x"': ['pf', 'p-'] }, 2));
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^run,task,arm,repeat,seed,verdict,reward/);
    expect(lines[1]).toContain('"\'=cmd,""x"""');
    expect(lines[4]).toContain('missing,,');
  });

  it('are JUnit for build servers: regressions fail, tasks without a verdict are errors', () => {
    const text = writeReport('junit', report);
    expect(text).toContain('<testsuites tests="7" failures="1" errors="1" skipped="3">');
    expect(text).toMatch(/name="down"[^>]*><failure message="candidate 0 of 3, baseline 3 of 3"\/>/);
    expect(text).toMatch(/name="none"[^>]*><error /);
    expect(text).toMatch(/name="same"[^>]*><skipped /);
    expect(text).toMatch(/name="verdict" time="0"><\/testcase>/);
    const rejected = writeReport('junit', reportOf(times(8, ['ppp', 'fff']), 3));
    expect(rejected).toMatch(/failures="9"/);
    expect(rejected).toMatch(/name="verdict" time="0"><failure message="Reject\./);
  });

  it('hold nothing that XML forbids, whatever a task is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), (name) => {
        const text = writeReport('junit', reportOf({ [name]: ['f', 'p'] }, 1));
        expect(/\p{Cc}/u.test(text.replaceAll(/[\n\t]/g, ''))).toBe(false);
        expect(text.match(/<testcase /g)).toHaveLength(2);
      }),
    );
  });

  it('are JSON with all of it', () => {
    const parsed = JSON.parse(writeReport('json', report)) as { trials: unknown[]; verdict: { verdict: string } };
    expect(parsed.trials).toHaveLength(36);
    expect(parsed.verdict.verdict).toBe('undecided');
    expect(reportFormats).toEqual(['md', 'csv', 'json', 'html', 'junit']);
  });

  it('tell both denominators, retention, pass@k and the rule', () => {
    const lines = factLines(report).join('\n');
    expect(lines).toContain('passed 3 of 15 measured and of 18 planned trials');
    expect(lines).toContain('retention: 0 of 1 tasks');
    expect(lines).toMatch(/pass@3: .*; pass\^3: /);
    expect(lines).toContain('rule, declared before the run: pass rate, exact sign-flip on task means, alpha 0.05');
    expect(lines).toContain('if the missing trials went against or for the candidate');
  });
});

describe('predictions', () => {
  const verdict = judge(
    manifestOf(['a', 'b', 'c', 'd', 'e', 'f'], 3),
    trialsOf({
      a: ['fff', 'ppp'],
      b: ['fff', 'ppf'],
      c: ['fff', 'fff'],
      d: ['ppp', 'fff'],
      e: ['ppp', 'ppp'],
      f: ['fff', '---'],
    }),
  );
  it.each([
    [['a', 'b'], ['e'], 'EFFECTIVE'],
    [['a', 'c'], ['e'], 'PARTIALLY_EFFECTIVE'],
    [['c'], ['e'], 'INEFFECTIVE'],
    [['c'], ['d'], 'HARMFUL'],
    [['a'], ['d'], 'MIXED'],
    [[], [], 'INEFFECTIVE'],
  ])('fixes %j, at risk %j: %s', (fixes, atRisk, outcome) => {
    expect(scorePrediction({ fixes, atRisk }, verdict).outcome).toBe(outcome);
  });

  it('come with the chance that they say nothing', () => {
    const found = scorePrediction({ fixes: ['a', 'b', 'f'], atRisk: ['e'] }, verdict);
    expect(found).toMatchObject({ fixed: ['a', 'b'], unmeasured: ['f'], unforeseen: ['d'] });
    expect(found.byChance).toBeCloseTo(1 / 3, 9); // 2 of 2 against 0 of 1
    expect(found.sentence).toContain('so this may be luck');
    const outcomes = { ...times(5, ['fff', 'ppp'], 'x'), ...times(9, ['fff', 'fff'], 'y') };
    const clear = reportOf(outcomes, 3).verdict;
    const all = scorePrediction({ fixes: ['x1', 'x2', 'x3', 'x4', 'x5'], atRisk: [] }, clear);
    expect(all.byChance).toBeLessThan(0.001);
    expect(all.sentence).toMatch(
      /^Prediction effective: 5 of 5 predicted fixes came true and 0 of 0 risks; other failing/,
    );
  });
});

describe('the gain report', () => {
  const gain = (up: number) =>
    reportOf({ ...times(up, ['fff', 'ppp']), ...times(20 - up, ['ppp', 'ppp'], 's') }, 3).verdict;

  it('says what the sealed split retains of the search gain', () => {
    const found = gainReport({ search: gain(10), selection: gain(6), sealed: gain(4) });
    expect(found.retainedShare).toBeCloseTo(0.4, 9);
    expect(found.overfittingShare).toBeCloseTo(0.6, 9);
    expect(found.remainderUpperBound).toBeCloseTo(0.2, 9);
    expect(found.sentences.join(' ')).toContain('The sealed split retains 40 % of the search gain.');
  });

  it('gives no share of a search gain that may be zero', () => {
    const found = gainReport({ search: gain(1), sealed: gain(4) });
    expect(found.retainedShare).toBeNull();
    expect(found.sentences.join(' ')).toContain('may be zero');
    expect(gainReport({}).gains).toEqual([]);
  });

  it('sets the gain against trying the old harness again for the same money', () => {
    const outcomes = { ...times(10, ['pff', 'ppp']), ...times(10, ['fff', 'fff'], 's') };
    const spent = (each: Trial) => ({ ...each, costUsd: each.arm === 'candidate' ? 0.21 : 0.1 });
    const { verdict } = reportOf(outcomes, 3, spent);
    // pass@1 is 1/3, pass@2 is 2/3 on half of the tasks
    expect(equalBudget(verdict)).toMatchObject({ tries: 2 });
    expect(equalBudget(verdict)?.gain).toBeCloseTo(1 / 6, 9);
    expect(equalBudget(verdict)?.share).toBeCloseTo(0.5, 9);
    expect(gainReport({ selection: verdict }).sentences.join(' ')).toContain('tries 2 times and gains up to +16.7 pp');
    expect(equalBudget(reportOf(outcomes, 3).verdict)).toBeNull();
  });
});

it('picks light, medium and heavy from the line that nothing dominates', () => {
  const point = (label: string, cost: number, score: number) => ({ label, cost, score });
  const points = [point('a', 1, 0.3), point('b', 2, 0.6), point('c', 3, 0.5), point('d', 6, 0.7), point('e', 3, 0.62)];
  const { line, light, medium, heavy } = paretoPicks(points);
  expect(line.map(({ label }) => label)).toEqual(['a', 'b', 'e', 'd']);
  expect([light?.label, medium?.label, heavy?.label]).toEqual(['a', 'b', 'd']);
  expect(paretoPicks([point('x', 1, 0.5)])).toMatchObject({ light: { label: 'x' }, medium: { label: 'x' } });
  expect(paretoPicks([])).toEqual({ line: [], light: null, medium: null, heavy: null });
});

it('follows the declared rule in every written number', () => {
  const outcomes = times(6, ['fff', 'ppp']);
  const manifest = { ...manifestOf(Object.keys(outcomes), 3), rule: ruleFor(3, { candidates: 3 }) };
  const trials = trialsOf(outcomes);
  const text = writeReport('md', { manifest, trials, verdict: judge(manifest, trials) });
  expect(text).toContain('shared by 3 candidates');
});
