import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexHarness, type ProgramGraph } from '../src/core/graph';
import { type BehaviourMap, buildHandbook, type Unit, type UnitKind } from '../src/core/handbook';
import { type Harness, openHarness } from '../src/core/harness';

export interface BuiltHarness {
  folder: string;
  harness: Harness;
  graph: ProgramGraph;
  map: BehaviourMap;
  /** Index and map again, after files were changed. */
  rebuild(): Promise<BuiltHarness>;
  remove(): Promise<void>;
}

/** Copies a folder of test/fixtures/harnesses to a temporary place, indexes it and builds its map. */
export async function builtFixture(name: string): Promise<BuiltHarness> {
  const folder = await mkdtemp(join(tmpdir(), `harnessmith-${name}-`));
  await cp(join(import.meta.dirname, 'fixtures', 'harnesses', name), folder, { recursive: true });
  return built(folder);
}

/** Indexes a folder and builds its map; `remove` deletes the folder. */
export async function built(folder: string): Promise<BuiltHarness> {
  const harness = await openHarness(folder);
  const { graph } = await indexHarness(harness);
  const map = await buildHandbook(graph, harness);
  return {
    folder,
    harness,
    graph,
    map,
    rebuild: () => built(folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Units of a kind, in map order. */
export function unitsOf(map: BehaviourMap, kind: UnitKind): Unit[] {
  return map.units.filter((unit) => unit.kind === kind);
}

/** `file#symbol` of every site of every unit of a kind. */
export function placesOf(map: BehaviourMap, kind: UnitKind): string[] {
  return unitsOf(map, kind).flatMap((unit) => unit.sites.map((site) => `${site.file}#${site.symbol}`));
}
