import { indexHarness, type ProgramGraph } from '../graph';
import { type Harness, openHarness } from '../harness';
import type { WorkOptions } from '../progress';
import { buildHandbook } from './build';
import type { BehaviourMap } from './model';

export interface OpenedHarness {
  harness: Harness;
  graph: ProgramGraph;
  map: BehaviourMap;
}

/** Opens a harness and brings its index and behaviour map up to date. */
export async function openedHarness(folder: string, work: WorkOptions): Promise<OpenedHarness> {
  const harness = await openHarness(folder);
  const { graph } = await indexHarness(harness, work);
  return { harness, graph, map: await buildHandbook(graph, harness) };
}
