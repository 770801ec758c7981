import { describe, expect, it } from 'vitest';
import { readTurns } from '../../../src/core/diagnosis/turns';
import { call, fakeReader, fakeRun, idle } from './fakeTrace';

type Steps = Parameters<typeof fakeReader>[1];

function turnsOf(steps: Steps) {
  return readTurns(fakeReader(fakeRun(), steps));
}

describe('readTurns', () => {
  it('puts results of the same and of following steps to their turn', async () => {
    const own = call('read', { path: 'a' }, 'text of a');
    const split = { text: 'I look.', calls: [{ id: 'x', name: 'shell', args: { command: 'ls' } }] };
    const result = { kind: 'tool' as const, results: [{ callId: 'x', text: 'a.ts', isError: true }] };
    const { turns, steps } = await turnsOf([{ kind: 'system', text: 'You are.' }, own, split, result]);
    expect(steps).toBe(4);
    expect(turns.map((turn) => [turn.step, turn.answers.map((one) => [one.step, one.text, one.isError])])).toEqual([
      [2, [[2, 'text of a', false]]],
      [3, [[4, 'a.ts', true]]],
    ]);
  });

  it('takes a user message after a turn for an answer, and knows that somebody spoke', async () => {
    const { turns } = await turnsOf([idle('Which one?'), { kind: 'user', text: 'The first.' }, idle('Good.')]);
    expect(turns[0]).toMatchObject({ thenUser: true, answers: [{ step: 2, text: 'The first.', callId: null }] });
    expect(turns[1]).toMatchObject({ thenUser: false, answers: [] });
  });

  it('leaves out what was copied from an earlier run, and what stands before the first turn', async () => {
    const { turns, events } = await turnsOf([
      { kind: 'system', text: 'You are.' },
      { kind: 'user', text: 'Task.' },
      { ...idle('old'), copied: true },
      idle('new'),
    ]);
    expect(turns.map((turn) => turn.text)).toEqual(['new']);
    expect(events).toEqual([]);
  });

  it('keeps events, and what a harness says as system in the middle', async () => {
    const { events } = await turnsOf([
      idle('a'),
      { kind: 'event', event: 'limit', text: 'Turn limit' },
      { kind: 'system', text: 'Earlier messages removed.' },
    ]);
    expect(events).toEqual([
      { step: 2, event: 'limit', text: 'Turn limit' },
      { step: 3, event: 'note', text: 'Earlier messages removed.' },
    ]);
  });

  it('gives equal keys to equal calls only', async () => {
    const { turns } = await turnsOf([
      call('t', { a: 1, b: { c: [1, 2], d: null } }, ''),
      call('t', { b: { d: null, c: [1, 2] }, a: 1 }, ''),
      call('t', { a: 1, b: { c: [2, 1], d: null } }, ''),
      call('u', { a: 1, b: { c: [1, 2], d: null } }, ''),
      call('t', undefined, ''),
    ]);
    const keys = turns.map((turn) => turn.calls[0]!.key);
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(4);
  });

  it('shortens long texts but tells them apart by their whole text', async () => {
    const long = 'x'.repeat(50_000);
    const { turns } = await turnsOf([call('t', {}, `${long}1${long}`), call('t', {}, `${long}2${long}`)]);
    const [first, second] = turns.map((turn) => turn.answers[0]!);
    expect(first!.text.length).toBeLessThan(3_100);
    expect(first!.length).toBe(100_001);
    expect(first!.text).toBe(second!.text);
    expect(first!.hash).not.toBe(second!.hash);
  });

  it('counts the lines of the whole text', async () => {
    const { turns } = await turnsOf([call('t', {}, 'a\n'.repeat(5_000))]);
    expect(turns[0]!.answers[0]!.lines).toBe(5_000);
  });
});
