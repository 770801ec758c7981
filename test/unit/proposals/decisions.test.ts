import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyAccepted, type DecidedState, decideHunks, reviewOf, undoApplied } from '../../../src/core/proposals';
import { acquireLock, Ledger, storePaths } from '../../../src/core/store';
import { decision, replace } from './sampleProposal';
import { storeProposal, temporaryFolder } from './temporaryHarness';

const id = 'p-00c0ffee';

async function stored() {
  const root = await temporaryFolder({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' });
  await storeProposal(root, [
    decision('d1', replace('a.txt', 'one', '1'), replace('a.txt', 'three', '3')),
    decision('d2', replace('a.txt', 'five', '5')),
  ]);
  return root;
}

describe('a sequence of decisions', () => {
  it('leaves each hunk in its last state, and all of them in the ledger', async () => {
    const step = fc.record({
      numbers: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { minLength: 1 }),
      state: fc.constantFrom<DecidedState>('open', 'accepted', 'rejected'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const root = await stored();
        const expected: Record<string, string> = {};
        for (const { numbers, state } of steps) {
          await decideHunks(root, id, numbers, state, 'ann');
          for (const number of numbers) expected[number] = state;
        }
        const { hunks } = await reviewOf(root, id);
        expect(Object.fromEntries(Object.entries(hunks).map(([number, { state }]) => [number, state]))).toEqual(
          expected,
        );
        const { entries } = await (await Ledger.open(root)).read();
        expect(entries.filter((entry) => entry.kind === 'decision')).toMatchObject(
          steps.map(({ numbers, state }) => ({ hunks: numbers, state })),
        );
      }),
      { numRuns: 15 },
    );
  });

  it('cannot change what is applied, until that is undone', async () => {
    const root = await stored();
    await decideHunks(root, id, [1], 'accepted', 'ann');
    await applyAccepted(root, id, 'workingTree');
    await expect(decideHunks(root, id, [2, 1], 'rejected', 'ann')).rejects.toMatchObject({ code: 'hunk-applied' });
    expect((await reviewOf(root, id)).hunks['2']).toBeUndefined();
    await undoApplied(root, id);
    await decideHunks(root, id, [2, 1], 'rejected', 'ann');
    expect((await reviewOf(root, id)).hunks['1']!.state).toBe('rejected');
  });

  it('stays with one target until it is undone', async () => {
    const root = await stored();
    await decideHunks(root, id, [1, 2], 'accepted', 'ann');
    await applyAccepted(root, id, 'workingTree');
    await decideHunks(root, id, [3], 'accepted', 'ann');
    await expect(applyAccepted(root, id, 'branch')).rejects.toMatchObject({ code: 'applied-elsewhere' });
  });
});

describe('the lock of a review', () => {
  it('is waited for while another window holds it', async () => {
    const root = await stored();
    const lock = await acquireLock(join(storePaths(root).proposal(id), 'review.lock'), { owner: 'another window' });
    let decided = false;
    const deciding = decideHunks(root, id, [1], 'accepted', 'ann').then(() => {
      decided = true;
    });
    await new Promise((done) => setTimeout(done, 100));
    expect(decided).toBe(false);
    await lock.release();
    await deciding;
    expect((await reviewOf(root, id)).hunks['1']!.state).toBe('accepted');
  });

  it('of a window that was killed is taken over', async () => {
    const root = await stored();
    const file = join(storePaths(root).proposal(id), 'review.lock');
    const script = join(root, 'hold.mjs');
    await writeFile(script, 'process.send("started"); setInterval(() => {}, 1000);');
    const child = fork(script);
    await once(child, 'message');
    const { hostname } = await import('node:os');
    const owner = { owner: 'killed window', pid: child.pid, host: hostname(), since: new Date().toISOString() };
    await writeFile(file, JSON.stringify(owner));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await decideHunks(root, id, [1], 'accepted', 'ann');
    expect((await reviewOf(root, id)).hunks['1']!.by).toBe('ann');
  });
});
