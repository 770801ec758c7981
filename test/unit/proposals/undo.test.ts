import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { git } from '../../../src/core/harness';
import { applyAccepted, canUndo, decideHunks, hunkStates, reviewOf, undoApplied } from '../../../src/core/proposals';
import { Ledger, storePaths } from '../../../src/core/store';
import { decision, replace } from './sampleProposal';
import { commitAll, head, storeProposal, temporaryFolder, temporaryRepository, writeFiles } from './temporaryHarness';

const id = 'p-00c0ffee';
const files = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'bee\n' };

async function applied(...numbers: number[]) {
  const root = await temporaryFolder(files);
  await storeProposal(root, [
    decision('d1', replace('a.txt', 'one', '1')),
    decision('d2', replace('a.txt', 'three', '3'), replace('b.txt', 'bee', 'B')),
  ]);
  await decideHunks(root, id, numbers, 'accepted', 'tester');
  await applyAccepted(root, id, 'workingTree', { who: 'tester' });
  return root;
}

const read = (root: string, file: string) => readFile(join(root, file), 'utf8');

describe('undoApplied', () => {
  it('puts files back and makes the hunks accepted again, with an entry in the ledger', async () => {
    const root = await applied(1, 2, 3);
    expect(await canUndo(root, id)).toBe(true);
    expect((await undoApplied(root, id, 'ann')).files.sort()).toEqual(['a.txt', 'b.txt']);
    expect([await read(root, 'a.txt'), await read(root, 'b.txt')]).toEqual([files['a.txt'], files['b.txt']]);
    const review = await reviewOf(root, id);
    expect(Object.values(review.hunks).map((hunk) => hunk.state)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(review).toMatchObject({ appliedAt: null, appliedTo: null });
    expect(await canUndo(root, id)).toBe(false);
    const { entries } = await (await Ledger.open(root)).read();
    expect(entries.at(-1)).toMatchObject({ kind: 'apply', by: 'ann', hunks: [1, 2, 3], target: 'undo' });
    await applyAccepted(root, id, 'workingTree');
    expect(await read(root, 'b.txt')).toBe('B\n');
  });

  it('finishes what a crash in the middle of an apply left, and puts back what was written', async () => {
    const root = await applied(1, 2, 3);
    // As after a crash before the second file and the review were written.
    await writeFiles(root, { 'b.txt': files['b.txt'] });
    await rm(join(storePaths(root).proposal(id), 'review.json'));
    expect((await undoApplied(root, id)).files).toEqual(['a.txt']);
    expect(await read(root, 'a.txt')).toBe(files['a.txt']);
    expect((await hunkStates(root, id)).map((one) => one.state)).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('changes nothing when one of the files was changed since', async () => {
    const root = await applied(1, 2, 3);
    await writeFiles(root, { 'b.txt': 'mine\n' });
    await expect(undoApplied(root, id)).rejects.toThrow(/b\.txt was changed since/);
    expect(await read(root, 'a.txt')).toBe('1\ntwo\n3\n');
    expect(await canUndo(root, id)).toBe(true);
  });

  it('names what is damaged', async () => {
    const root = await applied(1);
    const folder = join(storePaths(root).proposal(id), 'undo/1');
    await writeFile(join(folder, 'before/a.txt'), 'something else');
    await expect(undoApplied(root, id)).rejects.toMatchObject({ code: 'undo-damaged' });
    await writeFile(join(folder, 'entry.json'), '{"at": 1}');
    await expect(undoApplied(root, id)).rejects.toThrow(/entry\.json is not as expected: at/);
    // An entry that was cut off before any file was written is none.
    await rm(join(folder, 'entry.json'));
    expect(await canUndo(root, id)).toBe(false);
  });

  it('does not delete a branch with further commits', async () => {
    const root = await temporaryRepository(files);
    await storeProposal(root, [decision('d1', replace('a.txt', 'one', '1'))]);
    await decideHunks(root, id, [1], 'accepted', 'tester');
    const { branch } = await applyAccepted(root, id, 'branch');
    await git(root, ['checkout', '-q', branch!]);
    await writeFiles(root, { 'more.txt': 'more\n' });
    await commitAll(root, 'more');
    await expect(undoApplied(root, id)).rejects.toMatchObject({ code: 'branch-checked-out' });
    await git(root, ['checkout', '-q', 'main']);
    await expect(undoApplied(root, id)).rejects.toMatchObject({ code: 'branch-moved' });
    expect((await git(root, ['rev-parse', branch!])).stdout.trim()).not.toBe(await head(root));
  });

  it('gives back the bytes of any text, in any order of applies', async () => {
    const line = fc.constantFrom('', '\t', 'x', ' y ', '}');
    const ending = fc.constantFrom('\n', '\r\n');
    const texts = fc.tuple(fc.array(fc.tuple(line, ending), { minLength: 4, maxLength: 8 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(texts, fc.shuffledSubarray([1, 2, 3], { minLength: 1 }), async ([lines, mark], order) => {
        const numbered = lines.map(([start, end], index) => `${start}<${index}>${end}`).join('');
        const text = mark ? `\uFEFF${numbered}` : numbered;
        const root = await temporaryFolder({ 'f.txt': text });
        await storeProposal(root, [
          decision('d1', replace('f.txt', '<0>', '<zero>')),
          decision('d2', replace('f.txt', '<1>', '<1>\nadded\n'), replace('f.txt', '<3>', '')),
        ]);
        for (const number of order) {
          await decideHunks(root, id, [number], 'accepted', 'tester');
          await applyAccepted(root, id, 'workingTree');
        }
        expect(await read(root, 'f.txt')).not.toBe(text);
        for (const _ of order) await undoApplied(root, id);
        expect(await read(root, 'f.txt')).toBe(text);
      }),
      { numRuns: 15 },
    );
  });
});
