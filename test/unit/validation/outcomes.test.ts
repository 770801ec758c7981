import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, levelAt, type RunManifest, ruleFor, ruleWords, type Trial } from '../../../src/core/validation';
import { manifestOf, trial, trialsOf } from './trials';

type Outcomes = Record<string, readonly [string, string]>;

const times = (count: number, outcome: readonly [string, string], name = 't'): Outcomes =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index + 1}`, outcome]));

function judged(outcomes: Outcomes, repeats: number, more: Partial<RunManifest> = {}, change = (each: Trial) => each) {
  const manifest = manifestOf(Object.keys(outcomes), repeats, more);
  return judge(manifest, trialsOf(outcomes).map(change));
}

/** Sixty tasks of which a few gain and as many lose one trial of three. */
const steady = {
  ...times(40, ['ppp', 'ppp']),
  ...times(4, ['ppf', 'ppp'], 'g'),
  ...times(4, ['ppp', 'ppf'], 'l'),
  ...times(52, ['fff', 'fff'], 's'),
};

describe('outcomes', () => {
  it('says equal only when a difference beyond the margin is excluded in both directions', () => {
    const equal = judged(steady, 3);
    expect(equal.verdict).toBe('equal');
    expect(equal.equivalence?.p).toBeLessThan(0.05);
    expect(equal.sentence).toContain('A difference beyond 5 pp is excluded in both directions');
    const few = judged({ a: ['ppf', 'ppp'], b: ['ppp', 'ppf'], ...times(10, ['ppp', 'ppp']) }, 3);
    expect(few.p).toBe(1);
    expect(few.verdict).toBe('undecided');
    expect(judged(steady, 3, { rule: ruleFor(3, { margin: 0.005 }) }).verdict).toBe('undecided');
  });

  it('adopts for cost where a loss is excluded and tokens clearly fall', () => {
    const spent = (factor: number) => (each: Trial) => ({
      ...each,
      tokens: Math.round(1_000 * (each.arm === 'candidate' ? factor : 1)) + each.task.length * 10 + each.repeat,
    });
    const cheaper = judged(steady, 3, {}, spent(0.7));
    expect(cheaper.verdict).toBe('adopt for cost');
    expect(cheaper.sentence).toMatch(
      /^Adopt for cost\. .*Tokens fall by 29 %, and a loss beyond 5 pp is excluded \(p = .*Tokens -29 %\.$/,
    );
    expect(cheaper.cost.changes?.[0]).toMatchObject({ unit: 'tokens', tasks: 100 });
    // Five percent less is below the declared saving; more expensive is no saving at all.
    expect(judged(steady, 3, {}, spent(0.95)).verdict).toBe('equal');
    expect(judged(steady, 3, {}, spent(1.4)).verdict).toBe('equal');
    // A few tasks cannot exclude a loss, however cheap the candidate is.
    expect(judged(times(8, ['ppf', 'ppf']), 3, {}, spent(0.3)).verdict).toBe('undecided');
  });

  it('leaves costs out that only a part of the trials states', () => {
    const partly = judged(steady, 3, {}, (each) => ({ ...each, tokens: each.task.startsWith('t') ? 100 : null }));
    expect(partly.cost.changes?.map(({ unit }) => unit)).toEqual(['seconds']);
  });

  it('credits nothing below the noise floor', () => {
    // Repeats of the baseline elsewhere show far more noise than those here.
    const outcomes = { ...times(12, ['fff', 'fpp']), ...times(28, ['ppp', 'ppp'], 's') };
    const manifest = manifestOf(Object.keys(outcomes), 3);
    expect(judge(manifest, trialsOf(outcomes)).verdict).toBe('accept');
    const noisy = Object.keys(outcomes).flatMap((task) =>
      Array.from({ length: 12 }, (_, index) => trial(task, 'baseline', index + 1, index % 2 ? 'pass' : 'fail')),
    );
    const verdict = judge({ ...manifest, tasks: manifest.tasks }, trialsOf(outcomes), {
      reruns: [{ name: 'r-0', trials: noisy }],
    });
    expect(verdict.noiseFloor?.from).toBe('repeats of the baseline in this run and r-0');
    expect(verdict.noiseFloor?.halfWidth).toBeGreaterThan(0.1);
    expect(verdict.verdict).toBe(verdict.difference >= (verdict.noiseFloor?.halfWidth ?? 0) ? 'accept' : 'undecided');
  });

  it('takes the noise floor of an A/A run from both arms, and has none without repeats', () => {
    const outcomes = times(20, ['p', 'f']);
    expect(judged(outcomes, 1).noiseFloor).toBeNull();
    const manifest = manifestOf(Object.keys(outcomes), 1);
    const arms = manifest.arms.map((arm) => (arm.arm === 'candidate' ? { ...arm, seedOffset: 1 } : arm));
    const noise = judge({ ...manifest, arms }, trialsOf(outcomes)).noiseFloor;
    // By hand: within 1/2, so 1.96 sqrt(2 * 0.5 / 1 / 20)
    expect(noise?.halfWidth).toBeCloseTo(1.959964 * Math.sqrt(1 / 20), 5);
    expect(noise?.from).toBe('both arms of this A/A run');
  });
});

describe('the declared rule', () => {
  it('shares its level among candidates and looks', () => {
    expect(levelAt(ruleFor(3))).toBe(0.05);
    expect(levelAt(ruleFor(3, { candidates: 5 }))).toBeCloseTo(0.01, 12);
    const looks = ruleFor(3, { looks: { planned: 3, boundary: "O'Brien-Fleming" } });
    expect(levelAt(looks, 1)).toBeLessThan(0.001);
    expect(levelAt(looks, 3)).toBeGreaterThan(0.04);
    expect(levelAt(looks, 4)).toBe(0);
  });

  it('is followed: what one candidate is credited for, the best of ten is not', () => {
    const outcomes = { ...times(6, ['fff', 'ppp']), ...times(10, ['ppp', 'ppp'], 's') };
    expect(judged(outcomes, 3).verdict).toBe('accept');
    const best = judged(outcomes, 3, { rule: ruleFor(3, { candidates: 10 }) });
    expect(best).toMatchObject({ verdict: 'undecided', level: 0.005 });
    expect(best.sentence).toContain('With 10 candidates the level is 0.005.');
    const early = judged(outcomes, 3, { rule: ruleFor(3, { looks: { planned: 2, boundary: 'Pocock' } }), look: 3 });
    expect(early.verdict).toBe('undecided');
    expect(early.sentence).toContain('All planned looks are used up, so this look decides nothing.');
  });

  it('refuses a test of single trials for repeats, and tests rewards by their means', () => {
    expect(() => ruleFor(3, { test: 'exact McNemar on single trials' })).toThrow(
      'for single trials, and the run makes 3',
    );
    expect(ruleFor(1, { metric: 'mean reward' })).toMatchObject({ test: 'exact sign-flip on task means' });
    const words = ruleWords(ruleFor(3, { candidates: 4, looks: { planned: 2, boundary: 'Pocock' } }));
    expect(words).toBe(
      'pass rate, exact sign-flip on task means, alpha 0.05; shared by 4 candidates; spread over 2 looks (Pocock); ' +
        'interval: t over tasks, 95 %; equal within 5 points; effect worth finding 5 points; coverage at least 80 % in each arm',
    );
  });

  it('can be about rewards between 0 and 1', () => {
    const rewards = (each: Trial) => ({
      ...each,
      verdict: 'fail' as const,
      reward: each.arm === 'candidate' ? 0.6 : 0.35,
    });
    const outcomes = times(8, ['fff', 'fff']);
    const verdict = judged(outcomes, 3, { rule: ruleFor(3, { metric: 'mean reward' }) }, rewards);
    expect(verdict).toMatchObject({ verdict: 'accept', up: 0, p: 2 ** -7 });
    expect(verdict.difference).toBeCloseTo(0.25, 9);
    expect(judged(outcomes, 3, {}, rewards).difference).toBe(0);
  });

  it.each(['paired bootstrap over tasks, 95 %', 'BCa bootstrap over tasks, 95 %', 't over tasks, 95 %'] as const)(
    'shows the interval it names: %s',
    (interval) => {
      const [low, high] = judged(steady, 3, { rule: ruleFor(3, { interval }) }).interval;
      expect(low).toBeLessThan(0);
      expect(high).toBeGreaterThan(0);
      expect(high).toBeLessThan(0.05);
    },
  );
});

describe('what stands beside the verdict', () => {
  it('judges splits as one family', () => {
    const outcomes = { ...times(8, ['fff', 'ppp']), ...times(8, ['ppp', 'ppp'], 's') };
    const taskSplits = Object.fromEntries(
      Object.keys(outcomes).map((task, index) => [
        task,
        index % 2 === 0 ? ('search' as const) : ('selection' as const),
      ]),
    );
    const { splits, tasks } = judged(outcomes, 3, { taskSplits });
    expect(splits?.map(({ split, tasks: count, p, adjustedP }) => [split, count, p, adjustedP])).toEqual([
      ['search', 8, 0.125, 0.25],
      ['selection', 8, 0.125, 0.25],
    ]);
    expect(tasks[0]?.split).toBe('search');
    expect(judged(outcomes, 3).splits).toEqual([]);
  });

  it('counts retention, pass@k and pass^k, and each task by itself', () => {
    const verdict = judged({ a: ['ppp', 'ppp'], b: ['ppf', 'fff'], c: ['fff', 'ppp'], d: ['ppp', 'ppf'] }, 3);
    expect(verdict.retention).toMatchObject({ kept: 2, of: 3 });
    expect(verdict.passAt?.map(({ k }) => k)).toEqual([1, 2, 3]);
    expect(verdict.passAt?.[0]?.candidate.any).toBeCloseTo((1 + 0 + 1 + 2 / 3) / 4, 12);
    expect(verdict.passAt?.[2]).toEqual({
      k: 3,
      baseline: { any: 0.75, all: 0.5 },
      candidate: { any: 0.75, all: 0.5 },
    });
    const [, b, c] = verdict.tasks;
    expect(c?.p).toBeCloseTo(0.1, 9); // no flip of three trials is significant by itself
    expect(c?.q).toBeCloseTo(0.4, 9);
    expect([b?.unstable, c?.unstable]).toEqual([true, false]);
    expect(verdict.scores?.baseline).toMatchObject({ passed: 8, measured: 12, planned: 12, infrastructure: 0 });
  });

  it('says how many more repeats would decide where repeats can', () => {
    const outcomes = {
      ...times(5, ['pff', 'ppf']),
      ...times(3, ['ppf', 'pff'], 'd'),
      ...times(40, ['pfp', 'pfp'], 's'),
    };
    const verdict = judged(outcomes, 3, { rule: ruleFor(3, { margin: 0.01 }) });
    expect(verdict.verdict).toBe('undecided');
    expect(verdict.moreTasks).toBeGreaterThan(0);
    if (verdict.moreTrials) expect(verdict.sentence).toContain(`About ${verdict.moreTrials} more trial`);
  });

  it('says that a screening run admits nothing', () => {
    const screening = { population: 40, inclusion: { t1: 0.5 }, why: 'tasks that touch the change' };
    expect(judged(times(6, ['f', 'p']), 1, { screening }).sentence).toContain('it admits nothing.');
  });
});

describe('bad input', () => {
  const outcomes = { ...times(6, ['ff', 'pp']), ...times(6, ['pp', 'pp'], 's') };
  const manifest = manifestOf(Object.keys(outcomes), 2);
  const whole = judge(manifest, trialsOf(outcomes));

  it('gives the same verdict whatever the order of the trials', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(trialsOf(outcomes), { minLength: 48, maxLength: 48 }), (shuffled) => {
        expect(judge(manifest, shuffled)).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  });

  it('counts a trial that was recorded twice once, by its last record', () => {
    const again = judge(manifest, [trial('t1', 'candidate', 1, 'fail'), ...trialsOf(outcomes)]);
    expect(again).toMatchObject({ p: whole.p, treatments: ['1 trial was recorded twice; its last record counts.'] });
    expect(again.sentence).toContain('1 trial was recorded twice');
    expect(judge(manifest, [...trialsOf(outcomes), ...trialsOf({ t1: ['f', 'f'] })]).tasks[0]?.candidate).toEqual({
      passed: 1,
      of: 2,
      missing: 0,
    });
  });

  it.each([
    [Number.NaN, 'NaN'],
    [1.5, '1.5'],
    [-0.1, '-0.1'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
  ])('takes a reward of %d for no verdict', (reward, shown) => {
    const broken = trialsOf(outcomes).map((each) => (each.task === 't1' ? { ...each, reward } : each));
    const verdict = judge(manifest, broken);
    expect(verdict.tasks[0]?.group).toBe('not measured');
    expect(verdict.missing).toContainEqual({ arm: 'candidate', reason: 'RewardImpossible', trials: 2 });
    expect(verdict.treatments).toEqual([
      '4 rewards are no numbers from 0 to 1; their trials count as ones without a verdict.',
    ]);
    expect(shown).toBeTruthy();
    expect(verdict.coverage).toEqual({ measured: 44, planned: 48 });
  });

  it('does not compare a task that differs between the arms', () => {
    const changed = trialsOf(outcomes).map((each) => ({
      ...each,
      taskDigest: each.task === 't2' && each.arm === 'candidate' ? 'new' : 'old',
    }));
    const verdict = judge(manifest, changed);
    expect(verdict.treatments).toEqual(['1 task differs between the arms and is not compared: t2.']);
    expect(verdict.tasks[1]?.group).toBe('not measured');
    expect(verdict).toMatchObject({ up: 5, verdict: 'undecided' });
  });

  it('leaves out tasks and repeats that the run did not plan, and says so', () => {
    const verdict = judge(manifest, [
      ...trialsOf(outcomes),
      trial('x', 'baseline', 1, 'pass'),
      trial('t1', 'candidate', 3, 'pass'),
    ]);
    expect(verdict.treatments).toEqual([
      '1 trial of a task outside the run was left out.',
      '1 trial beyond repeat 2 was left out.',
    ]);
    expect(verdict.p).toBe(whole.p);
  });

  it('has a verdict for nothing at all, for all missing and for all equal', () => {
    expect(judge(manifest, [])).toMatchObject({ verdict: 'not measured', p: 1, difference: 0, interval: [-1, 1] });
    expect(judged(times(3, ['--', '--']), 2).sentence).toMatch(/^Not measured\. Only 0 of 12 trials have a verdict/);
    expect(judged(times(3, ['pp', 'pp']), 2)).toMatchObject({ verdict: 'undecided', p: 1, difference: 0 });
  });
});
