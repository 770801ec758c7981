/** `handbook.json` on two branches of a real repository: what git merges alone, and what it leaves to people. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkHandbook,
  describeUnit,
  loadOverlay,
  mergeUnits,
  moveMember,
  moveUnit,
  pinUnit,
  renameUnit,
  undoOverlay,
} from '../../../src/core/handbook';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';
import { gitIn } from './handmade';

let pebble: BuiltHarness;
const retry = 'unit:retry:pebble/model.py#ChatModel';
const cut = 'pebble/environment.py#truncate_output';
const at = () => ({ root: pebble.folder, map: pebble.map });
const overlay = () => join(pebble.folder, '.harnessmith', 'handbook.json');
const git = (...args: string[]) => gitIn(pebble.folder, ...args);
const unit = (id: string) => pebble.map.units.find((one) => one.id === id);

beforeEach(async () => {
  pebble = await builtFixture('pebble');
  git('init', '-q', '-b', 'main');
  await writeFile(join(pebble.folder, '.gitignore'), '.harnessmith/cache/\n*.lock\n');
  save('begin');
});
afterEach(() => pebble.remove());

function save(message: string): void {
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

/** Runs each edit on a branch of its own and merges the second into the first. Returns whether git could do it alone. */
async function mergedBranches(ours: () => Promise<void>, theirs: () => Promise<void>): Promise<boolean> {
  const base = git('rev-parse', 'HEAD').trim();
  for (const [branch, edit] of [
    ['ours', ours],
    ['theirs', theirs],
  ] as const) {
    git('checkout', '-q', '-b', branch, base);
    pebble = await pebble.rebuild();
    await edit();
    save(branch);
  }
  git('checkout', '-q', 'ours');
  try {
    git('merge', '-q', '--no-edit', 'theirs');
  } catch {
    return false;
  }
  pebble = await pebble.rebuild();
  return true;
}

/** Entries for many units, as a team has after a while; git finds the lines between them by these. */
async function manyEntries(): Promise<void> {
  for (const one of pebble.map.units) await pinUnit(at(), one.id, true);
  save('pins');
}

describe('two branches', () => {
  it('that speak of different units are merged by git, and the map has both', async () => {
    await manyEntries();
    const [first, last] = [pebble.map.units.map((one) => one.id).sort()[0] ?? '', retry];
    const isMerged = await mergedBranches(
      () => renameUnit(at(), first, 'Ours'),
      () => describeUnit(at(), last, 'Theirs.'),
    );
    expect(isMerged).toBe(true);
    expect([unit(first)?.title, unit(last)?.summary]).toEqual(['Ours', 'Theirs.']);
    expect((await checkHandbook(pebble.harness, pebble.map)).problems).toEqual([]);
  });

  it('of which one edits the code and the other the words keep both', async () => {
    const isMerged = await mergedBranches(
      async () => {
        const file = join(pebble.folder, 'pebble/model.py');
        await writeFile(file, (await readFile(file, 'utf8')).replace('range(4)', 'range(6)'));
      },
      () => renameUnit(at(), retry, 'Patience'),
    );
    expect(isMerged).toBe(true);
    expect(unit(retry)?.title).toBe('Patience');
    expect((await checkHandbook(pebble.harness, pebble.map)).problems).toEqual([]);
  });

  it('of which one renames the file of a unit and the other names the unit: the name follows', async () => {
    const isMerged = await mergedBranches(
      async () => {
        await rename(join(pebble.folder, 'pebble/model.py'), join(pebble.folder, 'pebble/chat.py'));
      },
      () => renameUnit(at(), retry, 'Patience'),
    );
    expect(isMerged).toBe(true);
    const named = pebble.map.units.filter((one) => one.title === 'Patience');
    expect(named.map((one) => one.sites[0]?.file)).toEqual(['pebble/chat.py']);
    expect(pebble.map.overlay?.orphans).toEqual([]);
  });

  it('of which one removes what the other named: the words stay as an orphan, and come back with the code', async () => {
    const isMerged = await mergedBranches(
      async () => {
        git('rm', '-q', 'pebble/environment.py');
      },
      () => renameUnit(at(), pebble.map.units.find((one) => one.members.includes(cut))?.id ?? '', 'Scissors'),
    );
    expect(isMerged).toBe(true);
    expect(pebble.map.overlay?.orphans).toEqual([expect.objectContaining({ title: 'Scissors' })]);
    git('checkout', '-q', 'main', '--', 'pebble/environment.py');
    pebble = await pebble.rebuild();
    expect(pebble.map.overlay?.orphans).toEqual([]);
    expect(pebble.map.units.some((one) => one.title === 'Scissors')).toBe(true);
  });

  it('that merge two units each into the other are both kept in the file, and the map stays whole', async () => {
    await manyEntries();
    const ids = pebble.map.units.filter((one) => one.kind !== 'main_loop').map((one) => one.id);
    const [a, b] = [ids.slice().sort()[0] ?? '', ids.slice().sort().at(-1) ?? ''];
    const isMerged = await mergedBranches(
      () => mergeUnits(at(), a, b),
      () => mergeUnits(at(), b, a),
    );
    expect(isMerged).toBe(true);
    expect(Object.keys(pebble.map.overlay?.merged ?? {})).toHaveLength(1);
    expect(pebble.map.overlay?.orphans).toEqual([
      expect.objectContaining({ why: expect.stringMatching(/each merged/) }),
    ]);
    const { units } = await loadOverlay(pebble.harness);
    expect([units[a]?.mergedInto, units[b]?.mergedInto]).toEqual([b, a]);
  });

  it('that give one unit two names are left to people, and until then the file is refused by name', async () => {
    const isMerged = await mergedBranches(
      () => renameUnit(at(), retry, 'Ours'),
      () => renameUnit(at(), retry, 'Theirs'),
    );
    expect(isMerged).toBe(false);
    const text = await readFile(overlay(), 'utf8');
    expect(text).toContain('<<<<<<<');
    await expect(pebble.rebuild()).rejects.toThrow(/handbook\.json/);
    await expect(renameUnit(at(), retry, 'Mine')).rejects.toThrow(/handbook\.json/);
    // The refused edit destroyed nothing: both names are still there to choose from.
    expect(await readFile(overlay(), 'utf8')).toBe(text);
    git('checkout', '--theirs', '.harnessmith/handbook.json');
    pebble = await pebble.rebuild();
    expect(unit(retry)?.title).toBe('Theirs');
  });

  it('of which one moves a definition and the other its unit to a stage agree in every order', async () => {
    await manyEntries();
    const into = pebble.map.units.find((one) => one.kind === 'exec_boundary')?.id ?? '';
    const isMerged = await mergedBranches(
      () => moveMember(at(), cut, into),
      () => moveUnit(at(), retry, 'finish'),
    );
    expect(isMerged).toBe(true);
    expect(unit(into)?.members).toContain(cut);
    expect(unit(retry)?.stage).toBe('finish');
  });
});

describe('undo beside other branches', () => {
  it('takes back only what this branch has, and refuses where another branch says something else', async () => {
    git('checkout', '-q', '-b', 'side');
    await renameUnit(at(), retry, 'Side');
    save('side');
    git('checkout', '-q', 'main');
    // Here the entry does not exist; taking back an edit of the other branch must not invent one.
    await expect(undoOverlay(pebble.folder)).rejects.toThrow('was changed again since');
    expect((await loadOverlay(pebble.harness)).units).toEqual({});
    git('checkout', '-q', 'side');
    expect(await undoOverlay(pebble.folder)).toContain('Rename');
    expect((await loadOverlay(pebble.harness)).units).toEqual({});
  });
});
