import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  decideHunks,
  hunkStates,
  listProposals,
  loadProposal,
  openProposal,
  reviewOf,
  setEdited,
} from '../../../src/core/proposals';
import { Ledger, storePaths } from '../../../src/core/store';
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

describe('the proposal store', () => {
  it('gives back what was saved, with base and proposed texts beside it', async () => {
    const root = await stored();
    const { proposal, hunks, baseTexts } = await openProposal(root, id);
    expect(proposal.decisions.map((one) => one.id)).toEqual(['d1', 'd2']);
    expect(hunks.map((hunk) => hunk.number)).toEqual([1, 2, 3]);
    expect(baseTexts.get('a.txt')).toBe('one\ntwo\nthree\nfour\nfive\n');
    expect(await readFile(join(storePaths(root).proposal(id), 'proposed/a.txt'), 'utf8')).toBe('1\ntwo\n3\nfour\n5\n');
  });

  it.each(['../../etc', 'p-1', 'p-00C0FFEE', 'p-00c0ffee/..', ''])('takes %j for no id', async (wrong) => {
    await expect(loadProposal(await stored(), wrong)).rejects.toMatchObject({ code: 'proposal-id-invalid' });
  });

  it('lists damaged proposals with the file and the place, and the others all the same', async () => {
    const root = await stored();
    const good = await loadProposal(root, id);
    await storeProposal(root, good.decisions, { id: 'p-00000bad', title: 'second' });
    const file = join(storePaths(root).proposal('p-00000bad'), 'proposal.json');
    await writeFile(file, JSON.stringify({ ...good, id: 'p-00000bad', decisions: 'none' }));
    const list = await listProposals(root);
    expect(list.proposals.map((one) => one.id)).toEqual([id]);
    expect(list.damaged).toEqual([
      { id: 'p-00000bad', message: expect.stringContaining(`${file} is not as expected: decisions`) },
    ]);
    expect(await listProposals(await temporaryFolder())).toEqual({ proposals: [], damaged: [] });
  });

  it('refuses a stored proposal whose paths lead outside or whose base was changed', async () => {
    const root = await stored();
    const folder = storePaths(root).proposal(id);
    const good = await loadProposal(root, id);
    await writeFile(join(folder, 'base/a.txt'), 'something else');
    await expect(openProposal(root, id)).rejects.toThrow(/a\.txt.*base text is missing or was changed/);
    const evil = { ...good, decisions: [decision('d1', replace('../../../x', 'a', 'b'))] };
    await writeFile(join(folder, 'proposal.json'), JSON.stringify(evil));
    await expect(loadProposal(root, id)).rejects.toThrow(/outside the repository/);
  });
});

describe('decideHunks', () => {
  it('keeps decisions with who and why, and enters them in the ledger', async () => {
    const root = await stored();
    await decideHunks(root, id, [1, 3], 'accepted', 'ann');
    await decideHunks(root, id, [2], 'rejected', 'bob', 'too long');
    const { hunks } = await reviewOf(root, id);
    expect(hunks['1']).toMatchObject({ state: 'accepted', by: 'ann' });
    expect(hunks['2']).toMatchObject({ state: 'rejected', by: 'bob', reason: 'too long' });
    expect((await hunkStates(root, id)).map((one) => one.state)).toEqual(['accepted', 'rejected', 'accepted']);
    const { entries } = await (await Ledger.open(root)).read();
    expect(entries.slice(1)).toMatchObject([
      { kind: 'decision', by: 'ann', hunks: [1, 3], state: 'accepted' },
      { kind: 'decision', by: 'bob', hunks: [2], state: 'rejected', reason: 'too long' },
    ]);
  });

  it('decides all of the numbers or none', async () => {
    const root = await stored();
    await expect(decideHunks(root, id, [1, 9], 'accepted', 'ann')).rejects.toThrow(/no hunk 9.*hunks 1 to 3/);
    await expect(decideHunks(root, id, [], 'accepted', 'ann')).rejects.toThrow(/No hunk was named/);
    expect((await reviewOf(root, id)).hunks).toEqual({});
  });

  it('loses nothing when two windows decide at once', async () => {
    const root = await stored();
    await Promise.all([1, 2, 3].map((number) => decideHunks(root, id, [number], 'accepted', `window ${number}`)));
    expect(Object.keys((await reviewOf(root, id)).hunks)).toEqual(['1', '2', '3']);
  });

  it('names the file and the place when the review cannot be read', async () => {
    const root = await stored();
    const file = join(storePaths(root).proposal(id), 'review.json');
    await writeFile(file, '{"schemaVersion": 1, "proposal": "x", "hunks": {"1": {"state": "maybe"}}}');
    await expect(decideHunks(root, id, [1], 'accepted', 'ann')).rejects.toThrow(/review\.json.*hunks\.1\.state/);
    expect(await readFile(file, 'utf8')).toContain('maybe');
  });
});

describe('setEdited', () => {
  it('keeps and forgets the text of a proposed file, and no other', async () => {
    const root = await stored();
    expect((await setEdited(root, id, 'a.txt', 'mine')).edited).toEqual({ 'a.txt': 'mine' });
    expect((await setEdited(root, id, 'a.txt', null)).edited).toEqual({});
    await expect(setEdited(root, id, 'b.txt', 'x')).rejects.toMatchObject({ code: 'file-not-proposed' });
  });
});
