import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProgramGraph } from '../../../src/core/graph';
import {
  type BehaviourMap,
  describeUnit,
  HandbookOverlay,
  isForeignFile,
  isTestFile,
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
import { overlayText } from '../../../src/core/handbook/overlay';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let pebble: BuiltHarness;
beforeEach(async () => {
  pebble = await builtFixture('pebble');
});
afterEach(() => pebble.remove());

const retry = 'unit:retry:pebble/model.py#ChatModel';
const target = () => ({ root: pebble.folder, map: pebble.map });
const unit = (map: BehaviourMap, id: string) => map.units.find((one) => one.id === id);

/** Every function of code that is part of the map has one home, and every unit has a site. */
function expectOneHome(map: BehaviourMap, graph: ProgramGraph): void {
  const homes = new Map<string, number>();
  for (const { members } of map.units) for (const id of members) homes.set(id, (homes.get(id) ?? 0) + 1);
  for (const node of graph.functions()) {
    if (!isTestFile(node.file) && !isForeignFile(node.file))
      expect([node.id, homes.get(node.id)]).toEqual([node.id, 1]);
  }
  for (const [id, count] of homes) expect([id, count]).toEqual([id, 1]);
  for (const one of map.units) expect(one.sites.length).toBeGreaterThan(0);
  const ids = new Set(map.units.map((one) => one.id));
  for (const one of map.units)
    for (const id of [...one.calls, ...one.callers, ...(one.mayCall ?? [])]) expect(ids).toContain(id);
  const placed = map.stages.flatMap((stage) => stage.units);
  expect(placed.slice().sort()).toEqual([...ids].sort());
}

async function rebuilt(): Promise<BehaviourMap> {
  pebble = await pebble.rebuild();
  expectOneHome(pebble.map, pebble.graph);
  return pebble.map;
}

describe('words of a person', () => {
  it('stand on the derived map, in the sentences about other units too, and are taken back with null', async () => {
    const derived = pebble.map;
    await renameUnit(target(), retry, '  Try the  model again ');
    await describeUnit(target(), retry, 'Waits and asks once more.');
    const map = await rebuilt();
    expect(unit(map, retry)).toMatchObject({
      title: 'Try the model again',
      summary: 'Waits and asks once more.',
      edited: 'person',
      words: { title: 'person', summary: 'person' },
    });
    expect(map.units.some((one) => one.summary.includes('Calls Try the model again'))).toBe(true);
    await renameUnit(target(), retry, null);
    await describeUnit(target(), retry, '');
    expect(await rebuilt()).toEqual(derived);
    expect((await loadOverlay(pebble.harness)).units).toEqual({});
  });

  it('pin a unit to the top of what a stage lists without order', async () => {
    const stage = pebble.map.stages.find((one) => one.units.length > 3 && one.kind !== 'loop');
    const last = stage?.units.at(-1) ?? '';
    await pinUnit(target(), last, true);
    const map = await rebuilt();
    expect(unit(map, last)?.pinned).toBe(true);
    expect(map.stages.find((one) => one.id === stage?.id)?.units[0]).toBe(last);
    await pinUnit(target(), last, false);
    expect(unit(await rebuilt(), last)?.pinned).toBeUndefined();
  });

  it('are refused where they say nothing that exists', async () => {
    await expect(renameUnit(target(), 'unit:none', 'x')).rejects.toThrow('There is no unit unit:none.');
    await expect(renameUnit(target(), retry, 'x'.repeat(121))).rejects.toThrow('121 characters');
    await expect(moveUnit(target(), retry, 'nowhere')).rejects.toThrow('There is no stage nowhere.');
    await expect(moveMember(target(), 'pebble/none.py#f', retry)).rejects.toThrow('No unit owns');
    await expect(mergeUnits(target(), retry, retry)).rejects.toThrow('into itself');
    await expect(mergeUnits(target(), pebble.map.loops[0] ?? '', retry)).rejects.toThrow('agent loop');
    await expect(unmergeUnit(target(), retry)).rejects.toThrow('is not merged');
    await expect(removeOrphan(target(), retry)).rejects.toThrow('not an orphaned entry');
    expect((await loadOverlay(pebble.harness)).units).toEqual({});
  });
});

describe('moving and merging', () => {
  it('moves a unit to a stage of the map, or to one that had none', async () => {
    await moveUnit(target(), retry, 'finish');
    const map = await rebuilt();
    expect(map.stages.filter((stage) => stage.units.includes(retry)).map((stage) => stage.id)).toEqual(['finish']);
    await moveUnit(target(), retry, null);
    expect(unit(await rebuilt(), retry)?.stage).toBe('side_flow');
  });

  it('gives a function another home and computes the relations again', async () => {
    const id = 'pebble/environment.py#truncate_output';
    const from = pebble.map.units.find((one) => one.members.includes(id));
    const into = pebble.map.units.find((one) => one.kind === 'exec_boundary');
    await moveMember(target(), id, into?.id ?? '');
    const map = await rebuilt();
    expect(unit(map, into?.id ?? '')?.members).toContain(id);
    expect(unit(map, into?.id ?? '')?.sites.some((site) => site.symbol === 'truncate_output')).toBe(true);
    // It owned nothing else: a unit without members is no unit.
    expect(unit(map, from?.id ?? '')).toBeUndefined();
    expect(map.units.some((one) => one.calls.includes(from?.id ?? ''))).toBe(false);
    await moveMember(target(), id, null);
    expect(unit(await rebuilt(), from?.id ?? '')?.members).toEqual([id]);
  });

  it('keeps the place of what stays when a method leaves its class', async () => {
    const owner = pebble.map.units.find((one) => one.members.length > 3 && one.members.some((id) => id.includes('.')));
    const method = owner?.members.find((id) => pebble.graph.node(id)?.kind === 'method') ?? '';
    await moveMember(target(), method, retry);
    const map = await rebuilt();
    expect(unit(map, owner?.id ?? '')?.members).not.toContain(method);
    expect(unit(map, retry)?.members).toContain(method);
    expect(map.counts.assignedLines).toBe(pebble.map.counts.assignedLines);
  });

  it('makes a unit a part of another one, also in a chain, and separates it again', async () => {
    const [a, b, c] = pebble.map.units.filter((one) => one.members.length > 0 && one.kind !== 'main_loop');
    const before = pebble.map;
    await mergeUnits(target(), a?.id ?? '', b?.id ?? '');
    await rebuilt();
    await mergeUnits(target(), b?.id ?? '', c?.id ?? '');
    const map = await rebuilt();
    expect(map.units).toHaveLength(before.units.length - 2);
    expect(unit(map, c?.id ?? '')?.members).toEqual(
      expect.arrayContaining([...(a?.members ?? []), ...(b?.members ?? []), ...(c?.members ?? [])]),
    );
    expect(map.overlay?.merged).toEqual({ [a?.id ?? '']: c?.id, [b?.id ?? '']: c?.id });
    expect(map.notFound).toEqual(before.notFound);
    await unmergeUnit(target(), b?.id ?? '');
    const between = await rebuilt();
    expect(between.overlay?.merged).toEqual({ [a?.id ?? '']: b?.id });
    await unmergeUnit(target(), a?.id ?? '');
    const after = await rebuilt();
    expect(after.units).toEqual(before.units);
  });

  it('lists two units that are each merged into the other, and keeps both', async () => {
    const [a, b] = pebble.map.units.filter((one) => one.kind !== 'main_loop').map((one) => one.id) as [string, string];
    const units = { [a]: { by: 'person' as const, mergedInto: b }, [b]: { by: 'person' as const, mergedInto: a } };
    await saveOverlay(pebble.harness, { schemaVersion: 1, units });
    const map = await rebuilt();
    expect(map.overlay?.orphans).toEqual([expect.objectContaining({ why: expect.stringContaining('into the other') })]);
    expect(Object.keys(map.overlay?.merged ?? {})).toHaveLength(1);
  });
});

describe('after the source has changed', () => {
  it('finds a unit again by the symbols it owned, and goes on under its new id', async () => {
    await renameUnit(target(), retry, 'Patience');
    const old = retry;
    await rename(join(pebble.folder, 'pebble', 'model.py'), join(pebble.folder, 'pebble', 'chat.py'));
    const map = await rebuilt();
    const found = map.units.find((one) => one.title === 'Patience');
    expect(found?.id).toContain('pebble/chat.py#');
    expect(map.overlay?.placed).toEqual({ [old]: found?.id });
    await describeUnit(target(), found?.id ?? '', 'Waits.');
    expect(Object.keys((await loadOverlay(pebble.harness)).units)).toEqual([found?.id]);
    expect(unit(await rebuilt(), found?.id ?? '')).toMatchObject({ title: 'Patience', summary: 'Waits.' });
  });

  it('lists words of a unit that is gone, keeps them in the file, and takes them up when it comes back', async () => {
    await renameUnit(target(), retry, 'Patience');
    const file = join(pebble.folder, 'pebble', 'model.py');
    const text = await readFile(file, 'utf8');
    await rm(file);
    const map = await rebuilt();
    expect(map.overlay?.orphans).toEqual([
      { key: retry, title: 'Patience', why: 'the source has no such unit any more' },
    ]);
    await writeFile(file, text);
    expect(unit(await rebuilt(), retry)?.title).toBe('Patience');
    await rm(file);
    await rebuilt();
    await removeOrphan(target(), retry);
    expect((await loadOverlay(pebble.harness)).units).toEqual({});
  });

  it('leaves out what a model said about another text of the unit, and says so', async () => {
    const words = { description: 'Retries five times.', title: 'Again', model: 'm', at: '2026-01-01', text: 'other' };
    await saveOverlay(pebble.harness, { schemaVersion: 1, units: { [retry]: { by: 'model', model: words } } });
    const found = unit(await rebuilt(), retry);
    expect(found?.summary).not.toContain('five');
    expect(found).toMatchObject({ title: 'Again', edited: 'model', words: { title: 'model', outdated: true } });
  });
});

describe('undo', () => {
  it('takes changes back one after the other, until there is none', async () => {
    await renameUnit(target(), retry, 'One');
    await renameUnit(target(), retry, 'Two');
    await moveMember(target(), 'pebble/environment.py#truncate_output', retry);
    expect(await undoOverlay(pebble.folder)).toContain('truncate_output');
    expect((await loadOverlay(pebble.harness)).members).toBeUndefined();
    await undoOverlay(pebble.folder);
    expect((await loadOverlay(pebble.harness)).units[retry]?.title).toBe('One');
    await undoOverlay(pebble.folder);
    expect((await loadOverlay(pebble.harness)).units).toEqual({});
    expect(await undoOverlay(pebble.folder)).toBeNull();
  });

  it('takes nothing back that somebody else changed since', async () => {
    await renameUnit(target(), retry, 'One');
    const other = { [retry]: { by: 'person' as const, title: 'Theirs' } };
    await saveOverlay(pebble.harness, { schemaVersion: 1, units: other });
    await expect(undoOverlay(pebble.folder)).rejects.toThrow('was changed again since');
    expect((await loadOverlay(pebble.harness)).units).toEqual(other);
  });
});

describe('the file', () => {
  it('loses no change of two windows that edit at once', async () => {
    const ids = pebble.map.units.slice(0, 12).map((one) => one.id);
    await Promise.all(ids.map((id, index) => renameUnit(target(), id, `Title ${index}`)));
    const { units } = await loadOverlay(pebble.harness);
    expect(ids.map((id) => units[id]?.title)).toEqual(ids.map((_, index) => `Title ${index}`));
  });

  it('is merged by git when two people edit different units', async () => {
    const ids = pebble.map.units.map((one) => one.id).sort();
    const entry = (title: string) => ({ by: 'person' as const, title, symbols: ['a', 'b'] });
    const all = Object.fromEntries(ids.slice(0, 9).map((id) => [id, entry('before')]));
    const [first, , , , fifth, , , eighth] = ids as string[] as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const text = (units: HandbookOverlay['units']) => overlayText({ schemaVersion: 1, units });
    const without = Object.fromEntries(Object.entries(all).filter(([id]) => id !== fifth));
    const folder = await mkdtemp(join(tmpdir(), 'harnessmith-merge-'));
    // One renames the first unit and adds the fifth; the other renames the eighth.
    const versions = {
      base: text(without),
      ours: text({ ...all, [first]: entry('ours'), [fifth]: entry('added') }),
      theirs: text({ ...without, [eighth]: entry('theirs') }),
    };
    for (const [name, content] of Object.entries(versions)) await writeFile(join(folder, name), content);
    const merged = spawnSync('git', ['merge-file', '-p', 'ours', 'base', 'theirs'], { cwd: folder, encoding: 'utf8' });
    expect(merged.status).toBe(0);
    const { units } = HandbookOverlay.parse(JSON.parse(merged.stdout));
    expect([first, fifth, eighth].map((id) => units[id]?.title)).toEqual(['ours', 'added', 'theirs']);
    await rm(folder, { recursive: true });
  });

  it('names the place of a mistake', async () => {
    await mkdir(join(pebble.folder, '.harnessmith'), { recursive: true });
    await writeFile(
      join(pebble.folder, '.harnessmith', 'handbook.json'),
      JSON.stringify({ schemaVersion: 1, units: { x: { titel: 'typo', by: 'person' } } }),
    );
    await expect(loadOverlay(pebble.harness)).rejects.toThrow(/handbook\.json.*units.*x/s);
    await expect(renameUnit(target(), retry, 'x')).rejects.toThrow(/handbook\.json/);
  });
});
