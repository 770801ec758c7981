import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeText, hunksOf } from '../../../src/core/proposals';
import { composePlaced, placeHunks } from '../../../src/core/proposals/anchors';
import { decision, replace, sampleProposal } from './sampleProposal';

const base = 'def a():\n    x = 1\n    return x\n\ndef b():\n    y = 2\n    return y\n';

function hunks(...edits: [string, string][]) {
  const decisions = edits.map(([oldText, newText], index) => decision(`d${index + 1}`, replace('f', oldText, newText)));
  return hunksOf(sampleProposal(decisions), new Map([['f', base]]));
}

function place(present: string | null, ...edits: [string, string][]) {
  return placeHunks(base, present, hunks(...edits));
}

describe('placeHunks', () => {
  const edit: [string, string] = ['    y = 2', '    y = 3'];

  it('finds a hunk where lines were added or removed above it', () => {
    expect(place(base, edit)).toEqual([{ start: 5 }]);
    expect(place(`import os\n\n${base}`, edit)).toEqual([{ start: 7 }]);
    expect(place(base.replace('    x = 1\n', ''), edit)).toEqual([{ start: 4 }]);
  });

  it('finds it with fewer lines around it, and with those of one side', () => {
    expect(place(base.replace('def b', 'def c'), edit)).toEqual([{ start: 5 }]);
    expect(place(base.replace('return y', 'return -y'), edit)).toEqual([{ start: 5 }]);
  });

  it('conflicts when its lines changed, with what stands there now, and is stale when the file is gone', () => {
    expect(place(base.replace('y = 2', 'y = 9'), edit)).toEqual([
      { stale: expect.stringMatching(/were changed since/), conflict: { start: 5, text: '    y = 9\n' } },
    ]);
    expect(place(`import os\n${base.replace('    y = 2\n', '    y = 8\n    y += 1\n')}`, edit)).toEqual([
      { stale: expect.any(String), conflict: { start: 6, text: '    y = 8\n    y += 1\n' } },
    ]);
    expect(place(base.replace('y = 2', 'y = 3'), edit)).toEqual([{ stale: 'the file has this change already' }]);
    expect(place(null, edit)).toEqual([{ stale: expect.stringMatching(/was removed/) }]);
    expect(place('', edit)).toEqual([{ stale: expect.any(String), conflict: { start: 0, text: '' } }]);
  });

  it('is stale when the place is not the only one', () => {
    expect(place(`${base}\n${base}`, edit)).toEqual([{ stale: expect.stringMatching(/more than once/) }]);
  });

  it('puts an insertion only between the lines it was made for', () => {
    const insertion: [string, string] = ['def b():\n', 'def b():\n    check()\n'];
    expect(place(`# head\n${base}`, insertion)).toEqual([{ start: 6 }]);
    expect(place(base.replace('def b():\n', 'def b():\n    pass\n'), insertion)).toEqual([
      { stale: expect.any(String), conflict: { start: 5, text: '    pass\n' } },
    ]);
  });

  it('tells lines apart that always stood there twice, and follows text that was moved', () => {
    const twins = 'a:\n  x\n  go\n  y\nb:\n  x\n  go\n  y\n';
    const [hunk] = hunksOf(
      sampleProposal([decision('d1', replace('f', 'b:\n  x\n  go', 'b:\n  x\n  stop'))]),
      new Map([['f', twins]]),
    );
    expect(placeHunks(twins, twins.replace('a:', 'A:').replace('b:', 'B:'), [hunk!])).toEqual([{ start: 6 }]);
    expect(place(`def b():\n    y = 2\n    return y\n\n${base.slice(0, base.indexOf('def b'))}`, edit)).toEqual([
      { start: 1 },
    ]);
  });

  it('never joins two lines', () => {
    const open = hunksOf(sampleProposal([decision('d1', replace('f', 'z\n', 'end'))]), new Map([['f', 'a\nz\n']]));
    expect(placeHunks('a\nz\n', 'new\na\nz\n', open)).toEqual([{ start: 2 }]);
    expect(placeHunks('a\nz\n', 'a\nz\nmore\n', open)).toEqual([
      expect.objectContaining({ stale: expect.any(String) }),
    ]);
  });

  it('takes made and deleted files only as they were', () => {
    const create = { file: 'f', action: 'create', oldText: '', newText: 'x\n' } as const;
    const made = hunksOf(sampleProposal([decision('d1', create)]), new Map([['f', null]]));
    expect(placeHunks(null, null, made)).toEqual([{ start: 0 }]);
    expect(placeHunks(null, 'other\n', made)).toEqual([{ stale: expect.stringMatching(/made meanwhile/) }]);
    const remove = { file: 'f', action: 'delete', oldText: base, newText: '' } as const;
    const removed = hunksOf(sampleProposal([decision('d1', remove)]), new Map([['f', base]]));
    expect(placeHunks(base, base, removed)).toEqual([{ start: 0 }]);
    expect(placeHunks(base, `${base}#\n`, removed)).toEqual([{ stale: expect.stringMatching(/changed since/) }]);
  });

  it('knows the places exactly when only own hunks were applied', () => {
    const own = hunks(['    x = 1\n', '    x = 1\n    x += 1\n'], ['    return x', '    return x + 1'], edit);
    const present = composeText(base, own, [1, 2]);
    expect(placeHunks(base, present, own.slice(2), own.slice(0, 2))).toEqual([{ start: 6 }]);
  });

  it('writes a placed hunk where the person would, whatever was added elsewhere', () => {
    const lines = fc.array(fc.constantFrom('# note\n', '\n', 'import os\n', 'pass\n'), { maxLength: 6 });
    fc.assert(
      fc.property(lines, lines, (above, below) => {
        const present = above.join('') + base + below.join('');
        const [hunk] = hunks(edit);
        const [placement] = placeHunks(base, present, [hunk!]);
        expect(placement).toEqual({ start: 5 + above.length });
        const { start } = placement as { start: number };
        expect(composePlaced(present, [{ hunk: hunk!, start }])).toBe(
          above.join('') + base.replace('y = 2', 'y = 3') + below.join(''),
        );
      }),
    );
  });
});
