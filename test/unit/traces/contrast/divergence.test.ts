import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divergenceOf } from '../../../../src/core/traces/contrast/divergence';
import type { ActionKind, AlignedRow, Difference, ResultClass } from '../../../../src/core/traces/contrast/model';

type Side = NonNullable<AlignedRow['first']>;
const side = (step: number, preview: string, action: ActionKind = 'look', result: ResultClass = 'ok'): Side => ({
  step,
  lastStep: step,
  said: '',
  calls: [{ name: 'bash', preview }],
  action,
  result: { class: result, preview: '' },
});
const same = (step: number): AlignedRow => ({
  state: 'same',
  first: side(step, 'ls'),
  second: side(step, 'ls'),
  similarity: 1,
  differs: [],
});
const changed = (first: Side, second: Side, ...differs: Difference[]): AlignedRow => ({
  state: 'changed',
  first,
  second,
  similarity: 0.8,
  differs,
});
const onlyFirst = (first: Side): AlignedRow => ({ ...same(0), state: 'onlyFirst', similarity: 0, first, second: null });
const mirrored = (rows: readonly AlignedRow[]): AlignedRow[] =>
  rows.map((row) => ({
    ...row,
    state: row.state === 'onlyFirst' ? 'onlySecond' : row.state === 'onlySecond' ? 'onlyFirst' : row.state,
    first: row.second,
    second: row.first,
  }));

describe('the difference that matters', () => {
  it.each<[ResultClass, ResultClass, string]>([
    ['error', 'ok', 'fails in the first run and succeeds in the second'],
    ['ok', 'none', 'succeeds in the first run and gets no result in the second'],
    ['empty', 'error', 'gives nothing in the first run and fails in the second'],
  ])('a call with the results %s and %s', (one, other, words) => {
    const row = (differs: Difference[]) =>
      changed(side(2, 'make', 'run', one), side(3, 'make', 'run', other), ...differs);
    expect(divergenceOf([same(1), row(['resultClass']), same(4)])).toMatchObject({
      row: 1,
      reason: 'resultClass',
      firstStep: 2,
      secondStep: 3,
      why: `The same call ${words}.`,
    });
    expect(divergenceOf([row(['arguments', 'resultClass']), same(4)])?.why).toBe(`A like call ${words}.`);
  });

  it('is not that a command prints nothing in one run, when both go on alike', () => {
    const quiet = changed(side(2, 'make', 'run', 'ok'), side(2, 'make', 'run', 'empty'), 'resultClass');
    expect(divergenceOf([same(1), quiet, same(3)])).toBeNull();
  });

  it('is told when like calls of one tool look on one side and change on the other', () => {
    const row = changed(side(2, 'sed -n 1,9p a.py'), side(2, "sed -i 's/a/b/' a.py", 'change'), 'arguments');
    const why = (rows: AlignedRow[]) => divergenceOf(rows)?.why;
    expect(why([row, same(3)])).toBe('Only the second run changes something here.');
    expect(why(mirrored([row, same(3)]))).toBe('Only the first run changes something here.');
    const both = changed(side(2, 'submit a', 'submit'), side(2, 'submit b', 'submit'), 'arguments');
    expect(why([both, same(3)])).toBe('Both runs hand their work in here, but with other arguments.');
  });

  it('is the work that only one run hands in, though the other one goes on', () => {
    const rows = [same(1), onlyFirst(side(2, 'submit', 'submit')), same(3)];
    expect(divergenceOf(rows)).toMatchObject({ row: 1, reason: 'submit', firstStep: 2, secondStep: 3 });
  });

  it('is a change of one side, unless the other makes it within six rows', () => {
    const edit = (step: number) => side(step, 'rm a', 'change');
    const late = (between: number): AlignedRow[] => [
      onlyFirst(edit(1)),
      ...Array.from({ length: between }, (_, at) => same(at + 2)),
      { ...onlyFirst(edit(0)), state: 'onlySecond', first: null, second: edit(90) },
      same(91),
    ];
    expect(divergenceOf(late(5))).toBeNull();
    expect(divergenceOf(late(6))).toMatchObject({ row: 0, reason: 'change', firstStep: 1 });
  });

  it('is another result only when other calls follow it', () => {
    const result = changed(side(1, 'cat a'), side(1, 'cat a'), 'result');
    const other = changed(side(2, 'ls x'), side(2, 'ls y'), 'arguments');
    expect(divergenceOf([result, other, same(3)])).toMatchObject({ row: 0, reason: 'resultThenOtherCalls' });
    expect(divergenceOf([result, { ...result, first: side(2, 'b'), second: side(2, 'b') }, same(3)])).toBeNull();
  });

  const actions = fc.constantFrom<ActionKind>('look', 'change', 'run', 'submit', 'talk');
  const classes = fc.constantFrom<ResultClass>('ok', 'empty', 'error', 'none');
  const anySide = fc.record({ name: fc.constantFrom('a', 'b', 'c'), action: actions, result: classes });
  const anyRow = fc.record({
    state: fc.constantFrom<AlignedRow['state']>('same', 'changed', 'onlyFirst', 'onlySecond'),
    first: anySide,
    second: anySide,
    differs: fc.subarray<Difference>(['arguments', 'result'], { minLength: 1 }),
  });

  it('does not depend on which run stands first, and stands in a row that differs', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 14 }), (made) => {
        const rows = made.map(({ state, first, second, differs }, at): AlignedRow => {
          const one = side(2 * at + 1, first.name, first.action, first.result);
          if (state === 'same') return { ...same(0), first: one, second: { ...one, step: 2 * at + 2 } };
          const other = side(2 * at + 2, second.name, second.action, second.result);
          const classOf: Difference[] = first.result === second.result ? [] : ['resultClass'];
          if (state === 'changed') return changed(one, other, ...differs, ...classOf);
          return { ...onlyFirst(one), state, ...(state === 'onlySecond' ? { first: null, second: other } : {}) };
        });
        const [there, back] = [divergenceOf(rows), divergenceOf(mirrored(rows))];
        expect([there?.row, there?.reason]).toEqual([back?.row, back?.reason]);
        expect([there?.firstStep, there?.secondStep]).toEqual([back?.secondStep, back?.firstStep]);
        if (there === null) return;
        expect(rows[there.row]?.state).not.toBe('same');
        for (const step of [there.firstStep, there.secondStep]) expect(step ?? 99).toBeGreaterThan(2 * there.row);
      }),
    );
  });
});
