import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPackedExample } from '../../../src/host/harness/exampleFiles';

describe('the packed example', () => {
  it('gives its files in order of path', () => {
    const packed = JSON.stringify({ 'src/main.ts': 'b', 'config.json': '{}' });
    expect(readPackedExample(packed)).toEqual([
      { path: 'config.json', text: '{}' },
      { path: 'src/main.ts', text: 'b' },
    ]);
  });

  it.each(['../outside', '/etc/passwd', 'a/../../b', 'C:/x', '\\\\host\\share', 'a\\b', ''])(
    'refuses the path "%s"',
    (path) => {
      expect(() => readPackedExample(JSON.stringify({ [path]: 'text' }))).toThrow(/leads out of it/);
    },
  );

  it('keeps any text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readPackedExample(JSON.stringify({ file: text }))).toEqual([{ path: 'file', text }]);
      }),
    );
  });

  it('refuses what is no pack', () => {
    expect(() => readPackedExample('["a"]')).toThrow();
    expect(() => readPackedExample('{"a": 1}')).toThrow();
  });
});
