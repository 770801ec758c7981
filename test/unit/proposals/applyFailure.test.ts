import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { applyAccepted, canUndo, decideHunks, reviewOf } from '../../../src/core/proposals';
import { decision, replace } from './sampleProposal';
import { storeProposal, temporaryFolder } from './temporaryHarness';

const disk = vi.hoisted(() => ({ full: undefined as string | undefined }));

vi.mock('../../../src/core/store', async (original) => {
  const store = await original<typeof import('../../../src/core/store')>();
  const writeFileAtomic: typeof store.writeFileAtomic = async (file, data) => {
    if (file === disk.full) throw new Error('no space left on device');
    await store.writeFileAtomic(file, data);
  };
  return { ...store, writeFileAtomic };
});

it('gives the other files their content back when one cannot be written', async () => {
  const root = await temporaryFolder({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  await storeProposal(root, [
    decision('d1', replace('a.txt', 'a', 'A'), { file: 'new.txt', action: 'create', oldText: '', newText: 'n\n' }),
    decision('d2', replace('b.txt', 'b', 'B')),
  ]);
  await decideHunks(root, 'p-00c0ffee', [1, 2, 3], 'accepted', 'tester');
  disk.full = join(root, 'b.txt');
  // The fault is of the first try only, so that b.txt can be put back like the others.
  const failing = applyAccepted(root, 'p-00c0ffee', 'workingTree').finally(() => {
    disk.full = undefined;
  });
  await expect(failing).rejects.toThrow('no space left');
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n');
  expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('b\n');
  await expect(stat(join(root, 'new.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await canUndo(root, 'p-00c0ffee')).toBe(false);
  expect((await reviewOf(root, 'p-00c0ffee')).hunks['1']!.state).toBe('accepted');

  expect((await applyAccepted(root, 'p-00c0ffee', 'workingTree')).hunks).toEqual([1, 2, 3]);
});
