import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeText, type Decision, findOverlaps, hunksOf } from '../../../src/core/proposals';
import { sampleProposal } from './sampleProposal';

interface Case {
  base: string;
  /** Character edits that do not overlap, in order; each belongs to one decision. */
  edits: { start: number; end: number; newText: string; decision: string }[];
}

// Lines carry a unique tail, so that any stretch that reaches a line's tail occurs once.
const line = fc.tuple(fc.constantFrom('', '\t', '  ', 'x', '}', 'return'), fc.constantFrom('\n', '\r\n'));
const freshText = fc.stringMatching(/^[abc\t ]{0,4}(\r?\n[abc]{0,3}){0,3}(\r?\n)?$/);

const cases: fc.Arbitrary<Case> = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    mark: fc.boolean(),
    finalNewline: fc.boolean(),
    cuts: fc.uniqueArray(fc.nat(120), { minLength: 2, maxLength: 8 }),
    texts: fc.array(freshText, { minLength: 4, maxLength: 4 }),
    owners: fc.array(fc.constantFrom('d1', 'd2', 'd3'), { minLength: 4, maxLength: 4 }),
  })
  .map(({ lines, mark, finalNewline, cuts, texts, owners }) => {
    let base = lines.map(([start, ending], index) => `${start}<${index}>${ending}`).join('');
    if (!finalNewline) base = base.replace(/\r?\n$/, '');
    if (mark) base = `\uFEFF${base}`;
    const places = cuts.filter((cut) => cut <= base.length).sort((a, b) => a - b);
    const edits = [];
    for (let index = 0; index + 1 < places.length; index += 2) {
      const [start, end] = [places[index]!, places[index + 1]!];
      const newText = texts[index / 2]!;
      const oldText = base.slice(start, end);
      if (base.indexOf(oldText) !== base.lastIndexOf(oldText) || newText === oldText) continue;
      edits.push({ start, end, newText, decision: owners[index / 2]! });
    }
    return { base, edits };
  })
  .filter(({ edits }) => edits.length > 0);

function applyEdits({ base, edits }: Case): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.newText + text.slice(edit.end), base);
}

function decisionsOf({ base, edits }: Case): Decision[] {
  const ids = [...new Set(edits.map((edit) => edit.decision))].sort();
  return ids.map((id) => ({
    id,
    title: id,
    rationale: '',
    evidence: [],
    edits: edits
      .filter((edit) => edit.decision === id)
      .map((edit) => ({
        file: 'f',
        action: 'replace',
        oldText: base.slice(edit.start, edit.end),
        newText: edit.newText,
      })),
  }));
}

function hunksFor(sample: Case) {
  return hunksOf(sampleProposal(decisionsOf(sample)), new Map([['f', sample.base]]));
}

describe('hunks of random edits', () => {
  it('accepting all of one decision equals applying its edits to the base', () => {
    fc.assert(
      fc.property(cases, (sample) => {
        const hunks = hunksFor(sample);
        for (const id of new Set(sample.edits.map((edit) => edit.decision))) {
          const own = hunks.filter((hunk) => hunk.decision === id).map((hunk) => hunk.number);
          const edits = sample.edits.filter((edit) => edit.decision === id);
          expect(composeText(sample.base, hunks, own)).toBe(applyEdits({ base: sample.base, edits }));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('accepting all equals all edits, accepting none gives the base, whatever the order', () => {
    fc.assert(
      fc.property(cases, (sample) => {
        const hunks = hunksFor(sample);
        fc.pre(findOverlaps(hunks).length === 0);
        const all = hunks.map((hunk) => hunk.number);
        expect(composeText(sample.base, hunks, all)).toBe(applyEdits(sample));
        expect(composeText(sample.base, [...hunks].reverse(), [...all].reverse())).toBe(applyEdits(sample));
        expect(composeText(sample.base, hunks, [])).toBe(sample.base);
      }),
      { numRuns: 500 },
    );
  });

  it('any subset replaces exactly its own lines of the base', () => {
    fc.assert(
      fc.property(cases, fc.infiniteStream(fc.boolean()), (sample, coins) => {
        const hunks = hunksFor(sample);
        fc.pre(findOverlaps(hunks).length === 0);
        const subset = hunks.filter(() => coins.next().value);
        const expected = replaceFromTheEnd(sample.base, subset);
        expect(
          composeText(
            sample.base,
            hunks,
            subset.map((hunk) => hunk.number),
          ),
        ).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

/** A second way to the same text: lines are spliced from the last hunk to the first. */
function replaceFromTheEnd(base: string, hunks: ReturnType<typeof hunksFor>): string {
  const lines = base.split(/(?<=\n)/);
  const fromTheEnd = [...hunks].sort(
    (a, b) => b.baseStart - a.baseStart || b.removed.length - a.removed.length || b.number - a.number,
  );
  for (const hunk of fromTheEnd) {
    const removed = lines.splice(hunk.baseStart - 1, hunk.removed.length, hunk.newText);
    expect(removed.join('')).toBe(hunk.oldText);
  }
  return lines.join('');
}
