import { describe, expect, test } from 'vitest';
import { recordOf } from '../../../src/core/graph/analyzeFile';
import { reasonToSkip } from '../../../src/core/graph/textFiles';

const statement = 'const a=b=>b.map(c=>c.d);';

describe('reasonToSkip', () => {
  test.each([
    ['small output of a bundler', 'assets/button.js', statement.repeat(80)],
    [
      'output named after its content, with a few line breaks',
      'assets/run-oX9Y8ueR.js',
      `${statement.repeat(10)}\n`.repeat(3),
    ],
  ])('leaves out %s', (_, path, text) => {
    expect(reasonToSkip(path, text)).toMatch(/^it is minified/);
  });

  test.each([
    ['a single line by hand', 'src/a.js', statement.repeat(20)],
    [
      'a prompt in one long line among code',
      'src/prompt.ts',
      `export const prompt = '${'word '.repeat(500)}';\n${'// text\n'.repeat(20)}`,
    ],
    ['a written file whose name looks like a hash', 'src/use-Registry.js', `${statement}\n`.repeat(40)],
    ['a written file with eight letters at the end', 'src/tool-registry.js', statement.repeat(10)],
  ])('keeps %s', (_, path, text) => {
    expect(reasonToSkip(path, text)).toBeUndefined();
  });
});

test.each(['constructor', '__proto__', 'bin/constructor'])(
  'the language of a text called %s has a name',
  async (path) => {
    const { language } = await recordOf(path, 'plain words\n');
    expect(language).toBe(path);
  },
);
