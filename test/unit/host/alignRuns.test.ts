import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SiteTouches } from '../../../src/core/links';
import { type AlignedRow, compareRuns } from '../../../src/core/traces';
import { pairSteps } from '../../../src/host/traces/alignRuns';
import { besides } from '../../../src/host/traces/compareSession';
import { differenceOf } from '../../../src/host/traces/difference';
import { failingByFile, gutterMarks } from '../../../src/host/traces/gutterMarks';
import { comparisonParts } from '../../../src/host/traces/messageParts';
import { type StepMark, surveyRun } from '../../../src/host/traces/survey';
import { promptBefore } from '../../../src/host/work/handlers/stepHandlers';
import type { CompareHead, ComparePair } from '../../../webview/shared/compareProtocol';
import { messageLimit } from '../../../webview/shared/protocol';
import { divergentPair, nextDifference, withComparison } from '../../../webview/trace/compareState';
import { fakeReader } from '../diagnosis/fakeTrace';
import { failed, runOf } from './fakes';

const mark = (over: Partial<StepMark> = {}): StepMark => ({
  kind: 'agent',
  event: null,
  isError: false,
  tools: [],
  label: '',
  calls: '',
  digest: '',
  same: null,
  ...over,
});
const sampleComparison = (over: Partial<CompareHead> = {}): CompareHead => ({
  run: 'r-2',
  leftTitle: 'run 1',
  rightTitle: 'run 2',
  rightOutcome: { icon: 'pass', words: 'passed', tone: 'good' },
  rightSteps: 50,
  sentence: 'The first 2 turns are alike.',
  divergence: { left: 3, right: 3 },
  ...over,
});
const shown = (pairs: readonly ComparePair[]) =>
  pairs.map(({ left, right, state }) => `${left ?? '-'} ${right ?? '-'} ${state}`);

describe('two runs side by side', () => {
  const turn = (step: number) => ({
    step,
    lastStep: step,
    said: '',
    calls: [],
    action: 'run' as const,
    result: { class: 'ok' as const, preview: '' },
  });
  const row = (first: number | null, second: number | null, over: Partial<AlignedRow> = {}): AlignedRow => ({
    state: first === null ? 'onlySecond' : second === null ? 'onlyFirst' : 'same',
    first: first === null ? null : turn(first),
    second: second === null ? null : turn(second),
    similarity: 1,
    differs: [],
    ...over,
  });
  const marks = (count: number) => Array.from({ length: count }, () => mark());

  it('pair the steps of turns that belong together, with what follows them', () => {
    const rows = [row(2, 2), row(null, 4), row(4, 6, { state: 'changed', differs: ['result'] }), row(6, 8)];
    expect(shown(pairSteps(rows, marks(6), marks(9)))).toEqual([
      '1 1 same',
      '2 2 same',
      '3 3 same',
      '- 4 onlyRight',
      '- 5 onlyRight',
      '4 6 texts',
      '5 7 texts',
      '6 8 same',
      '- 9 onlyRight',
    ]);
  });

  it('say where calls differ and where prompts do', () => {
    const rows = [row(2, 2, { state: 'changed', differs: ['arguments'] })];
    const left = [mark({ kind: 'system', digest: 'a' }), mark(), mark()];
    const right = [mark({ kind: 'system', digest: 'b' }), mark(), mark()];
    expect(shown(pairSteps(rows, left, right))).toEqual(['1 1 texts', '2 2 calls', '3 3 same']);
    expect(shown(pairSteps([], [], marks(1)))).toEqual(['- 1 onlyRight']);
  });

  it('show every step of both once and in order, whatever they did', async () => {
    const steps = fc.array(
      fc.record({
        kind: fc.constantFrom('agent' as const, 'tool' as const, 'user' as const),
        name: fc.constantFrom('ls', 'cat', 'rm'),
      }),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, steps, async (a, b) => {
        const readers = [a, b].map((list) =>
          fakeReader(
            runOf(),
            list.map(({ kind, name }, at) => ({
              kind,
              text: 'x',
              calls: kind === 'agent' ? [{ id: `${at}`, name, args: {} }] : [],
            })),
          ),
        );
        const { rows } = await compareRuns(readers[0]!, readers[1]!);
        const pairs = pairSteps(rows, await surveyRun(readers[0]!), await surveyRun(readers[1]!));
        expect(pairs.flatMap((pair) => pair.left ?? [])).toEqual(a.map((_, index) => index + 1));
        expect(pairs.flatMap((pair) => pair.right ?? [])).toEqual(b.map((_, index) => index + 1));
      }),
      { numRuns: 60 },
    );
  });

  it('do not differ by times and temporary names', async () => {
    const run = (text: string) =>
      surveyRun(fakeReader(runOf(), [{ kind: 'tool', results: [{ callId: null, text, isError: false }] }]));
    const [[a], [b], [c]] = await Promise.all([
      run('ok in 1.5 s, /tmp/abc12'),
      run('ok in  20 s, /tmp/zz9'),
      run('failed'),
    ]);
    expect(a!.digest).toBe(b!.digest);
    expect(a!.digest).not.toBe(c!.digest);
  });

  it('come in messages below the limit that put themselves together again', () => {
    const pairs = Array.from(
      { length: 24_000 },
      (_, at): ComparePair => ({ left: at + 1, right: at + 1, state: 'same' }),
    );
    let state: ReturnType<typeof withComparison> | null = null;
    for (const part of comparisonParts(sampleComparison(), pairs)) {
      expect(JSON.stringify(part).length).toBeLessThan(messageLimit);
      if (part.type === 'comparison') state = withComparison(state, part);
    }
    expect(state!.pairs).toEqual(pairs);
    expect(state!.selected).toBe(2);
    expect(comparisonParts(sampleComparison(), [])).toHaveLength(1);
  });

  it('know where they part and where they differ next', () => {
    const pairs: ComparePair[] = [
      { left: 1, right: 1, state: 'same' },
      { left: null, right: 2, state: 'onlyRight' },
      { left: 2, right: 3, state: 'same' },
    ];
    expect(divergentPair(sampleComparison({ divergence: { left: null, right: 2 } }), pairs)).toBe(1);
    expect(divergentPair(sampleComparison({ divergence: null }), pairs)).toBe(-1);
    expect([nextDifference(pairs, 0, 1), nextDifference(pairs, 1, 1), nextDifference(pairs, 2, -1)]).toEqual([1, 1, 1]);
  });

  it('are offered with the same task and another outcome first', () => {
    const runs = [
      runOf({ id: 'other task', task: 'b' }),
      failed({ id: 'same outcome' }),
      runOf({ id: 'other outcome' }),
      failed({ id: 'itself' }),
    ];
    expect(besides(runs[3]!, runs).map((run) => run.id)).toEqual(['other outcome', 'same outcome', 'other task']);
  });
});

describe('the text to compare a step with', () => {
  it('is the prompt it repeats, else the last step of the same speaker', () => {
    const marks = [
      mark({ kind: 'system' }),
      mark(),
      mark({ kind: 'tool' }),
      mark(),
      mark({ kind: 'system', same: { of: 1, changed: 2 } }),
    ];
    expect([5, 4, 3, 2].map((n) => promptBefore(marks, n))).toEqual([1, 2, null, null]);
  });

  it('is cut where it would stall the page, and says so', () => {
    const long = { title: 't', text: `a\r\n${'x'.repeat(1_200_000)}` };
    const { before, after } = differenceOf(long, { title: 'u', text: 'b' });
    expect([before.text.length, before.left, after.left]).toEqual([1_000_000, 200_002, 0]);
    expect(before.text.startsWith('a\nx')).toBe(true);
  });
});

describe('marks beside harness code', () => {
  const step = (n: number, failing: boolean) => ({ run: 'r', task: 't', step: n, failing, kind: 'literal' as const });
  const touch = (over: Partial<SiteTouches>): SiteTouches => ({
    file: 'src/a.ts',
    symbol: 's',
    start: 9,
    end: 12,
    steps: [],
    failingRuns: 0,
    passingRuns: 0,
    ...over,
  });
  const touches = [
    touch({ steps: [step(3, false), step(4, true)] }),
    touch({ end: 10, steps: [step(4, true), step(9, true)] }),
    touch({ start: 2, steps: [step(1, false)] }),
    touch({ file: 'src/b.ts', steps: [step(4, true)] }),
    touch({ file: 'src/c.ts', steps: [step(1, false)] }),
    touch({ start: 30 }),
  ];

  it('are one a line and say how many steps fail', () => {
    expect(
      gutterMarks('src/a.ts', touches).map(({ line, failing, words, steps }) => [line, failing, words, steps.length]),
    ).toEqual([
      [2, false, '1 passing', 1],
      [9, true, '2 failing steps, 1 passing', 3],
    ]);
  });

  it('count for each file the failing steps once', () => {
    expect([...failingByFile(touches)]).toEqual([
      ['src/a.ts', 2],
      ['src/b.ts', 1],
    ]);
  });
});
