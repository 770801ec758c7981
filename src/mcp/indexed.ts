import { indexHarness, type ProgramGraph } from '../core/graph';
import { type BehaviourMap, buildHandbook } from '../core/handbook';
import { type Harness, openHarness } from '../core/harness';
import type { Work } from './tool';

export interface IndexedSession {
  harness: Harness;
  graph: ProgramGraph;
  map: BehaviourMap;
}

/** Opens the harness of a folder with its index and behaviour map as the files are now. */
export async function openSession(folder: string, work: Work): Promise<IndexedSession> {
  const harness = await openHarness(folder);
  const { graph } = await indexHarness(harness, work);
  return { harness, graph, map: await buildHandbook(graph, harness) };
}
