import fc from 'fast-check';
import { h } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { markedPieces, searchWords } from '../../../webview/shared/markedText';
import { MarkedWords, Text } from '../../../webview/shared/Text';
import { Markdown } from '../../../webview/trace/Markdown';
import { type MarkdownNode, markdownTree } from '../../../webview/trace/markdownTree';
import { drawn, type FakeElement, installFakeDom } from './fakeDom';

beforeEach(installFakeDom);

const draw = (value: string) => drawn(h(Markdown, { value }));
const names = (root: FakeElement) => root.all(() => true).map((element) => element.localName);
const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');

describe('Markdown of a trace', () => {
  it('is drawn with its structure', async () => {
    const root = await draw(
      '# Plan\n\n1. read **all** of `a.ts`\n2. run\n\n> note\n\n```sh\nls -l\n```\n\n|a|b|\n|-|-|\n|1|2|',
    );
    expect(names(root)).toEqual(
      expect.arrayContaining(['h1', 'ol', 'li', 'strong', 'code', 'blockquote', 'pre', 'td']),
    );
    expect(root.all((element) => element.localName === 'pre')[0]!.textContent).toBe('sh\nls -l');
    expect(root.all((element) => element.localName === 'li')[0]!.textContent).toBe('read all of a.ts');
  });

  it('keeps the numbers of a list, and says what a definition of a link says', async () => {
    const root = await draw('5. five\n6. six\n\n[note]: https://a.example "hidden words"');
    expect(root.all((element) => element.localName === 'ol')[0]!.attribute('start')).toBe('5');
    expect(root.textContent).toContain('hidden words');
  });

  it('keeps the line ends that a model wrote', async () => {
    expect(names(await draw('one\ntwo'))).toContain('br');
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<iframe src="https://evil.example"></iframe>',
    '<a href="command:workbench.action.terminal.new">x</a>',
    '[open](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22rm%22%7D)',
    '[open](javascript:alert(1))',
    '[open](vscode://evil.evil/run)',
    '[open](file:///etc/passwd)',
    '![pixel](https://evil.example/pixel.png)',
    '![svg](data:image/svg+xml;base64,PHN2Zy8+)',
    '<https://evil.example>',
    '[ref]\n\n[ref]: javascript:alert(1) "title"',
    '<style>body{display:none}</style>',
    '<svg><use href="#x"/></svg>',
    '<div onclick="alert(1)" style="position:fixed">x</div>',
    '```html\n<script>alert(1)</script>\n```',
    '[x](<command:a b>)',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<!-- comment --><b>bold</b>',
  ])('stays text where it could load, link or run: %s', async (text) => {
    const root = await draw(text);
    const harmless = /^(div|p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|s|table|thead|tbody|tr|th|td|hr|br)$/;
    for (const element of root.all(() => true)) {
      expect(element.localName).toMatch(harmless);
      // Only the frame of the text has an attribute, its class.
      expect(element.attributes.map(({ name, value }) => `${name}=${value}`)).toEqual(
        element.localName === 'div' ? ['class=markdown'] : [],
      );
    }
  });

  it('shows where a link or image leads, since nobody can follow it', async () => {
    expect((await draw('[docs](https://a.example/x)')).textContent).toBe('docs <https://a.example/x>');
    expect((await draw('![chart](data:image/png;base64,AAAA)')).textContent).toContain('[image: chart]');
  });

  it('draws no element outside the list and loses no word, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('*', '_', '`', '[', ']', '(', ')', '<', '>', '\n', '#', '- ', '1. ', '|', 'word', '&'),
        ),
        (pieces) => {
          const text = pieces.join('');
          const tree = markdownTree(text);
          const count = (whole: string) => whole.split('word').length;
          expect(count(textOf(tree))).toBe(count(text));
        },
      ),
    );
  });

  it('stands deep nesting and long runs of marks', () => {
    expect(textOf(markdownTree(`${'> '.repeat(3000)}deep`))).toContain('deep');
    expect(textOf(markdownTree(`${'*'.repeat(20_000)}x`))).toContain('*');
    expect(textOf(markdownTree(`${'['.repeat(5000)}x`))).toContain('x');
  });
});

describe('marks of a search', () => {
  it('stand on every word in any case, and signs of patterns mean themselves', () => {
    const marked = (text: string, ...words: string[]) =>
      markedPieces(text, words).flatMap((piece) => (piece.marked ? [piece.text] : []));
    expect(marked('Timeout, time out', 'time')).toEqual(['Time', 'time']);
    expect(marked('a.b acb', 'a.b')).toEqual(['a.b']);
    expect(marked('x', '(')).toEqual([]);
    expect(marked('x')).toEqual([]);
  });

  it('lose nothing of the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ maxLength: 3 })), (text, words) => {
        expect(
          markedPieces(text, words)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('take what stands in quotes as one word', () => {
    expect(searchWords('Find "exit code" 1')).toEqual(['find', 'exit code', '1']);
    expect(searchWords('  "')).toEqual([]);
  });

  it('are drawn in texts below', async () => {
    const root = await drawn(
      h(MarkedWords.Provider, { value: ['code'] }, h('p', null, h(Text, { value: 'exit code 1' }))),
    );
    expect(root.all((element) => element.localName === 'mark').map((mark) => mark.textContent)).toEqual(['code']);
    expect(root.textContent).toBe('exit code 1');
  });
});
