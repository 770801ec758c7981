import { describe, expect, it } from 'vitest';
import { checkSteps, confirmFlaws, consolidate, type Finding } from '../../../src/core/diagnosis';
import { viewOf } from '../../../src/core/diagnosis/diagnoseRun';
import type { TraceRun } from '../../../src/core/traces';
import { call, fakeReader, fakeRun, idle, map } from './fakeTrace';

type Verdict = TraceRun['outcome']['verdict'];

const run = (id: string, verdict: Verdict, task: string | null = 'a', over: Partial<TraceRun> = {}) =>
  fakeRun({ id, task, outcome: { ...fakeRun().outcome, verdict }, ...over });

function finding(id: string, over: Partial<Finding> = {}): Finding {
  return {
    id,
    detector: 'd',
    why: 'observation_truncated',
    run: id,
    task: 'a',
    steps: [3],
    unit: 'u-cut',
    site: { file: 'src/cut.ts', symbol: 'cut', start: 1, end: 9 },
    explanation: '',
    confidence: 0.7,
    runFailed: true,
    party: 'harness',
    ...over,
  };
}

describe('the counts of a flaw record', () => {
  const runs = [run('f1', 'fail'), run('f2', 'fail'), run('p1', 'pass'), run('m1', 'missing'), run('u1', 'unknown')];

  // A run that nobody judged is neither: it may not stand below either line of the fraction.
  it('have the judged runs as denominators, each verdict for itself', () => {
    const [flaw] = consolidate(
      runs.map(({ id }) => finding(id)),
      runs,
      map,
    );
    expect(flaw).toMatchObject({
      failingRuns: 2,
      failingRunsLookedAt: 2,
      passingRuns: 1,
      passingRunsLookedAt: 1,
      runsLookedAt: 5,
    });
  });

  it('count a run once, however often it shows the flaw', () => {
    const twice = [finding('n1', { run: 'f1' }), finding('n2', { run: 'f1', steps: [8] })];
    expect(consolidate(twice, runs, map)).toMatchObject([{ failingRuns: 1, findings: ['n1', 'n2'], tasks: ['a'] }]);
  });

  it('are shared by no two flaws of one place or of one label', () => {
    const three = [
      finding('f1'),
      finding('f1', { id: 'x', why: 'loop_or_stagnation' }),
      finding('f2', { unit: 'u-shell' }),
    ];
    expect(consolidate(three, runs, map).map(({ failingRuns }) => failingRuns)).toEqual([1, 1, 1]);
  });

  // In both failing and in no passing run: 1 - 0. In one failing and the passing run: 1/2 - 1 is below nothing.
  it('order by the surplus among failing runs and not by the number of findings', () => {
    const rare = [finding('f1'), finding('f2')];
    const common = ['f1', 'p1', 'm1', 'u1'].map((id) =>
      finding(`${id}-c`, { run: id, unit: 'u-shell', confidence: 1 }),
    );
    expect(consolidate([...common, ...rare], runs, map).map(({ where }) => where)).toEqual(['u-cut', 'u-shell']);
  });

  it('sum what is known of the cost of failing runs, and say nothing where nothing is', () => {
    const priced = [run('f1', 'fail', 'a', { costUsd: 2 }), run('f2', 'fail'), run('p1', 'pass', 'a', { costUsd: 50 })];
    const [flaw] = consolidate(
      priced.map(({ id }) => finding(id)),
      priced,
      map,
    );
    expect(flaw!.cost).toEqual({ runs: 2, tokens: null, usd: 2 });
  });
});

describe('exemplars', () => {
  const shown = (...findings: Finding[]) => consolidate(findings, [run('r', 'fail')], map)[0]!.exemplars!;

  it('take a failing run before a surer finding of a passing one, as that shows what the flaw does', () => {
    expect(shown(finding('p', { runFailed: false, confidence: 0.9 }), finding('f', { confidence: 0.5 }))[0]!.run).toBe(
      'f',
    );
  });

  it('take every task before a second of any, eight at most', () => {
    const many = Array.from({ length: 12 }, (_, n) => finding(`a${n}`, { confidence: 0.9 }));
    const found = shown(...many, finding('b', { task: 'b', confidence: 0.2 }));
    expect(found).toHaveLength(8);
    expect(found.slice(0, 2).map(({ run }) => run)).toEqual(['a0', 'b']);
  });

  it('prefer, of two alike, the one with a passing run to compare with, and then the shorter', () => {
    const contrast = { run: 'p', step: 2, passingStep: 2, sentence: 'They part.' };
    const alike = [
      finding('long', { steps: [1, 2, 3] }),
      finding('short'),
      finding('with', { steps: [4, 5], contrast }),
    ];
    expect(shown(...alike).map(({ run }) => run)).toEqual(['with', 'short', 'long']);
    expect(shown(...alike)[0]).toEqual({ finding: 'with', run: 'with', step: 4 });
  });
});

describe('counter-examples', () => {
  it('are passing runs of a task with the flaw that do not show it', () => {
    const runs = [
      run('f1', 'fail'),
      run('clean', 'pass'),
      run('shows', 'pass'),
      run('other', 'pass', 'b'),
      run('unnamed', 'pass', null),
      run('missing', 'missing'),
    ];
    const [flaw] = consolidate([finding('f1'), finding('shows', { runFailed: false })], runs, map);
    expect(flaw!.counterExamples).toEqual(['clean']);
  });

  it('are none where the task has no name, as equal names would be chance', () => {
    const runs = [run('f1', 'fail', null), run('p', 'pass', null)];
    expect(consolidate([finding('f1', { task: null })], runs, map)).toMatchObject([{ counterExamples: [], tasks: [] }]);
  });
});

describe('confirmFlaws', () => {
  const flaws = consolidate(
    [finding('f1'), finding('f2', { unit: 'u-shell' })],
    [run('f1', 'fail'), run('f2', 'fail')],
    map,
  );

  it('confirms the named flaw alone, by the first measurement, and keeps order and counts', () => {
    const [first, second] = flaws;
    const by = (words: string) => ({ flaw: second!.id, by: words });
    const settled = confirmFlaws(flaws, [by('run 1'), by('run 2'), { flaw: 'f-unknown', by: 'run 3' }]);
    expect(settled).toEqual([first, { ...second, state: 'confirmed', confirmedBy: 'run 1' }]);
    expect(flaws.map(({ state }) => state)).toEqual(['suspected', 'suspected']);
  });
});

describe('checkSteps', () => {
  type Steps = Parameters<typeof fakeReader>[1];
  const checked = async (...steps: Steps) => {
    const whole = fakeRun();
    return checkSteps(await viewOf({ run: whole, reader: fakeReader(whole, steps), links: [], map }));
  };
  const compaction = { kind: 'event' as const, event: 'compaction', text: '' };
  const use = (path: string) => call('read', { path }, 'text');

  it('takes a word that the model wrote itself for its own, not for shown', async () => {
    const [, second] = await checked(idle('I shall name it new_part_1.'), use('new_part_1'));
    expect(second!.needed).toEqual([{ word: 'new_part_1', state: 'own', step: 1 }]);
  });

  it('takes the answer to a call for no source of that call', async () => {
    const [only] = await checked(call('read', { path: 'x_1.py' }, 'x_1.py: text'));
    expect(only!.needed).toEqual([{ word: 'x_1.py', state: 'nowhere', step: null }]);
  });

  it('does not count what was shown again after the shortening as lost', async () => {
    const start = [{ kind: 'system' as const, text: 'Agent.' }, use('a'), call('shell', { command: 'ls' }, 'x_1.py')];
    const lost = await checked(...start, compaction, use('x_1.py'));
    expect(lost.at(-1)!.needed).toMatchObject([{ state: 'shortened away', step: 3 }]);
    const again = await checked(...start, compaction, call('shell', { command: 'ls' }, 'x_1.py'), use('x_1.py'));
    expect(again.at(-1)!.needed).toMatchObject([{ state: 'shown', step: 5 }]);
  });

  it('blames the step that breaks an instruction and no other', async () => {
    const two = { ...use('a'), calls: [...use('a').calls!, ...use('b').calls!] };
    const steps = await checked({ kind: 'system', text: 'Use only one tool at a time.' }, use('a'), two, use('c'));
    expect(steps.map(({ instructions }) => instructions[0]!.followed)).toEqual([true, false, true]);
  });

  it('has one check a model turn, failed where an answer says so, and none for an empty run', async () => {
    const steps = await checked(call('shell', {}, 'exit code 3'), call('shell', {}, 'exit code 0'), idle('Done.'));
    expect(steps.map(({ step, failed }) => [step, failed])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ]);
    expect(await checked()).toEqual([]);
  });
});
