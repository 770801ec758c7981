import { describe, expect, it } from 'vitest';
import { keyOfText, sortedKeys, withoutNoise } from '../../../../src/core/traces/contrast/normalise';
import { differences, similarity } from '../../../../src/core/traces/contrast/similarity';
import { turnsOf } from '../../../../src/core/traces/contrast/turns';
import type { Step } from '../../../../src/core/traces/model';
import { call, readerOf, result, step } from '../../links/helpers';

const agent = (n: number, change: Partial<Step> = {}) => step({ n, kind: 'agent', ...change });
const bash = (command: string) => call('bash', { command });
const turns = (steps: Step[]) => turnsOf(readerOf(steps));

describe('turns of a run', () => {
  it('hold the results of later steps, leave out copied ones and what stands before the first answer', async () => {
    const found = await turns([
      step({ n: 1, kind: 'user', text: 'Fix it.' }),
      agent(2, { copied: true, calls: [bash('ls')] }),
      agent(3, { calls: [bash('ls'), bash('pwd')] }),
      step({ n: 4, results: [result('a.py')] }),
      step({ n: 5, kind: 'event', event: 'note' }),
      step({ n: 6, results: [result('/app')] }),
      agent(7, { text: 'Done.' }),
    ]);
    expect(found.map(({ summary }) => [summary.step, summary.lastStep])).toEqual([
      [3, 6],
      [7, 7],
    ]);
    expect(found[0]?.summary).toMatchObject({ action: 'look', result: { class: 'ok' } });
    expect(found[1]?.summary).toMatchObject({ action: 'talk', said: 'Done.', calls: [], result: { class: 'none' } });
  });

  it('do what their strongest call does', async () => {
    const [one] = await turns([agent(1, { calls: [bash('rm -r build'), bash('ls'), bash('make')] })]);
    expect(one?.summary.action).toBe('change');
  });

  it.each([
    ['fine', false, 'ok'],
    [' \n', false, 'empty'],
    ['fine', true, 'error'],
    ['<returncode>0</returncode>', false, 'ok'],
    ['<returncode>-9</returncode>', false, 'error'],
    ['Process exited with code 127', false, 'error'],
    ['the exit code 0 came back', false, 'ok'],
    [`${'x'.repeat(9000)}\nexit status: 2`, false, 'error'],
    [`${'x'.repeat(5000)}\nexit status: 2\n${'x'.repeat(5000)}`, false, 'ok'],
  ])('a result %.40j (marked: %j) is of the class %s', async (text, marked, kind) => {
    const [one] = await turns([agent(1, { calls: [bash('x')], results: [result(text, 'call-bash', marked)] })]);
    expect(one?.summary.result.class).toBe(kind);
  });

  it('stop when cancelled', async () => {
    const cancel = new AbortController();
    cancel.abort();
    const reader = readerOf([agent(1)]);
    await expect(turnsOf(reader, { signal: cancel.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('how alike turns are', () => {
  const pair = async (left: Partial<Step>, right: Partial<Step>) => {
    const [first] = await turns([agent(1, left)]);
    const [second] = await turns([agent(1, right)]);
    return { alike: similarity(first!, second!), differs: differences(first!, second!) };
  };
  const look = { calls: [call('read', { path: 'a.py', from: 1 })], results: [result('x')] };

  it('goes by tool, arguments in any order, and result; not by what was said', async () => {
    const other = { ...look, text: 'Let me see', calls: [call('read', { from: 1, path: 'a.py' })] };
    expect(await pair(look, other)).toEqual({ alike: 1, differs: [] });
    expect(await pair(look, { ...look, calls: [call('write', { path: 'a.py', from: 1 })] })).toEqual({
      alike: 0,
      differs: ['tool'],
    });
  });

  it('takes a tenth for another result, two for one of another class', async () => {
    const text = await pair(look, { ...look, results: [result('y')] });
    expect(text).toEqual({ alike: expect.closeTo(0.9), differs: ['result'] });
    const failed = await pair(look, { ...look, results: [result('y', 'c1', true)] });
    expect(failed).toEqual({ alike: expect.closeTo(0.8), differs: ['resultClass'] });
  });

  it('counts the words that arguments have in common', async () => {
    // path, py, from and 1 of path, py, from, 1, a and b
    const { alike } = await pair(look, { ...look, calls: [call('read', { path: 'b.py', from: 1 })] });
    expect(alike).toBeCloseTo(0.55 + (0.45 * 4) / 6);
  });
});

describe('texts without what differs between any two runs', () => {
  it.each([
    ['at 2026-01-02T03:04:05.678Z', 'at 2026-02-02 11:12:13+01:00'],
    ['took 3.5 ms', 'took 12 ms'],
    ['/tmp/x1.y/a.py', '/tmp/z/a.py'],
    ['<A at 0x7f00aa12>', '<A at 0x10bb00ff>'],
    ['PID: 31', 'PID: 4711'],
  ])('%s is %s', (one, other) => {
    expect(withoutNoise(one)).toBe(withoutNoise(other));
    expect(keyOfText(one)).toBe(keyOfText(other));
  });

  it.each([
    ['line 3', 'line 4'],
    ['0x12', '0x13'],
    ['/var/a', '/var/b'],
    [`${'a'.repeat(150_000)}1${'a'.repeat(150_000)}`, `${'a'.repeat(150_001)}1${'a'.repeat(150_000)}`],
  ])('%.20j is not %.20j', (one, other) => {
    expect(keyOfText(one)).not.toBe(keyOfText(other));
  });

  it('arguments are equal in whatever order an object has its keys; lists are not', () => {
    const text = (value: unknown) => JSON.stringify(value, sortedKeys);
    expect(text({ b: [{ d: 1, c: 2 }], a: null })).toBe(text({ a: null, b: [{ c: 2, d: 1 }] }));
    expect(text([1, 2])).not.toBe(text([2, 1]));
  });
});
