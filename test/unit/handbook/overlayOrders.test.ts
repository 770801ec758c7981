/** Edits of people in every order: what is said last holds, and what is taken back leaves no trace. */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type BehaviourMap,
  describeUnit,
  loadOverlay,
  mergeUnits,
  moveMember,
  moveUnit,
  pinUnit,
  removeOrphan,
  renameUnit,
  saveOverlay,
  undoOverlay,
  unmergeUnit,
} from '../../../src/core/handbook';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let pebble: BuiltHarness;
let derived: BehaviourMap;
beforeAll(async () => {
  pebble = await builtFixture('pebble');
  derived = pebble.map;
});
afterAll(() => pebble.remove());
beforeEach(async () => {
  await rm(join(pebble.folder, '.harnessmith', 'cache', 'handbook-undo.json'), { force: true });
  await saveOverlay(pebble.harness, { schemaVersion: 1, units: {} });
  pebble = await pebble.rebuild();
});

const retry = 'unit:retry:pebble/model.py#ChatModel';
const cut = 'pebble/environment.py#truncate_output';
const unit = (id: string) => pebble.map.units.find((one) => one.id === id);
const other = (kind: string) => derived.units.find((one) => one.kind === kind)?.id ?? '';

async function edit(change: (target: { root: string; map: BehaviourMap }) => Promise<void>): Promise<void> {
  await change({ root: pebble.folder, map: pebble.map });
  pebble = await pebble.rebuild();
}

/** What a reader sees, apart from how the entries were placed. */
const seen = (map: BehaviourMap) => ({ units: map.units, stages: map.stages, counts: map.counts });

type Edit = [name: string, change: (target: { root: string; map: BehaviourMap }) => Promise<void>];
const independent = (): Edit[] => [
  ['name', (at) => renameUnit(at, retry, 'Patience')],
  ['describe', (at) => describeUnit(at, other('termination'), 'Ends the run.')],
  ['stage', (at) => moveUnit(at, retry, 'finish')],
  ['member', (at) => moveMember(at, cut, other('exec_boundary'))],
  ['merge', (at) => mergeUnits(at, other('format_error') || other('response_parse'), other('model_call'))],
  ['pin', (at) => pinUnit(at, other('entry'), true)],
];

describe('edits of different things', () => {
  it('give the same handbook in every order', async () => {
    for (const [, change] of independent()) await edit(change);
    const expected = seen(pebble.map);
    const { units: file } = await loadOverlay(pebble.harness);
    const orders = fc.shuffledSubarray(independent(), { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        await saveOverlay(pebble.harness, { schemaVersion: 1, units: {} });
        pebble = await pebble.rebuild();
        for (const [, change] of order) await edit(change);
        expect(seen(pebble.map)).toEqual(expected);
        const said = Object.entries((await loadOverlay(pebble.harness)).units);
        expect(said.map(([key, { symbols: _symbols, ...rest }]) => [key, rest])).toEqual(
          Object.entries(file).map(([key, { symbols: _symbols, ...rest }]) => [key, rest]),
        );
      }),
      { numRuns: 4 },
    );
  });

  it('are undone in the reverse order, each giving what was before it', async () => {
    const before = [seen(pebble.map)];
    for (const [, change] of independent()) {
      await edit(change);
      before.push(seen(pebble.map));
    }
    for (let at = before.length - 2; at >= 0; at--) {
      expect(await undoOverlay(pebble.folder)).not.toBeNull();
      pebble = await pebble.rebuild();
      expect(seen(pebble.map)).toEqual(before[at]);
    }
    expect(await undoOverlay(pebble.folder)).toBeNull();
    expect(seen(pebble.map)).toEqual(seen(derived));
  });
});

describe('moving and merging the same things', () => {
  it('a definition that moved twice is where it was put last, and back with null', async () => {
    await edit((at) => moveMember(at, cut, retry));
    await edit((at) => moveMember(at, cut, other('model_call')));
    expect(pebble.map.units.filter((one) => one.members.includes(cut)).map((one) => one.id)).toEqual([
      other('model_call'),
    ]);
    expect(unit(retry)?.members).toEqual(derived.units.find((one) => one.id === retry)?.members);
    await edit((at) => moveMember(at, cut, null));
    expect(seen(pebble.map)).toEqual(seen(derived));
    expect(await loadOverlay(pebble.harness)).toEqual({ schemaVersion: 1, units: {} });
  });

  it('a definition moved into a unit that is merged afterwards goes with it, and stays when it is separated', async () => {
    await edit((at) => moveMember(at, cut, retry));
    await edit((at) => mergeUnits(at, retry, other('model_call')));
    expect(unit(other('model_call'))?.members).toContain(cut);
    expect(unit(retry)).toBeUndefined();
    await edit((at) => unmergeUnit(at, retry));
    expect(unit(retry)?.members).toContain(cut);
    expect(unit(other('model_call'))?.members).not.toContain(cut);
  });

  it('a name given before a merge is back after the unmerge, and the name of the whole stays its own', async () => {
    await edit((at) => renameUnit(at, retry, 'Patience'));
    await edit((at) => mergeUnits(at, retry, other('model_call')));
    expect(unit(other('model_call'))?.title).not.toBe('Patience');
    await edit((at) => renameUnit(at, other('model_call'), 'Talking to the model'));
    await edit((at) => unmergeUnit(at, retry));
    expect([unit(retry)?.title, unit(other('model_call'))?.title]).toEqual(['Patience', 'Talking to the model']);
  });

  it('a unit whose only definition leaves is gone, its words wait, and nothing points to it', async () => {
    const owner = derived.units.find((one) => one.members.includes(cut))?.id ?? '';
    await edit((at) => renameUnit(at, owner, 'Scissors'));
    await edit((at) => moveMember(at, cut, retry));
    const gone = unit(owner) === undefined;
    expect(gone).toBe(true);
    const ids = new Set(pebble.map.units.map((one) => one.id));
    for (const one of pebble.map.units) for (const id of [...one.calls, ...one.callers]) expect(ids).toContain(id);
    expect((await loadOverlay(pebble.harness)).units[owner]?.title).toBe('Scissors');
    await edit((at) => moveMember(at, cut, null));
    expect(unit(owner)?.title).toBe('Scissors');
  });

  it('a merge into a unit that is itself merged ends in the last one, in whatever order they were made', async () => {
    const [a, b, c] = [retry, other('truncation'), other('model_call')];
    for (const order of [
      [
        [a, b],
        [b, c],
      ],
      [
        [b, c],
        [a, c],
      ],
    ] as const) {
      await saveOverlay(pebble.harness, { schemaVersion: 1, units: {} });
      pebble = await pebble.rebuild();
      for (const [from, into] of order) await edit((at) => mergeUnits(at, from, into));
      expect(pebble.map.overlay?.merged).toEqual({ [a]: c, [b]: c });
    }
  });
});

describe('after renames in the source', () => {
  const chat = () => join(pebble.folder, 'pebble/chat.py');
  const model = () => join(pebble.folder, 'pebble/model.py');

  it('words, stage, pin and a moved definition all follow, and go back with the file', async () => {
    await edit((at) => renameUnit(at, retry, 'Patience'));
    await edit((at) => moveUnit(at, retry, 'finish'));
    await edit((at) => pinUnit(at, retry, true));
    await edit((at) => moveMember(at, cut, retry));
    const before = seen(pebble.map);
    await rename(model(), chat());
    pebble = await pebble.rebuild();
    const found = pebble.map.units.find((one) => one.title === 'Patience');
    expect(found).toMatchObject({ stage: 'finish', pinned: true });
    expect(found?.members).toContain(cut);
    expect(pebble.map.overlay?.orphans).toEqual([]);
    await rename(chat(), model());
    pebble = await pebble.rebuild();
    expect(seen(pebble.map)).toEqual(before);
  });

  it('an edit under the new id leaves no entry under the old one, and what referred to it follows', async () => {
    await edit((at) => mergeUnits(at, other('truncation'), retry));
    await edit((at) => moveMember(at, 'pebble/agent.py#Agent.format_observation', retry));
    await rename(model(), chat());
    pebble = await pebble.rebuild();
    const now = pebble.map.overlay?.placed[retry] ?? '';
    expect(now).toContain('chat.py');
    await edit((at) => renameUnit(at, now, 'Patience'));
    const { units, members } = await loadOverlay(pebble.harness);
    expect(Object.keys(units)).not.toContain(retry);
    expect(units[other('truncation')]?.mergedInto).toBe(now);
    expect(Object.values(members ?? {}).map((member) => member.unit)).toEqual([now]);
    expect(pebble.map.overlay?.orphans).toEqual([]);
    await rename(chat(), model());
    pebble = await pebble.rebuild();
  });

  it('orphans are kept until a person removes them, one by one, and that can be undone', async () => {
    const units = Object.fromEntries(
      ['a', 'b'].map((name) => [
        `unit:retry:gone/${name}.py#X`,
        { by: 'person' as const, title: name, symbols: [`gone/${name}.py#X`] },
      ]),
    );
    await saveOverlay(pebble.harness, { schemaVersion: 1, units });
    pebble = await pebble.rebuild();
    expect(pebble.map.overlay?.orphans.map((one) => one.title)).toEqual(['a', 'b']);
    await edit((at) => renameUnit(at, retry, 'Patience'));
    expect(pebble.map.overlay?.orphans.map((one) => one.title)).toEqual(['a', 'b']);
    await edit((at) => removeOrphan(at, 'unit:retry:gone/a.py#X'));
    expect(pebble.map.overlay?.orphans.map((one) => one.title)).toEqual(['b']);
    expect(await undoOverlay(pebble.folder)).toContain('Remove');
    expect(Object.keys((await loadOverlay(pebble.harness)).units)).toContain('unit:retry:gone/a.py#X');
  });
});

describe('the texts of a person', () => {
  it('become one line, lose what is around them, and are refused when too long for a card', async () => {
    await edit((at) => describeUnit(at, retry, '  One.\n\n\tTwo.\u00a0 '));
    expect(unit(retry)?.summary).toBe('One. Two.');
    const at = { root: pebble.folder, map: pebble.map };
    await expect(describeUnit(at, retry, 'word '.repeat(151))).rejects.toThrow('151 words; 150 fit');
    await expect(describeUnit(at, retry, 'x'.repeat(1_501))).rejects.toThrow('1501 characters; 1500 fit');
    expect((await loadOverlay(pebble.harness)).units[retry]?.description).toBe('One. Two.');
  });

  it('that change nothing are no edit: nothing to undo, the file as it was', async () => {
    await edit((at) => renameUnit(at, retry, 'Patience'));
    await edit((at) => renameUnit(at, retry, 'Patience'));
    expect(await undoOverlay(pebble.folder)).toContain('Rename');
    expect((await loadOverlay(pebble.harness)).units).toEqual({});
    expect(await undoOverlay(pebble.folder)).toBeNull();
  });
});
