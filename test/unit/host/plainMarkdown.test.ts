import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainMarkdown } from '../../../src/host/review/plainMarkdown';

/** What a reader of the Markdown sees: escapes undone. */
const shown = (markdown: string) => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');

/** What stands in the Markdown without being escaped. */
const bare = (markdown: string) => markdown.replace(/\\[!-/:-@[-`{-~]/g, '');

describe('text of a model in Markdown', () => {
  it('stays text, whatever it looks like', () => {
    for (const hostile of [
      '[look](command:harnessmith.openTrace?%22x%22)',
      '<a href="https://evil.example">here</a> <img src=x onerror=alert(1)>',
      '![shot](https://evil.example/a.png)',
      'see https://evil.example, www.evil.example or me@evil.example',
      '`code` and ``more``, **bold**, ~~gone~~, a | b',
      '&lt;b&gt; \\[not a link\\](x)',
      '# heading',
      '[ref]: command:workbench.action.quit',
    ]) {
      expect(shown(plainMarkdown(hostile))).toBe(hostile);
      expect(bare(plainMarkdown(hostile))).not.toMatch(/[!-/:-@[-`{-~]/);
    }
  });

  it('wraps: its spaces are ordinary ones', () => {
    expect(plainMarkdown('The  parser drops\u00a0the last\tline')).toBe('The parser drops the last line');
  });

  it('has a paragraph for each line, none of them indented into code', () => {
    expect(plainMarkdown('Title\r\n\n    why\n\n\nand so on\n')).toBe('Title\n\nwhy\n\nand so on');
    expect(plainMarkdown(' \n ')).toBe('');
  });

  it('loses no word and lets no mark through, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const markdown = plainMarkdown(text);
        expect(shown(markdown).replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''));
        expect(bare(markdown)).not.toMatch(/[!-/:-@[-`{-~]/);
        expect(markdown).not.toMatch(/^[ \t]|[ \t]$/m);
      }),
    );
  });
});
