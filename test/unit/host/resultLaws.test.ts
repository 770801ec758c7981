import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SiteTouches } from '../../../src/core/links';
import { defaultRule, judge, type RunManifest, type Trial } from '../../../src/core/validation';
import { lensesOf, touchesOfUnit } from '../../../src/host/handbook/touches';
import { resultsView } from '../../../src/host/validation/resultsModel';
import { finishedTasks, trialLine } from '../../../src/host/validation/taskResults';
import { ToResultsPage } from '../../../webview/shared/protocol';
import { manifestOf } from '../validation/trials';
import { unitOf } from './fakes';

const tasks = ['a', 'b', 'c'];
const repeats = 2;

const runIn = (state: RunManifest['state']) =>
  manifestOf(tasks, repeats, { state, rule: { ...defaultRule(repeats), bootstrapSamples: 50 } });

const planned = tasks.flatMap((task) =>
  (['baseline', 'candidate'] as const).flatMap((arm) => [1, 2].map((repeat) => ({ task, arm, repeat }))),
);

/** Any part of the planned trials, in any order, each with any verdict. */
const someTrials = fc
  .tuple(
    fc.shuffledSubarray(planned),
    fc.array(fc.constantFrom<Trial['verdict']>('pass', 'fail', 'missing'), { minLength: 12, maxLength: 12 }),
  )
  .map(([chosen, verdicts]) =>
    chosen.map(
      (key, at): Trial => ({
        ...key,
        run: 'r-1',
        seed: key.repeat,
        verdict: verdicts[at]!,
        reward: null,
        exception: null,
        infrastructure: verdicts[at] === 'missing',
        exitCode: 0,
        started: 't',
        seconds: 1,
        tokens: 10,
        costUsd: null,
        commit: 'a',
        trace: null,
        output: `trials/${key.task}.txt`,
      }),
    ),
  );
const someStates = fc.constantFrom<RunManifest['state']>('running', 'finished', 'cancelled', 'interrupted');

const viewOf = (state: RunManifest['state'], trials: Trial[]) => {
  const manifest = runIn(state);
  const verdict = trials.length > 0 ? judge(manifest, trials) : null;
  return resultsView({ manifest, trials, verdict, prediction: null, proposalTitle: null, tracePath: (path) => path });
};

describe('the results page of any run', () => {
  it('fits the protocol, and its figures agree with each other', () => {
    fc.assert(
      fc.property(someStates, someTrials, (state, trials) => {
        const view = viewOf(state, trials);
        expect(ToResultsPage.safeParse({ type: 'results', view }).success).toBe(true);
        expect(view.groups.reduce((sum, { count }) => sum + count, 0)).toBe(view.rows.length);
        expect([view.done, view.planned]).toEqual([trials.length, planned.length]);
        const counted = view.rows.flatMap(({ baseline, candidate }) => [baseline, candidate]);
        for (const { passed, of } of counted) expect(passed).toBeLessThanOrEqual(of);
        if (view.rows.length === 0) return;
        expect(counted.reduce((sum, { of }) => sum + of, 0)).toBe(
          trials.filter((trial) => trial.verdict !== 'missing').length,
        );
      }),
    );
  });

  it('decides nothing, and shows no difference, before the run is finished', () => {
    fc.assert(
      fc.property(someStates, someTrials, (state, trials) => {
        const view = viewOf(state, trials);
        if (state === 'finished') return;
        expect([view.verdict, view.difference, view.interval, view.regressions]).toEqual([null, null, null, []]);
        expect(view.rows.some((row) => row.regression)).toBe(false);
        expect(view.sentence).not.toMatch(/accept|reject/i);
      }),
    );
  });

  it('names a regression exactly for tasks that flipped down, and puts them first', () => {
    fc.assert(
      fc.property(someTrials, (trials) => {
        const view = viewOf('finished', trials);
        const down = view.rows.filter((row) => row.group === 'flipped down').map((row) => row.task);
        expect([...view.regressions].sort()).toEqual([...down].sort());
        expect(view.rows.slice(0, down.length).map((row) => row.task)).toEqual(down);
      }),
    );
  });

  it('can be resumed when it is neither finished nor under way', () => {
    for (const [state, canResume] of [
      ['running', false],
      ['finished', false],
      ['cancelled', true],
      ['interrupted', true],
    ] as const) {
      expect([state, viewOf(state, []).canResume]).toEqual([state, canResume]);
    }
  });
});

describe('results of tasks', () => {
  it('come for exactly the tasks whose trials are all there', () => {
    fc.assert(
      fc.property(someTrials, (trials) => {
        const whole = tasks.filter((task) => trials.filter((trial) => trial.task === task).length === 4);
        expect(finishedTasks(runIn('running'), trials).map((result) => result.task)).toEqual(whole);
      }),
    );
  });

  it('fail only where the candidate was judged', () => {
    fc.assert(
      fc.property(someTrials, (trials) => {
        for (const { task, state } of finishedTasks(runIn('running'), trials)) {
          const own = trials.filter((trial) => trial.task === task && trial.arm === 'candidate');
          const judged = own.filter((trial) => trial.verdict !== 'missing');
          expect(state === 'errored').toBe(judged.length === 0);
          // Half is no majority.
          const passed = judged.filter((trial) => trial.verdict === 'pass').length;
          if (judged.length > 0) expect(state === 'passed').toBe(passed > judged.length / 2);
        }
      }),
    );
  });

  it('stay on one line, whatever a trial said', () => {
    fc.assert(
      fc.property(someTrials, fc.string(), (trials, message) => {
        for (const trial of trials) {
          const line = trialLine({ ...trial, exception: { type: 'Error', message: `${message}\r\nsecond line` } });
          expect(line.endsWith(' s\r\n')).toBe(true);
          expect(line).not.toContain('second line');
          expect(line.slice(0, -2)).not.toMatch(/[\r\n]/);
        }
      }),
    );
  });
});

describe('what traces say about code', () => {
  const someTouches = fc.array(
    fc.record({
      file: fc.constantFrom('src/parser.ts', 'src/other.ts'),
      start: fc.integer({ min: 1, max: 60 }),
      length: fc.integer({ min: 0, max: 20 }),
      steps: fc.array(
        fc.record({
          run: fc.constantFrom('r1', 'r2'),
          task: fc.constantFrom('a', 'b'),
          step: fc.integer({ min: 1, max: 4 }),
          failing: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 6 },
  );
  const touchesOf = (all: { file: string; start: number; length: number; steps: object[] }[]): SiteTouches[] =>
    all.map(
      ({ file, start, length, steps }) =>
        ({ file, symbol: 's', start, end: start + length, steps, failingRuns: 0, passingRuns: 0 }) as SiteTouches,
    );

  it('is one lens a line, in order, and only where something failed', () => {
    fc.assert(
      fc.property(someTouches, (all) => {
        const lenses = lensesOf('src/parser.ts', touchesOf(all));
        const starts = lenses.map((lens) => lens.start);
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        for (const { steps } of lenses) {
          expect(steps[0]!.failing).toBe(true);
          expect(new Set(steps.map((step) => `${step.run}#${step.step}`)).size).toBe(steps.length);
        }
      }),
    );
  });

  it('belongs to a unit when their lines meet, and counts a step once', () => {
    const unit = unitOf();
    const { start, end } = unit.sites[0]!;
    fc.assert(
      fc.property(someTouches, (all) => {
        const touches = touchesOf(all);
        const { steps, failingSteps } = touchesOfUnit(unit, touches);
        const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
        const site = new Set(lines(start, end));
        const near = touches.filter(
          (touch) => touch.file === 'src/parser.ts' && lines(touch.start, touch.end).some((line) => site.has(line)),
        );
        const expected = new Set(near.flatMap((touch) => touch.steps.map((step) => `${step.run}#${step.step}`)));
        expect(new Set(steps.map((step) => `${step.run}#${step.step}`))).toEqual(expected);
        for (const step of failingSteps) expect(expected.has(step)).toBe(true);
      }),
    );
  });
});
