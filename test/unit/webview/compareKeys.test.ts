import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComparePair } from '../../../webview/shared/compareProtocol';
import {
  compareHelp,
  compareKey,
  divergentPair,
  nextDifference,
  pairMark,
  pairWords,
  withComparison,
} from '../../../webview/trace/compareState';
import { sampleComparison, sampleRow } from './samples';

const press = (key: string, over: Partial<Record<'altKey' | 'ctrlKey' | 'metaKey', boolean>> = {}) =>
  compareKey({ key, altKey: false, ctrlKey: false, metaKey: false, ...over });
const states = ['same', 'calls', 'texts', 'onlyLeft', 'onlyRight'] as const;
const pair = (state: ComparePair['state'], left: number | null = 1, right: number | null = 1): ComparePair => ({
  left,
  right,
  state,
});

describe('keys of a comparison', () => {
  it('move, change sides, and go to differences', () => {
    expect(['j', 'k', 'PageDown', 'End'].map((key) => press(key))).toEqual([
      { move: 1 },
      { move: -1 },
      { move: 10 },
      { move: Number.POSITIVE_INFINITY },
    ]);
    expect([press('ArrowLeft'), press('ArrowRight')]).toEqual([{ side: 'left' }, { side: 'right' }]);
    expect([press('n'), press('N')]).toEqual([{ difference: 1 }, { difference: -1 }]);
  });

  it('leave chords to the editor, but Alt+Enter goes to the code', () => {
    expect([press('j', { ctrlKey: true }), press('Enter', { metaKey: true }), press('j', { altKey: true })]).toEqual([
      null,
      null,
      null,
    ]);
    expect(press('Enter', { altKey: true })).toEqual({ do: 'goToCode' });
  });

  it('are no names that every object has', () => {
    expect(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''].map((key) => press(key))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('are named in the help, each that does something', () => {
    const help = compareHelp.map(([keys]) => keys).join(' ');
    for (const key of ['Up', 'Down', 'J', 'K', 'Left', 'Right', 'F', 'N', 'Enter', '1', '2', '3', 'D', 'Escape']) {
      expect(help).toContain(key);
      const name = /^(Up|Down|Left|Right)$/.test(key) ? `Arrow${key}` : key.length === 1 ? key.toLowerCase() : key;
      expect(press(name)).not.toBeNull();
    }
  });
});

describe('a pair in words', () => {
  it('says which steps stand beside each other and how they differ', () => {
    expect(pairWords(pair('texts', 4, 6))).toBe('step 4 and step 6: other results');
    expect(pairWords(pair('onlyLeft', 4, null))).toBe('step 4 and nothing: only in the run on the left');
  });

  it('has a mark where it differs only, and a different one each', () => {
    const marks = states.map((state) => pairMark(pair(state)));
    expect(marks[0]).toBe('');
    expect(new Set(marks).size).toBe(states.length);
    expect(marks.slice(1).every((mark) => mark.length > 0)).toBe(true);
  });
});

describe('differences one after the other', () => {
  it('are each visited once, and the last one is stayed on', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...states), { maxLength: 30 }), (list) => {
        const pairs = list.map((state) => pair(state));
        const wanted = list.flatMap((state, at) => (state === 'same' ? [] : [at]));
        const walk = (from: number, direction: 1 | -1) => {
          const seen: number[] = [];
          for (
            let at = nextDifference(pairs, from, direction);
            at !== from;
            from = at, at = nextDifference(pairs, at, direction)
          ) {
            seen.push(at);
          }
          return seen;
        };
        expect(walk(-1, 1)).toEqual(wanted);
        expect(walk(pairs.length, -1)).toEqual([...wanted].reverse());
      }),
    );
  });
});

describe('a comparison that comes in parts', () => {
  const head = sampleComparison({ divergence: { left: 3, right: 3 } });
  const part = (at: number, pairs: ComparePair[], over = head) =>
    ({ type: 'comparison', at, head: over, pairs }) as const;
  const begin = withComparison(null, part(0, [pair('same', 1, 1), pair('same', 2, 2)]));

  it('goes to where the runs part as soon as that pair is there', () => {
    expect(begin.selected).toBe(0);
    expect(withComparison(begin, part(2, [pair('calls', 3, 3)]))).toMatchObject({ selected: 2 });
  });

  it('stays where the person went meanwhile, with the rows and the side', () => {
    const rows = new Map([[1, sampleRow(1)]]);
    const moved = { ...begin, selected: 1, side: 'right' as const, rows };
    const whole = withComparison(moved, part(2, [pair('calls', 3, 3)]));
    expect([whole.selected, whole.side, whole.rows, whole.pairs.length]).toEqual([1, 'right', rows, 3]);
  });

  it('puts a part that comes again in its place, and begins anew with another run', () => {
    const twice = withComparison(withComparison(begin, part(2, [pair('calls', 3, 3)])), part(2, [pair('texts', 3, 3)]));
    expect(twice.pairs.map((one) => one.state)).toEqual(['same', 'same', 'texts']);
    const other = withComparison(twice, part(0, [pair('same')], sampleComparison({ run: 'r-9', divergence: null })));
    expect([other.pairs.length, other.selected, other.rows.size]).toEqual([1, 0, 0]);
  });

  it('knows a place that only the run on the right has', () => {
    const pairs = [pair('same', 1, 1), pair('onlyRight', null, 2)];
    expect(divergentPair(sampleComparison({ divergence: { left: null, right: 2 } }), pairs)).toBe(1);
    expect(divergentPair(sampleComparison({ divergence: { left: 9, right: 2 } }), pairs)).toBe(-1);
    expect(divergentPair(sampleComparison({ divergence: null }), pairs)).toBe(-1);
  });
});
