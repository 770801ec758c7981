import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns, groupRuns, RunAlignment, type Step, type TraceRun } from '../../../../src/core/traces';
import { readerOf, result, run, step } from '../../links/helpers';

interface Made {
  command: string;
  output: string;
  failed: boolean;
}
const move: fc.Arbitrary<Made> = fc.record({
  command: fc.constantFrom('ls', 'ls src', 'cat a.py', "sed -i 's/a/b/' a.py", 'rm a.py', 'submit'),
  output: fc.constantFrom('', 'one', 'two'),
  failed: fc.boolean(),
});
const moves = fc.array(move, { maxLength: 12 });

const stepsOf = (made: readonly Made[]): Step[] => [
  step({ n: 1, kind: 'user', text: 'Go.' }),
  ...made.map(({ command, output, failed }, at) =>
    step({
      n: at + 2,
      kind: 'agent',
      calls: [{ id: `c${at}`, name: 'bash', args: { command } }],
      results: [result(output, `c${at}`, failed)],
    }),
  ),
];
const compare = async (left: readonly Made[], right: readonly Made[]) =>
  RunAlignment.parse(
    await compareRuns(readerOf(stepsOf(left), { id: 'left' }), readerOf(stepsOf(right), { id: 'right' })),
  );

describe('any two runs', () => {
  it('show each turn of both once and in order, in rows that are counted', async () => {
    await fc.assert(
      fc.asyncProperty(moves, moves, async (left, right) => {
        const { rows, counts, alike, divergence } = await compare(left, right);
        expect(rows.flatMap((row) => row.first?.step ?? [])).toEqual(left.map((_, at) => at + 2));
        expect(rows.flatMap((row) => row.second?.step ?? [])).toEqual(right.map((_, at) => at + 2));
        expect(counts.same + counts.changed + counts.onlyFirst + counts.onlySecond).toBe(rows.length);
        expect(rows.slice(0, alike).every(({ state }) => state === 'same')).toBe(true);
        expect(divergence === null).toBe(alike === rows.length);
        for (const { state, first, second, differs, similarity } of rows) {
          expect(first === null).toBe(state === 'onlySecond');
          expect(second === null).toBe(state === 'onlyFirst');
          if (state === 'same') expect([differs, similarity]).toEqual([[], 1]);
          if (state === 'changed') expect(differs).not.toEqual([]);
        }
      }),
    );
  });

  it('are alike in everything when they are one', async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (made) => {
        const found = await compare(made, made);
        expect(found).toMatchObject({ matters: null, divergence: null, alike: made.length });
        expect(found.counts).toEqual({ same: made.length, changed: 0, onlyFirst: 0, onlySecond: 0 });
      }),
    );
  });

  it('part in the same turns whichever stands first', async () => {
    await fc.assert(
      fc.asyncProperty(moves, move, fc.nat(11), async (made, other, place) => {
        const changed = made.map((one, at) => (at === place ? other : one));
        const [there, back] = [await compare(made, changed), await compare(changed, made)];
        expect(there.counts.onlyFirst).toBe(back.counts.onlySecond);
        expect(there.counts.changed).toBe(back.counts.changed);
        expect(there.matters === null).toBe(back.matters === null);
        expect(there.divergence?.firstStep).toBe(back.divergence?.secondStep);
      }),
    );
  });

  it('of which one is the start of the other part at its end', async () => {
    const start: Made[] = ['ls', 'cat a.py'].map((command) => ({ command, output: 'one', failed: false }));
    const longer = [...start, { command: 'ls src', output: 'one', failed: false }];
    expect(await compare(start, longer)).toMatchObject({
      alike: 2,
      divergence: { what: 'end', firstStep: null, secondStep: 4 },
      matters: { reason: 'end', why: 'The first run has ended; the other goes on.' },
    });
    const { sentence } = await compare(longer, start);
    expect(sentence).toContain('step 4 of the first run, the end of the second');
  });
});

describe('any runs in groups', () => {
  const verdict = fc.constantFrom<TraceRun['outcome']['verdict']>('pass', 'fail', 'missing', 'unknown');
  const head = fc.record({
    task: fc.constantFrom(null, 'a', 'b'),
    model: fc.constantFrom(null, 'm', 'n'),
    verdict,
    parent: fc.option(fc.nat(9), { nil: null }),
  });
  const runs = fc.array(head, { maxLength: 10 }).map((heads) =>
    heads.map((one, at) =>
      run({
        id: `r${at}`,
        task: one.task,
        model: one.model,
        outcome: { verdict: one.verdict, reward: null, exception: null, source: null },
        memberOf: one.parent === null ? null : `r${one.parent}`,
      }),
    ),
  );

  it('stand in one group each, and the groups come in the same order whatever that of the runs', () => {
    const shuffled = runs.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    const shape = (all: readonly TraceRun[]) =>
      groupRuns(all).map((group) => ({ ...group, runs: group.runs.map(({ id }) => id).sort() }));
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        const groups = groupRuns(all);
        expect(groups.flatMap((group) => group.runs.map(({ id }) => id)).sort()).toEqual(
          all.map(({ id }) => id).sort(),
        );
        expect(shape(other)).toEqual(shape(all));
        for (const { flips, passed, judged, runs: own, task } of groups) {
          expect(passed).toBe(own.filter(({ outcome }) => outcome.verdict === 'pass').length);
          expect(judged - passed).toBe(own.filter(({ outcome }) => outcome.verdict === 'fail').length);
          expect(flips).toBe(task !== null && passed > 0 && judged > passed);
        }
      }),
    );
  });
});
