import { expect, it } from 'vitest';
import { readItems } from '../../../bench/locate/items';
import { requestFrom } from '../../../bench/locate/messageText';

const item = { id: 'a', repo: 'o/n', parent: 'abcdef1' };

it('reads items with a request or a commit, and says which line is wrong', () => {
  const text = `${JSON.stringify({ ...item, request: 'x' })}\n\n${JSON.stringify({ ...item, commit: 'abcdef2' })}\n`;
  expect(readItems(text, 'f').map(({ request, commit }) => request ?? commit)).toEqual(['x', 'abcdef2']);
  expect(() => readItems(`\n${JSON.stringify(item)}`, 'f')).toThrow('f:2: neither request nor commit');
  expect(() => readItems(JSON.stringify({ ...item, repo: '../x', request: 'x' }), 'f')).toThrow('f:1');
});

it.each([
  ['feat(core): stop sooner (#12)', 'stop sooner.'],
  ['[agent] Fix: retry src/a/b.py once\n\nSigned-off-by: A <a@b.example>', 'retry once.'],
  [
    'Say more\n\n- first `x::y` thing, see https://a.example/b\n```\ncode\n```\n* squashed',
    'Say more. first thing, see',
  ],
])('%s', (message, request) => {
  expect(requestFrom(message)).toBe(request);
});
