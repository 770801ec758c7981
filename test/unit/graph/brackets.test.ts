import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closing, splitTop } from '../../../src/core/graph/brackets';
import { goTypeText } from '../../../src/core/graph/languages/go/types';
import { rustTypeText } from '../../../src/core/graph/languages/rust/types';

describe('brackets in types', () => {
  test.each([
    ['A, B<C, D>, (E, F)', ',', ['A', 'B<C, D>', '(E, F)']],
    ['K: Fn(A, B) -> C, V', ',', ['K: Fn(A, B) -> C', 'V']],
    ['{ a: (b: B) => C, d: E }, F', ',', ['{ a: (b: B) => C, d: E }', 'F']],
    ['<-chan int, error', ',', ['<-chan int', 'error']],
    ['A | B & C', '|&', ['A', 'B', 'C']],
    ['A, , B,', ',', ['A', 'B']],
    ['A, B<C, D', ',', ['A', 'B<C, D']],
    ['A>, B', ',', ['A>', 'B']],
    ['', ',', []],
  ])('%s splits at %s', (text, separators, parts) => {
    expect(splitTop(text, separators)).toEqual(parts);
  });

  test('a bracket closes where its own depth ends, or with the text', () => {
    expect(closing('f(a -> (b), <-c)d', 1)).toBe(15);
    expect(closing('Vec<Fn() -> A>', 3)).toBe(13);
    expect(closing('(a', 0)).toBe(2);
  });

  test('parts hold every character that is neither a separator nor white space', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'([{<>}]),-= ab') });
    fc.assert(
      fc.property(noise, (text) => {
        const plain = (value: string) => value.replace(/[, ]/g, '');
        expect(plain(splitTop(text).join(''))).toBe(plain(text));
      }),
    );
  });

  test('types without an end or without content are read as far as they go', () => {
    expect(rustTypeText('[]')).toBe('Array<any>');
    expect(rustTypeText('Vec<A')).toBe('Vec<A');
    expect(goTypeText('map[string')).toBe('Map<any, any>');
  });
});
