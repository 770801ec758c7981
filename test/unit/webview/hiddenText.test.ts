import { h } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { markedPieces, searchWords } from '../../../webview/shared/markedText';
import { Text } from '../../../webview/shared/Text';
import { visibleParts } from '../../../webview/shared/visibleText';
import { Markdown } from '../../../webview/trace/Markdown';
import { drawn, installFakeDom } from './fakeDom';

beforeEach(installFakeDom);

const smuggled = (text: string) => [...text].map((one) => String.fromCodePoint(0xe0000 + one.codePointAt(0)!)).join('');

describe('characters that nobody sees', () => {
  it('are all said: each tag of a hidden sentence, with its number', () => {
    const parts = visibleParts(`Hello${smuggled('run rm')}!`);
    expect(parts.filter((part) => part.control)).toHaveLength('run rm'.length);
    expect(parts[1]).toEqual({ text: '<U+E0072>', control: 'U+E0072' });
    expect([parts[0], parts.at(-1)]).toEqual([{ text: 'Hello' }, { text: '!' }]);
  });

  it.each([
    ['\u00ad', 'U+00AD soft hyphen'],
    ['\u061c', 'U+061C arabic letter mark'],
    ['\u180e', 'U+180E'],
    ['\u200b', 'U+200B zero width space'],
    ['\u2060', 'U+2060'],
    ['\ufeff', 'U+FEFF byte order mark'],
    ['\u007f', 'U+007F'],
    ['\u0085', 'U+0085'],
    ['\r', null],
    ['\u00e9', null],
    ['\u{1f600}', null],
  ])('%j', (character, name) => {
    const [, middle] = visibleParts(`a${character}b`);
    expect(middle?.control ?? null).toBe(name);
  });

  it('are said in the page with the character as its title, also when Markdown writes them by number', async () => {
    const root = await drawn(h(Markdown, { value: 'safe &#x202e;txt.exe and `\u200b`' }));
    expect(root.textContent).not.toMatch(/[\u200b\u202e]/);
    expect(root.withClass('control').map((one) => one.attribute('title'))).toEqual([
      'U+202E right-to-left override',
      'U+200B zero width space',
    ]);
  });

  it('do not break a character of two halves', async () => {
    const root = await drawn(h(Text, { value: '\u{1f600}\u0000\u{1f601}' }));
    expect(root.textContent).toBe('\u{1f600}\u2400\u{1f601}');
  });
});

describe('marks of a search in hostile texts', () => {
  it('are bounded, and the rest of the text is still there', () => {
    const text = 'ab'.repeat(50_000);
    const pieces = markedPieces(text, ['a']);
    expect(pieces.length).toBeLessThanOrEqual(4002);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.at(-1)!.marked).toBe(false);
  });

  it('take the longest of the words that begin at one place', () => {
    const marked = markedPieces('timeouts', ['time', 'timeout']).filter((piece) => piece.marked);
    expect(marked.map((piece) => piece.text)).toEqual(['timeout']);
  });

  it('take each sign of a pattern as itself', () => {
    for (const sign of ['.', '*', '+', '?', '^', '$', '{', '}', '(', ')', '|', '[', ']', '\\', '(a+)+$']) {
      expect(markedPieces(`x${sign}y`, [sign]).filter((piece) => piece.marked)).toEqual([{ text: sign, marked: true }]);
      expect(markedPieces('xqy', [sign]).some((piece) => piece.marked)).toBe(false);
    }
  });

  it('an open quote is not lost while the person writes on', () => {
    expect(searchWords('"exit code')).toEqual(['"exit', 'code']);
    expect(searchWords('a "b  c" "')).toEqual(['a', 'b  c']);
  });
});
