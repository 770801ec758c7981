import { existsSync } from 'node:fs';
import type { Finding } from '../../core/diagnosis';
import { InputError } from '../../core/errors';
import { IndexSession, type IndexStats, type ProgramGraph } from '../../core/graph';
import { type BehaviourMap, buildHandbook } from '../../core/handbook';
import { type Harness, openHarness } from '../../core/harness';
import { buildLinkIndex, checkoutOf, type Link, type LinkIndex, linkRun } from '../../core/links';
import type { WorkOptions } from '../../core/progress';
import type { TraceReader } from '../../core/traces';

/** Runs whose links are kept; computing them again costs a second or less. */
const linkedRunsKept = 300;
/** Milliseconds without a refresh after which the worker does what can wait. */
const restAfter = 10_000;

/** A harness with everything that is derived from its source. A refresh makes a new one. */
export interface Indexed {
  harness: Harness;
  graph: ProgramGraph;
  map: BehaviourMap;
  linkIndex: LinkIndex;
  stats: IndexStats;
  /** Links of whole runs, by run id. */
  links: Map<string, Promise<Link[]>>;
  /** Findings of single runs that were opened. */
  findings: Map<string, Promise<Finding[]>>;
}

/** The indexed harnesses of the worker, by the root as the host names it. */
export class IndexedHarnesses {
  private readonly byRoot = new Map<string, Indexed>();
  private readonly sessions = new Map<string, IndexSession>();
  private resting: NodeJS.Timeout | undefined;

  /**
   * Indexes, or refreshes what changed.
   *
   * @param saved paths of the only files that were saved since the last time, where that is known
   * @throws what the index and the handbook throw.
   */
  async build(root: string, work: WorkOptions, saved?: readonly string[]): Promise<Indexed> {
    const harness = await openHarness(root);
    clearTimeout(this.resting);
    const session = this.sessionOf(root, harness);
    const updated = saved && saved.length > 0 ? await session.update(saved, work) : undefined;
    const { graph, stats } = updated ?? (await session.refresh(work));
    this.resting = setTimeout(() => this.rest(session), restAfter).unref();
    const before = this.byRoot.get(root);
    // Links and findings hold, only the words of people may be new.
    if (before?.graph === graph) {
      const same = { ...before, harness, stats, map: await buildHandbook(before.graph, harness, work) };
      this.byRoot.set(root, same);
      return same;
    }
    const map = await buildHandbook(graph, harness, work);
    const checkout = before?.linkIndex.checkout ?? (await checkoutOf(harness, graph));
    const indexed = {
      harness,
      graph,
      map,
      linkIndex: buildLinkIndex(graph, map, { ...harness.config, checkout }),
      stats,
      links: new Map(),
      findings: new Map(),
    };
    this.byRoot.set(root, indexed);
    return indexed;
  }

  private sessionOf(root: string, harness: Harness): IndexSession {
    const known = this.sessions.get(root);
    if (known && JSON.stringify(known.harness) === JSON.stringify(harness)) return known;
    const session = new IndexSession(harness);
    this.sessions.set(root, session);
    return session;
  }

  /** Does now what the next saved file, or the next start of the editor, would wait for. */
  private rest(session: IndexSession): void {
    if (!existsSync(session.harness.root)) return;
    // What fails here fails again, and is told, when it is needed.
    session.prepare().then(
      () => session.store(),
      () => undefined,
    );
  }

  /** Links and findings of a run that grew are computed again. */
  forgetRun(run: string): void {
    for (const { links, findings } of this.byRoot.values()) {
      links.delete(run);
      for (const key of findings.keys()) if (key.startsWith(`${run}\n`)) findings.delete(key);
    }
  }

  find(root: string): Indexed | undefined {
    return this.byRoot.get(root);
  }

  /** @throws InputError when the harness is not indexed. */
  get(root: string): Indexed {
    const indexed = this.byRoot.get(root);
    if (indexed) return indexed;
    throw new InputError('The harness is not indexed yet.', {
      code: 'not-indexed',
      nextStep: 'Run "Harnessmith: Refresh the Handbook" first.',
    });
  }
}

/** Links of all steps of a run, computed once for each state of the source. */
export function linksOfRun(indexed: Indexed, reader: TraceReader, work: WorkOptions = {}): Promise<Link[]> {
  const { id } = reader.run;
  const known = indexed.links.get(id);
  if (known) return known;
  const linking = linkRun(indexed.linkIndex, reader, work);
  indexed.links.set(id, linking);
  linking.catch(() => indexed.links.delete(id));
  const oldest = indexed.links.keys().next().value;
  if (indexed.links.size > linkedRunsKept && oldest !== undefined) indexed.links.delete(oldest);
  return linking;
}
