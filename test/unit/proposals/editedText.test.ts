import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeText, effectiveHunks, hunksOf, type Review } from '../../../src/core/proposals';
import { decision, replace, sampleProposal } from './sampleProposal';

const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const proposal = sampleProposal([
  decision('d1', replace('a', 'two', '2')),
  decision('d2', replace('a', 'four\n', '')),
  decision('d3', replace('a', 'six\n', 'six\nnew\n')),
]);
const baseTexts = new Map([['a', base]]);
const stored = { proposal, baseTexts, hunks: hunksOf(proposal, baseTexts) };
const proposed = 'one\n2\nthree\nfive\nsix\nnew\nseven\n';

function withEdited(text: string) {
  const review: Review = {
    schemaVersion: 1,
    proposal: proposal.id,
    hunks: {},
    edited: { a: text },
    appliedAt: null,
    appliedTo: null,
  };
  return effectiveHunks(stored, review, 'a');
}

describe('effectiveHunks', () => {
  it('leaves hunks as they are when nothing was typed', () => {
    expect(withEdited(proposed).map(({ newText, baseStart }) => [baseStart, newText])).toEqual([
      [2, '2\n'],
      [4, ''],
      [7, 'new\n'],
    ]);
  });

  it('makes a change inside or beside a hunk part of it', () => {
    const hunks = withEdited(proposed.replace('2\n', 'zwei\nextra\n'));
    expect(hunks.map((hunk) => [hunk.number, hunk.newText])).toEqual([
      [1, 'zwei\nextra\n'],
      [2, ''],
      [3, 'new\n'],
    ]);
    expect(composeText(base, hunks, [2])).toBe(base.replace('four\n', ''));
  });

  it('turns a hunk that was typed back into no change', () => {
    const hunks = withEdited(proposed.replace('2\n', 'two\n'));
    expect(composeText(base, hunks, [1])).toBe(base);
  });

  it('lets a change elsewhere go with the nearest hunk', () => {
    const hunks = withEdited(proposed.replace('seven\n', 'seven\nend\n'));
    expect(composeText(base, hunks, [1, 2])).toBe(base.replace('two', '2').replace('four\n', ''));
    expect(composeText(base, hunks, [3])).toBe(`${base.replace('six\n', 'six\nnew\n')}end\n`);
  });

  it('joins hunks that one typed change spans', () => {
    const hunks = withEdited('one\nX\nsix\nnew\nseven\n');
    expect(hunks.map((hunk) => [hunk.number, hunk.alsoNeeds])).toEqual([
      [1, [2]],
      [3, []],
    ]);
    expect(composeText(base, hunks, [1])).toBe('one\nX\nsix\nseven\n');
  });

  it('gives exactly the typed text when all is accepted, whatever was typed', () => {
    const line = fc.constantFrom('one', '2', 'three', 'five', 'six', 'new', 'seven', 'typed');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), fc.boolean(), (lines, newline) => {
        const text = lines.join('\n') + (newline && lines.length > 0 ? '\n' : '');
        const hunks = withEdited(text);
        expect(composeText(base, hunks, [1, 2, 3])).toBe(text);
        expect(composeText(base, hunks, [])).toBe(base);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps a hunk that the typed text does not come near independent of it', () => {
    const line = fc.constantFrom('typed', 'more', '');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const hunks = withEdited(proposed.replace('new\n', lines.map((one) => `${one}\n`).join('')));
        expect(composeText(base, hunks, [1, 2])).toBe(base.replace('two', '2').replace('four\n', ''));
      }),
    );
  });
});
