import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf, queryTerms, stem, termsOf } from '../../../src/core/locate/tokens';

describe('tokens', () => {
  it('splits identifiers of all styles', () => {
    expect(partsOf('maxOutput_bytes')).toEqual(['max', 'output', 'bytes']);
    expect(partsOf('HTTPError2x')).toEqual(['http', 'error']);
  });

  it('stems so that forms of one word agree', () => {
    for (const [a, b] of [
      ['limits', 'limit'],
      ['retries', 'retry'],
      ['parsing', 'parse'],
      ['truncated', 'truncate'],
      ['running', 'run'],
    ] as const) {
      expect([a, stem(a)]).toEqual([a, stem(b)]);
    }
    expect(stem('class')).toBe('class');
    expect(stem('status')).toBe('status');
  });

  it('counts parts and compounds', () => {
    const terms = termsOf('stepLimit = step_limit + steps');
    expect(terms.get('step')).toBe(3);
    expect(terms.get('step_limit')).toBe(2);
  });

  it('keeps words that say where and weighs the first sentence', () => {
    const terms = new Map(
      queryTerms('Fix the tool call parser. Also the logger.').map((item) => [item.term, item.weight]),
    );
    expect(terms.has('fix')).toBe(false);
    expect(terms.has('the')).toBe(false);
    expect(terms.get('tool_call')).toBe(0.5);
    expect(terms.get('parser') ?? 0).toBeGreaterThan(terms.get('logger') ?? 0);
  });

  it('never yields an empty term or a weight that is no number', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const { term, weight } of queryTerms(text)) {
          expect(term.length).toBeGreaterThan(1);
          expect(weight).toBeGreaterThan(0);
        }
      }),
    );
  });
});
