import { describe, expect, it } from 'vitest';
import { alignedText, promptDiffText } from '../../../src/cli/alignedText';
import type { Link } from '../../../src/core/links';
import type { AlignedRow, RunAlignment, TurnSummary } from '../../../src/core/traces';

function turn(step: number, command: string, result: 'ok' | 'error' = 'ok'): TurnSummary {
  const calls = [{ name: 'bash', preview: command }];
  return { step, lastStep: step, said: '', calls, action: 'look', result: { class: result, preview: '' } };
}

function row(state: AlignedRow['state'], first: TurnSummary | null, second: TurnSummary | null): AlignedRow {
  const differs: AlignedRow['differs'] = state === 'changed' ? ['resultClass'] : [];
  return { state, first, second, similarity: state === 'same' ? 1 : 0, differs };
}

function alignment(before: number, after: number, matters = true): RunAlignment {
  const same = (count: number, from: number) =>
    Array.from({ length: count }, (_, at) => row('same', turn(from + at, 'ls'), turn(from + at, 'ls')));
  const step = before + 1;
  const odd = row('changed', turn(step, 'make', 'error'), turn(step, 'make'));
  return {
    first: 'a',
    second: 'b',
    alike: before,
    divergence: { what: 'result', firstStep: step, secondStep: step },
    sentence: 'They part.',
    rows: [...same(before, 1), odd, ...same(after, step + 1)],
    matters: matters
      ? { row: before, reason: 'resultClass', firstStep: step, secondStep: null, why: 'It fails.' }
      : null,
    counts: { same: before + after, changed: 1, onlyFirst: 0, onlySecond: 0 },
    approximate: false,
  };
}

const link: Link = {
  step: 6,
  kind: 'tool',
  file: 'src/tools.ts',
  symbol: 'run',
  start: 3,
  end: 9,
  unit: null,
  confidence: 0.9,
  reason: 'declared here',
};

describe('two runs side by side as text', () => {
  it('shows the rows around the divergence and counts the others', () => {
    const lines = alignedText(alignment(5, 6), null, false).split('\n');
    expect(lines[0]).toBe('They part.');
    expect(lines[1]).toBe('rows: 11 same, 1 changed (~), 0 only first (<), 0 only second (>)');
    expect(lines[3]).toBe('  (2 rows before)');
    expect(lines.filter((line) => line.startsWith('=>~ 6 bash make (error)'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('  (3 rows after; --all prints them)');
    expect(alignedText(alignment(5, 6), null, true).split('\n')).toHaveLength(15);
  });

  it('puts the code of both steps below, and says where a run has ended or nothing is known', () => {
    const text = alignedText(alignment(1, 1), { first: [link], second: [] }, false);
    expect(text).toContain('first run, step 2:\n  src/tools.ts:3-9  run  [tool: declared here]\nsecond run: ended');
    expect(alignedText(alignment(1, 1), { first: [], second: [] }, false)).toContain('nothing in the step is backed');
  });

  it('without a divergence that matters no row is marked and no code is shown', () => {
    const text = alignedText(alignment(1, 1, false), { first: [link], second: [] }, false);
    expect(text).not.toContain('=>');
    expect(text).not.toContain('src/tools.ts');
  });

  it('a row with one side, a long command and a turn that only talks', () => {
    const talk = { ...turn(2, ''), calls: [], said: 'I am done.' };
    const only = row('onlySecond', null, turn(2, 'x'.repeat(200)));
    const text = alignedText({ ...alignment(0, 0), rows: [only, row('onlyFirst', talk, null)] }, null, true);
    expect(text).toMatch(/> +\| 2 bash x+\.\.\.$/m);
    expect(text).toMatch(/< 2 "I am done\." +\|$/m);
    expect(
      Math.max(
        ...text
          .split('\n')
          .slice(2)
          .map((line) => line.length),
      ),
    ).toBeLessThan(125);
  });
});

describe('two prompts as text', () => {
  it('is a unified diff, or says that they are the same', () => {
    const prompts = { firstStep: 1, secondStep: 2, first: 'a\nb\n', second: 'a\nc\n' };
    expect(promptDiffText(prompts)).toMatch(/^--- first, step 1\n\+\+\+ second, step 2\n@@ .*\n a\n-b\n\+c$/);
    expect(promptDiffText({ ...prompts, second: prompts.first })).toContain('say the same');
  });
});
