import { existsSync } from 'node:fs';
import type { Harness } from '../harness';
import type { WorkOptions } from '../progress';
import { storePaths } from '../store';
import { IndexCache } from './indexCache';
import { type Indexed, IndexSession } from './indexSession';
import { ProgramGraph } from './programGraph';

/**
 * Brings the program graph of a harness up to date. Files whose size and time did not change are not read; files whose
 * text did not change are not parsed.
 *
 * @throws CancelledError, EnvironmentError when a root cannot be read
 */
export async function indexHarness(harness: Harness, work: WorkOptions = {}): Promise<Indexed> {
  const started = performance.now();
  const session = new IndexSession(harness);
  const { graph, stats } = await session.refresh(work);
  await session.store(true);
  const peakMemory = process.resourceUsage().maxRSS * 1024;
  return { graph, stats: { ...stats, milliseconds: performance.now() - started, peakMemory } };
}

/** The graph as it was last indexed, or null when the harness was never indexed. Looks at no source file. */
export async function loadGraph(harness: Harness): Promise<ProgramGraph | null> {
  // Looking must not make a cache folder in a repository that was never indexed.
  if (!existsSync(storePaths(harness.root).indexDatabase)) return null;
  const cache = await IndexCache.open(harness.root);
  try {
    const known = cache.graph();
    return known ? new ProgramGraph({ ...known.data, root: harness.root }) : null;
  } finally {
    cache.close();
  }
}
