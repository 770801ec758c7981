import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HarnessmithError } from '../../../src/core/errors';
import {
  type BehaviourMap,
  buildHandbook,
  checkHandbook,
  HandbookOverlay,
  loadOverlay,
  mergeUnits,
  moveMember,
  moveUnit,
  pinUnit,
  renameUnit,
  renderPages,
  saveOverlay,
  undoOverlay,
  unmergeUnit,
  writePages,
} from '../../../src/core/handbook';
import { overlayText } from '../../../src/core/handbook/overlay';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let kite: BuiltHarness;
beforeEach(async () => {
  kite = await builtFixture('kite');
});
afterEach(() => kite.remove());

const target = (map: BehaviourMap) => ({ root: kite.folder, map });

/** What must hold whatever people do: the same definitions, each in one unit; units with places; relations between units. */
function lawsOf(map: BehaviourMap) {
  const members = map.units.flatMap((unit) => unit.members);
  const ids = new Set(map.units.map((unit) => unit.id));
  const related = map.units.flatMap((unit) => [
    ...unit.calls,
    ...unit.callers,
    ...(unit.mayCall ?? []),
    ...(unit.mayBeCalledBy ?? []),
  ]);
  return {
    members: [...members].sort(),
    repeated: members.filter((id, index) => members.indexOf(id) !== index),
    placeless: map.units.filter((unit) => unit.sites.length === 0).map((unit) => unit.id),
    unrelated: related.filter((id) => !ids.has(id)),
    oneSided: map.units.filter((unit) =>
      unit.calls.some((id) => !map.units.find((one) => one.id === id)?.callers.includes(unit.id)),
    ),
    staged: map.stages.flatMap((stage) => stage.units).sort(),
    lines: map.counts.assignedLines,
    loops: map.loops,
    notFound: map.notFound,
  };
}

type Action = { do: 'rename' | 'pin' | 'move' | 'member' | 'merge' | 'unmerge' | 'undo'; a: number; b: number };
const action: fc.Arbitrary<Action> = fc.record({
  do: fc.constantFrom('rename', 'pin', 'move', 'member', 'merge', 'unmerge', 'undo'),
  a: fc.nat(999),
  b: fc.nat(999),
});

async function perform(map: BehaviourMap, { do: what, a, b }: Action): Promise<void> {
  const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;
  const unit = pick(map.units, a);
  const other = pick(map.units, b);
  const at = target(map);
  if (what === 'rename') await renameUnit(at, unit.id, b % 3 === 0 ? null : `Title ${b}`);
  else if (what === 'pin') await pinUnit(at, unit.id, b % 2 === 0);
  else if (what === 'move') await moveUnit(at, unit.id, b % 4 === 0 ? null : pick(map.stages, b).id);
  else if (what === 'member') {
    const all = map.units.flatMap((one) => one.members);
    await moveMember(at, pick(all, a), b % 5 === 0 ? null : other.id);
  } else if (what === 'merge') await mergeUnits(at, unit.id, other.id);
  else if (what === 'unmerge') {
    const merged = Object.keys(map.overlay?.merged ?? {});
    if (merged.length > 0) await unmergeUnit(at, pick(merged, a));
  } else await undoOverlay(kite.folder);
}

describe('whatever people edit', () => {
  it('every definition keeps one home, relations stay whole, and undoing everything gives the derived map', async () => {
    const derived = kite.map;
    const laws = lawsOf(derived);
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 8 }), async (actions) => {
        let map = derived;
        for (const one of actions) {
          await perform(map, one).catch((error: unknown) => {
            // Merging a loop, or a unit into itself, is refused in words.
            expect(error).toBeInstanceOf(HarnessmithError);
          });
          map = await buildHandbook(kite.graph, kite.harness);
          const now = lawsOf(map);
          expect(now.staged).toEqual(map.units.map((unit) => unit.id).sort());
          expect({ ...now, staged: [] }).toEqual({ ...laws, staged: [] });
          expect(JSON.stringify(await buildHandbook(kite.graph, kite.harness))).toBe(JSON.stringify(map));
        }
        while ((await undoOverlay(kite.folder)) !== null);
        expect(await buildHandbook(kite.graph, kite.harness)).toEqual(derived);
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  it('pages written after it pass the check', async () => {
    const at = target(kite.map);
    const [a, b, c] = kite.map.units.filter((unit) => unit.kind !== 'main_loop' && unit.members.length > 0);
    await renameUnit(at, a?.id ?? '', 'Renamed');
    await mergeUnits(at, b?.id ?? '', a?.id ?? '');
    await moveMember(at, c?.members[0] ?? '', kite.map.loops[0] ?? '');
    const { map, graph } = await kite.rebuild();
    const folder = join(kite.folder, 'out');
    await writePages(renderPages(map, graph, folder), map, folder);
    expect((await checkHandbook(kite.harness, folder)).problems).toEqual([]);
    await renameUnit(target(map), a?.id ?? '', 'Renamed again');
    const { problems } = await checkHandbook(kite.harness, folder);
    expect(problems.map((problem) => problem.message).join('\n')).toContain('something else for title');
  });
});

describe('an overlay that does not fit the source', () => {
  it('finds a moved definition and the target of a merge in another file', async () => {
    const tool = kite.map.units.find((unit) => unit.sites[0]?.file === 'src/tools/read.ts' && unit.members.length > 0);
    const model = kite.map.units.find((unit) => unit.kind === 'model_call' && unit.members.length > 0);
    const other = kite.map.units.find((unit) => unit.sites[0]?.file === 'src/loop.ts' && unit.kind === 'accounting');
    const from =
      other ?? kite.map.units.find((unit) => unit.kind !== 'main_loop' && unit.members.length > 0 && unit !== tool);
    const at = target(kite.map);
    await moveMember(at, tool?.members.find((id) => id.includes('#')) ?? '', model?.id ?? '');
    await mergeUnits(at, from?.id ?? '', model?.id ?? '');
    await rename(join(kite.folder, 'src/model.ts'), join(kite.folder, 'src/llm.ts'));
    const loop = join(kite.folder, 'src/loop.ts');
    await writeFile(loop, (await readFile(loop, 'utf8')).replace('./model', './llm'));
    const { map } = await kite.rebuild();
    const found = map.units.find((unit) => unit.id === Object.values(map.overlay?.moved ?? {})[0]);
    expect(found?.sites.some((site) => site.file === 'src/llm.ts')).toBe(true);
    expect(map.overlay?.merged[from?.id ?? '']).toBe(found?.id);
    expect(map.overlay?.orphans).toEqual([]);
  });

  it('lists what has no place, with the reason, and changes nothing else', async () => {
    const [a] = kite.map.units.filter((unit) => unit.kind !== 'main_loop').map((unit) => unit.id);
    await saveOverlay(kite.harness, {
      schemaVersion: 1,
      units: {
        [a ?? '']: { by: 'person', stage: 'nowhere', mergedInto: 'unit:gone' },
        [kite.map.loops[0] ?? '']: { by: 'person', mergedInto: a ?? '' },
        'unit:was:here': { by: 'person', title: 'Was here', symbols: ['src/gone.ts#gone'] },
      },
      members: {
        'src/gone.ts#f': { unit: a ?? '', by: 'person' },
        'src/loop.ts#runAgent': { unit: 'unit:gone', by: 'person' },
      },
    });
    const { map } = await kite.rebuild();
    expect(lawsOf(map)).toEqual(lawsOf(kite.map));
    expect(map.overlay?.orphans.map((orphan) => orphan.why).sort()).toEqual(
      [
        'an agent loop keeps a unit of its own',
        'its unit unit:gone is gone',
        'the source has no such definition any more',
        'the source has no such unit any more',
        'there is no stage nowhere',
        'unit:gone, which it was merged into, is gone',
      ].sort(),
    );
    const index = renderPages(map, kite.graph)[0]?.markdown ?? '';
    expect(index).toContain('Without a place: "Was here" for `unit:was:here`, the source has no such unit any more');
  });
});

describe('handbook.json', () => {
  it('has the same bytes however it was put together', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 8 }), (keys) => {
        const usable = keys.filter((key) => key !== '__proto__');
        const entry = (key: string) => ({ title: key, by: 'person' as const, pinned: true });
        const units = Object.fromEntries(usable.map((key) => [key, entry(key)]));
        const turned = Object.fromEntries(
          [...usable].reverse().map((key) => [key, { pinned: true, by: 'person' as const, title: key }]),
        );
        const text = overlayText({ schemaVersion: 1, units });
        expect(overlayText({ units: turned, schemaVersion: 1 })).toBe(text);
        expect(HandbookOverlay.parse(JSON.parse(text)).units).toEqual(units);
      }),
    );
  });

  it("of an older version, with words of a model in the fields of a person, keeps them as the model's", async () => {
    const id = kite.map.loops[0] ?? '';
    await mkdir(join(kite.folder, '.harnessmith'), { recursive: true });
    const old = { schemaVersion: 1, units: { [id]: { by: 'model', title: 'Turns', description: 'It turns.' } } };
    await writeFile(join(kite.folder, '.harnessmith', 'handbook.json'), JSON.stringify(old));
    const { map } = await kite.rebuild();
    expect(map.units.find((unit) => unit.id === id)).toMatchObject({ title: 'Turns', edited: 'model' });
    await pinUnit(target(map), id, true);
    expect((await loadOverlay(kite.harness)).units[id]).toMatchObject({
      by: 'person',
      pinned: true,
      model: { title: 'Turns', description: 'It turns.' },
    });
  });
});
