import { describe, expect, it } from 'vitest';
import { relationChips, relationsOf } from '../../../src/host/traces/relationChips';
import { fakeReader } from '../diagnosis/fakeTrace';
import { runOf } from './fakes';

const words = (relations: Parameters<typeof relationChips>[0]) =>
  relationChips(relations).map((chip) => [chip.words, chip.step]);

describe('what a step has to do with others', () => {
  it('is said in a few words that lead to the other step', () => {
    expect(words({ step: 9, retryOf: 7, causedByError: 8 })).toEqual([
      ['retry of 7', 7],
      ['after error 8', 8],
    ]);
    expect(words({ step: 9, repeatOf: 3, branch: true })).toEqual([
      ['repeats 3', 3],
      ['another branch', null],
    ]);
    expect(words(undefined)).toEqual([]);
  });

  it('tells what the harness did to the context', () => {
    const input = { since: 4, kept: 8, added: 2, dropped: 3, shortened: 0 };
    const context = {
      truncated: [{ mark: '[cut]', missing: { count: 14204, unit: 'characters' } }],
      compacted: { from: 1, to: 8 },
      input,
    };
    const chips = relationChips({ step: 9, context });
    expect(chips.map((chip) => chip.words)).toEqual(['cut by the harness', 'compacts 1-8', 'input changed']);
    expect(chips[0]!.title).toBe('14,204 characters missing; the mark is "[cut]".');
    expect(chips[2]!.title).toContain('3 dropped');
    expect(words({ step: 9, context: { input: { ...input, dropped: 0 } } })).toEqual([]);
  });

  it('tells where values come from, shortened and no more than a row can hold', () => {
    const flow = ['src/a/very/long/path/to/a/file.ts', 'b', 'c'].map((value) => ({
      call: 0,
      value,
      origin: 'observation' as const,
      step: 2,
      seen: 1,
    }));
    const chips = relationChips({ step: 9, flow });
    expect(chips).toHaveLength(2);
    expect(chips[0]!.words).toBe('src/a/very/long/path/to/... from 2');
    expect(chips[0]!.title).toContain('src/a/very/long/path/to/a/file.ts');
    expect(words({ step: 9, flow: [{ call: 0, value: 'x.py', origin: 'nowhere', step: null, seen: 0 }] })).toEqual([
      ['x.py is new', null],
    ]);
    const starts = Array.from({ length: 9 }, () => ({ call: '1', run: '/t/sub.json' }));
    expect(relationChips({ step: 9, starts })).toHaveLength(5);
    expect(relationChips({ step: 9, starts })[0]!.run).toBe('/t/sub.json');
  });

  it('is worked out once for an open trace', async () => {
    const call = (id: string) => ({
      text: '',
      calls: [{ id, name: 'shell', args: { command: 'cat missing-file.txt' } }],
    });
    const failed = (id: string) => ({
      kind: 'tool' as const,
      results: [{ callId: id, text: 'no such file', isError: true }],
    });
    const reader = fakeReader(runOf(), [call('1'), failed('1'), call('2'), failed('2')]);
    const relations = await relationsOf(reader);
    expect(relationChips(relations.get(3)).map((chip) => chip.words)).toContain('retry of 1');
    expect(relationsOf(reader)).toBe(relationsOf(reader));
  });
});
