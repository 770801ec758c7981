import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueIndex } from '../../../../src/core/traces/relations/valueIndex';
import { argumentValues, nameOf, rareEnough, valuesIn } from '../../../../src/core/traces/relations/values';

describe('values that tell where something comes from', () => {
  it.each<[string, string[]]>([
    ['open src/agent.ts now', ['src/agent.ts']],
    ['src/agent.ts:12:5: error', ['src/agent.ts:12:5', 'src/agent.ts']],
    ['./lib/a.py, and (lib/a.py)', ['lib/a.py']],
    ['order 74219 of 12 at 2024-05-20', ['74219', '2024-05-20']],
    ['parseDuration or parse_duration', ['parseDuration', 'parse_duration']],
    ['the same words as always, in a line', []],
    ['incomprehensible', ['incomprehensible']],
    ['python3 /dev/null README.md 1000', []],
  ])('%s: %j', (text, values) => {
    expect([...valuesIn(text)]).toEqual(values);
  });

  it('of arguments at any depth, but only from the start of a long text', () => {
    const args = { a: [{ path: 'src/a.py' }], id: 74219, content: `${'x '.repeat(400)} far/away.py` };
    expect([...argumentValues(args)]).toEqual(['src/a.py', '74219']);
    expect([...argumentValues(null)]).toEqual([]);
  });

  it('the name of a path is its last part', () => {
    expect(nameOf('/app/src/agent.py')).toBe('agent.py');
    expect(nameOf('/app/pkg_one/')).toBe('pkg_one');
    expect(nameOf('agent.py')).toBeNull();
    expect(nameOf('/app/src')).toBeNull();
  });

  it('what stands in most steps is not rare', () => {
    expect(rareEnough(6, 8)).toBe(true);
    expect(rareEnough(30, 100)).toBe(false);
    expect(rareEnough(15, 100)).toBe(true);
  });
});

describe('the index of values', () => {
  it('knows the first place and the number of steps of each, as a map would', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.nat(50)), { maxLength: 300 }), (entries) => {
        const [index, expected] = [new ValueIndex(), new Map<string, { step: number; steps: number; last: number }>()];
        for (const [value, step] of entries.sort(([, a], [, b]) => a - b)) {
          index.add(value, step, 'observation');
          const known = expected.get(value);
          const more = known?.last === step ? 0 : 1;
          expected.set(value, { step: known?.step ?? step, steps: (known?.steps ?? 0) + more, last: step });
        }
        for (const [value, { step, steps }] of expected)
          expect(index.find(value)).toEqual({ origin: 'observation', step, steps });
      }),
    );
  });

  it('grows, and says when it is full instead of growing on', () => {
    const index = new ValueIndex();
    for (let at = 0; at < 40_000; at += 1) index.add(`value ${at}`, 7, 'prompt');
    expect(index.full).toBe(false);
    expect(index.find('value 39999')).toEqual({ origin: 'prompt', step: 7, steps: 1 });
    for (let at = 40_000; at < 1_000_000; at += 1) index.add(`value ${at}`, 8, 'model');
    expect(index.full).toBe(true);
    expect(index.find('value 5')).toEqual({ origin: 'prompt', step: 7, steps: 1 });
    expect(index.find('value 999999')).toBeNull();
  });
});
