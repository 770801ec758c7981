import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyAccepted,
  decideHunks,
  type Hunk,
  hunkStates,
  hunksOf,
  type Review,
  undoApplied,
} from '../../../src/core/proposals';
import { planFile } from '../../../src/core/proposals/plan';
import { decision, sampleProposal } from './sampleProposal';
import { storeProposal, temporaryFolder, writeFiles } from './temporaryHarness';

/** What happens to one line of the base: nothing, removed, rewritten, or lines put before it. */
type Fate = 'keep' | 'remove' | 'rewrite' | 'insert';

interface Case {
  base: string[];
  proposed: Fate[];
  person: Fate[];
  wanted: boolean[];
  ending: '\n' | '\r\n';
  finalNewline: boolean;
}

// Ordinary lines stand several times in a file, as closing braces do.
const baseLine = fc.constantFrom('}', 'return', '', '  x');
const fate = (changes: number) =>
  fc.oneof(
    { weight: 10 - changes, arbitrary: fc.constant<Fate>('keep') },
    { weight: changes, arbitrary: fc.constantFrom<Fate>('remove', 'rewrite', 'insert') },
  );

const cases: fc.Arbitrary<Case> = fc.nat({ max: 14 }).chain((more) => {
  const length = more + 1;
  const all = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: length, maxLength: length });
  return fc.record({
    base: all(baseLine),
    proposed: all(fate(4)),
    person: all(fate(2)),
    wanted: all(fc.boolean()),
    ending: fc.constantFrom('\n' as const, '\r\n' as const),
    finalNewline: fc.boolean(),
  });
});

/** Lines with the changes of one side; what is new is marked, so that it can be found again. */
function changed(lines: readonly string[], fates: readonly Fate[], mark: string): string[] {
  return lines.flatMap((line, index) => {
    const fate = fates[index]!;
    if (fate === 'remove') return [];
    if (fate === 'rewrite') return [`${mark}${index}`];
    return fate === 'insert' ? [`${mark}${index}`, line] : [line];
  });
}

function textOf(lines: readonly string[], { ending, finalNewline }: Case): string {
  return lines.join(ending) + (finalNewline && lines.length > 0 ? ending : '');
}

/** The base of a case has a tail on every line that the hunks change, so that each edit has one place. */
function made(sample: Case) {
  const lines = sample.base.map((line, index) => (sample.proposed[index] === 'keep' ? line : `${line}<${index}>`));
  const base = textOf(lines, sample);
  const edits = lines.flatMap((line, index) => {
    const isLast = index === lines.length - 1;
    const end = isLast && !sample.finalNewline ? '' : sample.ending;
    const fate = sample.proposed[index]!;
    if (fate === 'keep') return [];
    const newText = changed([line], [fate], `p${index}-`).map(
      (one, at, own) => one + (at < own.length - 1 ? sample.ending : end),
    );
    return [decision(`d${index}`, { file: 'f', action: 'replace', oldText: line + end, newText: newText.join('') })];
  });
  const present = textOf(changed(lines, sample.person, 'u'), sample);
  return { base, present, decisions: edits };
}

const count = (text: string) => {
  const counts = new Map<string, number>();
  for (const line of text.split(/\r?\n/)) if (line !== '') counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
};

/** Lines of the person's text, less what written hunks remove, and with what they add. */
function expectedLines(present: string, written: readonly Hunk[]): Map<string, number> {
  const counts = count(present);
  const add = (line: string, by: number) => {
    if (line === '') return;
    const now = (counts.get(line) ?? 0) + by;
    if (now === 0) counts.delete(line);
    else counts.set(line, now);
  };
  for (const hunk of written) {
    for (const line of hunk.removed) add(line, -1);
    for (const line of hunk.added) add(line, 1);
  }
  return counts;
}

const review: Review = {
  schemaVersion: 1,
  proposal: 'p-00c0ffee',
  hunks: {},
  edited: {},
  appliedAt: null,
  appliedTo: null,
};

function planned({ base, present, decisions }: ReturnType<typeof made>, wanted: (hunk: Hunk) => boolean) {
  const proposal = sampleProposal(decisions);
  const baseTexts = new Map([['f', base]]);
  const hunks = hunksOf(proposal, baseTexts);
  const numbers = new Set(hunks.filter(wanted).map((hunk) => hunk.number));
  const plan = planFile({ proposal, baseTexts, hunks }, review, 'f', present, numbers);
  return { hunks, numbers, plan };
}

describe('hunks and edits that a person made meanwhile', () => {
  it('lose nothing in 10,000 random cases: every line is there that either side wrote, and none that nobody did', () => {
    let merged = 0;
    let left = 0;
    fc.assert(
      fc.property(cases, (sample) => {
        const files = made(sample);
        fc.pre(files.decisions.length > 0);
        const { hunks, numbers, plan } = planned(files, (hunk) => sample.wanted[hunk.number - 1] ?? false);
        expect([...plan.hunks, ...plan.left.map((one) => one.number)].sort((a, b) => a - b)).toEqual(
          [...numbers].sort((a, b) => a - b),
        );
        const written = hunks.filter((hunk) => plan.hunks.includes(hunk.number));
        expect(count(plan.after ?? '')).toEqual(expectedLines(files.present, written));
        // The person's own lines also keep their order.
        const own = (text: string) => text.split(/\r?\n/).filter((line) => /^u\d+$/.test(line));
        expect(own(plan.after ?? '')).toEqual(own(files.present));
        if (written.length === 0) expect(plan.after).toBe(files.present);
        if (files.present !== files.base) {
          merged += written.length;
          left += plan.left.length;
        }
      }),
      { numRuns: 10_000 },
    );
    // A test in which nothing was ever merged, or nothing ever clashed, would say little.
    expect(merged).toBeGreaterThan(2_000);
    expect(left).toBeGreaterThan(1_000);
  }, 120_000);

  it('give the text of the hunks exactly where the person changed nothing', () => {
    fc.assert(
      fc.property(cases, (sample) => {
        const files = made({ ...sample, person: sample.base.map(() => 'keep') });
        fc.pre(files.decisions.length > 0);
        const { numbers, plan } = planned(files, (hunk) => sample.wanted[hunk.number - 1] ?? false);
        expect(plan.left).toEqual([]);
        expect(plan.hunks).toHaveLength(numbers.size);
      }),
      { numRuns: 1_000 },
    );
  });

  it('come back to the same bytes and mode by undo, on the disk', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async (sample, executable) => {
        const files = made(sample);
        fc.pre(files.decisions.length > 0);
        const root = await temporaryFolder({ f: files.base });
        const { proposal, hunks } = await storeProposal(root, files.decisions);
        await writeFiles(root, { f: files.present });
        await chmod(join(root, 'f'), executable ? 0o755 : 0o640);
        const { id } = proposal;
        await decideHunks(
          root,
          id,
          hunks.map((hunk) => hunk.number),
          'accepted',
          'tester',
        );
        const before = await hunkStates(root, id);
        fc.pre(before.some((one) => one.state === 'accepted'));
        const applied = await applyAccepted(root, id, 'workingTree', { who: 'tester' });
        expect(applied.hunks).toEqual(before.filter((one) => one.state === 'accepted').map((one) => one.hunk.number));
        expect((await stat(join(root, 'f'))).mode & 0o777).toBe(executable ? 0o755 : 0o640);
        await undoApplied(root, id, 'tester');
        expect(await readFile(join(root, 'f'), 'utf8')).toBe(files.present);
        expect((await stat(join(root, 'f'))).mode & 0o777).toBe(executable ? 0o755 : 0o640);
        expect(await hunkStates(root, id)).toEqual(before);
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
