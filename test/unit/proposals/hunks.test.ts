import { describe, expect, it } from 'vitest';
import { composeFile, composeText, findOverlaps, hunksOf } from '../../../src/core/proposals';
import { decision, replace, sampleProposal } from './sampleProposal';

const base = 'one\ntwo\nthree\nfour\nfive\n';

function hunks(decisions: Parameters<typeof sampleProposal>[0], text: string | null = base) {
  return hunksOf(sampleProposal(decisions), new Map([['a.txt', text]]));
}

describe('hunksOf', () => {
  it('trims unchanged lines around a change', () => {
    const [hunk, ...more] = hunks([decision('d1', replace('a.txt', 'two\nthree\nfour\n', 'two\n3\nfour\n'))]);
    expect(more).toEqual([]);
    expect(hunk).toMatchObject({ number: 1, baseStart: 3, removed: ['three'], added: ['3'], newText: '3\n' });
  });

  it('splits one edit with two changed places into two hunks', () => {
    const found = hunks([decision('d1', replace('a.txt', 'one\ntwo\nthree\n', '1\ntwo\n3\n'))]);
    expect(found.map((hunk) => [hunk.number, hunk.baseStart, hunk.added])).toEqual([
      [1, 1, ['1']],
      [2, 3, ['3']],
    ]);
  });

  it('joins two edits on one line, and touching lines, into one hunk', () => {
    expect(hunks([decision('d1', replace('a.txt', 't', 'T'))].slice(1))).toEqual([]);
    const sameLine = hunks([decision('d1', replace('a.txt', 'tw', 'TW'), replace('a.txt', 'o\nth', 'O\nTH'))]);
    expect(sameLine).toHaveLength(1);
    expect(sameLine[0]).toMatchObject({ removed: ['two', 'three'], added: ['TWO', 'THree'] });
  });

  it('numbers over the whole proposal by decision', () => {
    const found = hunks([decision('d1', replace('a.txt', 'four', '4')), decision('d2', replace('a.txt', 'one', '1'))]);
    expect(found.map((hunk) => [hunk.number, hunk.decision, hunk.baseStart])).toEqual([
      [1, 'd1', 4],
      [2, 'd2', 1],
    ]);
  });

  it('takes in the next line when the line end is removed', () => {
    const found = hunks([decision('d1', replace('a.txt', 'two\n', 'two, '))]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ baseStart: 2, removed: ['two', 'three'], added: ['two, three'] });
    expect(composeText(base, found, [1])).toBe('one\ntwo, three\nfour\nfive\n');
  });

  it('gives one hunk to a created and to a deleted file, also to empty ones', () => {
    const created = hunks([decision('d1', { file: 'a.txt', action: 'create', oldText: '', newText: '' })], null);
    expect(created).toHaveLength(1);
    expect(composeFile(null, created, [])).toBeNull();
    expect(composeFile(null, created, [1])).toBe('');
    const deleted = hunks([decision('d1', { file: 'a.txt', action: 'delete', oldText: base, newText: '' })]);
    expect(deleted[0]!.removed).toHaveLength(5);
    expect(composeFile(base, deleted, [])).toBe(base);
    expect(composeFile(base, deleted, [1])).toBeNull();
  });

  it('names the file when a stored proposal does not fit its base text', () => {
    expect(() => hunks([decision('d1', replace('a.txt', 'absent', 'x'))])).toThrow(
      /p-00c0ffee.*a\.txt.*not in the file/,
    );
    expect(() => hunks([decision('d1', replace('a.txt', 'one', 'x'))], null)).toThrow(/base text is missing/);
  });

  it('shows a block with too little in common as one hunk', () => {
    const old = Array.from({ length: 3000 }, (_, index) => `old ${index}\n`).join('');
    const fresh = Array.from({ length: 3000 }, (_, index) => `new ${index}\n`).join('');
    const found = hunks([decision('d1', replace('a.txt', old, fresh))], `head\n${old}tail\n`);
    expect(found).toHaveLength(1);
    expect(composeText(`head\n${old}tail\n`, found, [1])).toBe(`head\n${fresh}tail\n`);
  });
});

describe('composeText', () => {
  it.each([
    ['windows line ends', 'a\r\nb\r\nc\r\n', 'b\r\n', 'B\r\nB2\r\n', 'a\r\nB\r\nB2\r\nc\r\n'],
    ['a byte order mark', '\uFEFFa\nb\n', 'a', 'A', '\uFEFFA\nb\n'],
    ['no final newline', 'a\nb', 'b', 'b\nc', 'a\nb\nc'],
    ['tabs and trailing blanks', '\tif x:  \n\t\ty\n', '\t\ty', '\t\tz', '\tif x:  \n\t\tz\n'],
    ['a final newline removed', 'a\nb\n', 'b\n', 'b', 'a\nb'],
  ])('keeps %s', (_, text, oldText, newText, expected) => {
    const found = hunks([decision('d1', replace('a.txt', oldText, newText))], text);
    expect(composeText(text, found, [])).toBe(text);
    expect(
      composeText(
        text,
        found,
        found.map((hunk) => hunk.number),
      ),
    ).toBe(expected);
  });

  it('puts an insertion before a change of the line it stands before', () => {
    const found = hunks([
      decision('d1', replace('a.txt', 'three', '3')),
      decision('d2', replace('a.txt', 'two\nthree', 'two\nbetween\nthree')),
    ]);
    expect(findOverlaps(found)).toEqual([]);
    expect(composeText(base, found, [2, 1])).toBe('one\ntwo\nbetween\n3\nfour\nfive\n');
  });
});

describe('findOverlaps', () => {
  it('finds decisions that change the same line', () => {
    const found = hunks([
      decision('d1', replace('a.txt', 'two', '2')),
      decision('d2', replace('a.txt', 'two\nthree', 'x')),
    ]);
    expect(findOverlaps(found).map((pair) => pair.map((hunk) => hunk.decision))).toEqual([['d1', 'd2']]);
  });

  it('does not mind edits that only share unchanged lines', () => {
    const found = hunks([
      decision('d1', replace('a.txt', 'one\ntwo\nthree', '1\ntwo\nthree')),
      decision('d2', replace('a.txt', 'two\nthree\nfour', 'two\nthree\n4')),
    ]);
    expect(findOverlaps(found)).toEqual([]);
    expect(composeText(base, found, [1, 2])).toBe('1\ntwo\nthree\n4\nfive\n');
  });

  it('finds an end without newline before another change', () => {
    const found = hunks([
      decision('d1', replace('a.txt', 'five\n', 'five\nsix\n')),
      decision('d2', replace('a.txt', 'five\n', 'five')),
    ]);
    expect(findOverlaps(found)).toHaveLength(1);
  });

  it('finds two decisions that make or delete one file', () => {
    const create = { file: 'a.txt', action: 'create', oldText: '', newText: 'x\n' } as const;
    expect(findOverlaps(hunks([decision('d1', create), decision('d2', create)], null))).toHaveLength(1);
  });
});
