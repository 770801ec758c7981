import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLineChanges, lineChanges } from '../../../src/core/proposals/blocks';
import { dominantEnding, lineAt, splitLines, withEnding, withoutEnding } from '../../../src/core/proposals/lines';
import { fitLineEndings, locateEdit } from '../../../src/core/proposals/locateEdit';
import { replace } from './sampleProposal';

describe('splitLines', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a\n']],
    ['a\r\nb', ['a\r\n', 'b']],
    ['\n\n', ['\n', '\n']],
    ['a\rb\n', ['a\rb\n']],
    ['a\u2028b\n', ['a\u2028b\n']],
  ])('splits %j', (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });

  it('loses nothing', () => {
    const text = fc.stringMatching(/^[ab\r\n\uFEFF\u2028]{0,40}$/);
    fc.assert(fc.property(text, (sample) => void expect(splitLines(sample).join('')).toBe(sample)));
  });
});

describe('line endings', () => {
  it('are those of most lines', () => {
    expect(dominantEnding('a\r\nb\r\nc\n')).toBe('\r\n');
    expect(dominantEnding('a\r\nb\nc\n')).toBe('\n');
    expect(dominantEnding('a')).toBe('\n');
    expect(withEnding('a\r\nb\nc', '\r\n')).toBe('a\r\nb\r\nc');
    expect(withoutEnding('a \r\n')).toBe('a ');
  });

  it('of an edit are fitted to the file, and only there', () => {
    const edit = replace('f', 'a\nb', 'a\nx\nb');
    expect(fitLineEndings('a\r\nb\r\n', edit)).toMatchObject({ oldText: 'a\r\nb', newText: 'a\r\nx\r\nb' });
    expect(fitLineEndings('a\nb\n', edit)).toEqual(edit);
    // A mixed file: the old text stands as it is, new lines get the ending most lines have.
    expect(fitLineEndings('a\nb\r\nc\r\nd\r\n', edit)).toMatchObject({ oldText: 'a\nb', newText: 'a\r\nx\r\nb' });
  });

  it('do not count for line numbers', () => {
    expect(lineAt('a\r\nb\r\nc', 0)).toBe(1);
    expect(lineAt('a\r\nb\r\nc', 3)).toBe(2);
    expect(lineAt('a\r\nb\r\nc', 6)).toBe(3);
  });
});

describe('locateEdit', () => {
  const base = 'if x:\n    return 1\nif y:\n    return 2\n';
  it('gives the range of text that occurs once', () => {
    expect(locateEdit(base, replace('f', 'return 1', 'return 3'))).toEqual({ start: 10, end: 18, newText: 'return 3' });
  });

  it.each([
    ['', /empty/],
    ['return', /more than once \(lines 2 and 4\)/],
    ['    return 9', /not in the file$/],
    ['if x:\n  return 1', /white space/],
    ['if y:\n    return 7', /only its first line is \(line 3\)/],
  ])('says why %j has no place', (oldText, reason) => {
    expect(locateEdit(base, replace('f', oldText, ''))).toEqual({ reason: expect.stringMatching(reason) });
  });

  it('counts occurrences that overlap', () => {
    expect(locateEdit('aaa', replace('f', 'aa', 'b'))).toEqual({ reason: expect.stringMatching(/more than once/) });
  });
});

describe('lineChanges', () => {
  it('stays within the lines of its edit', () => {
    const base = '}\n}\n}\nend\n';
    const at = base.indexOf('end');
    expect(lineChanges(base, [{ start: at, end: at + 3, newText: '}\nend' }])).toEqual([
      { start: 3, end: 3, newText: '}\n' },
    ]);
  });

  it('finds the smallest changes between lists of lines', () => {
    expect(diffLineChanges(['a\n', 'b\n', 'c\n'], ['a\n', 'x\n', 'c\n', 'd\n'])).toEqual([
      { start: 1, end: 2, newText: 'x\n' },
      { start: 3, end: 3, newText: 'd\n' },
    ]);
    expect(diffLineChanges([], ['a\n'])).toEqual([{ start: 0, end: 0, newText: 'a\n' }]);
    expect(diffLineChanges(['a\n'], ['a\n'])).toEqual([]);
  });

  it('rebuild the new lines', () => {
    const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        let text = '';
        let at = 0;
        for (const change of diffLineChanges(before, after)) {
          expect(change.start).toBeGreaterThanOrEqual(at);
          text += before.slice(at, change.start).join('') + change.newText;
          at = change.end;
        }
        expect(text + before.slice(at).join('')).toBe(after.join(''));
      }),
    );
  });
});
