import { statSync } from 'node:fs';
import { join } from 'node:path';
import { throwIfCancelled } from '../errors';
import { type Harness, type HarnessFile, walkFiles } from '../harness';
import type { WorkOptions } from '../progress';
import { isIndexed, type OutlineRecord } from './analyzeFile';
import { hashText } from './hash';
import { HeldCache } from './heldCache';
import type { CachedFile, IndexCache } from './indexCache';
import { GraphCounts, type IndexStats } from './indexStats';
import { LinkedFiles } from './linkedFiles';
import { ProgramGraph } from './programGraph';
import { type Refreshed, readFiles, refreshFiles } from './refreshFiles';

export interface Indexed {
  graph: ProgramGraph;
  stats: IndexStats;
}

/** Milliseconds for which the cache stays open after a saved file: opening and closing takes a third of the work. */
const untilNextSave = 2_000;

interface Last {
  key: string;
  graph: ProgramGraph;
  counts: GraphCounts;
  /** Whether the cache has this graph. */
  isStored: boolean;
}

/**
 * Keeps the program graph of a harness up to date. It remembers what was linked, so that a saved file costs work only for
 * itself and for those whose links come out otherwise; the graph is always that of an index from nothing.
 */
export class IndexSession {
  private rows: Map<string, CachedFile> | undefined;
  private linked: LinkedFiles | undefined;
  private last: Last | undefined;
  private skipped: Refreshed['skipped'] = [];
  private queue: Promise<unknown> = Promise.resolve();
  private readonly database: HeldCache;

  constructor(readonly harness: Harness) {
    this.database = new HeldCache(harness.root);
  }

  /**
   * Looks at every file. Those whose size and time did not change are not read; those whose text did not change are not
   * parsed.
   *
   * @throws CancelledError, EnvironmentError when a root cannot be read
   */
  refresh(work: WorkOptions = {}): Promise<Indexed> {
    return this.inTurn(async (cache) => {
      const started = performance.now();
      const walked = await walkFiles(this.harness, work);
      const files = walked.files.filter((file) => isIndexed(file.path));
      const refreshed = await refreshFiles(this.harness, files, this.rows ?? cache.files(), cache, work);
      const all = [...walked.skipped, ...refreshed.skipped];
      this.skipped = all.sort((a, b) => (a.path < b.path ? -1 : 1));
      return this.answer(refreshed, cache, started, work);
    });
  }

  /**
   * Looks only at files that were saved. Undefined when that is not enough: one of them is new or gone, or nothing was
   * indexed yet.
   *
   * @param paths relative to the root, with `/`
   */
  update(paths: readonly string[], work: WorkOptions = {}): Promise<Indexed | undefined> {
    return this.inTurn(async (cache) => {
      const started = performance.now();
      const { rows } = this;
      const files = new Map<string, HarnessFile>();
      for (const path of rows ? paths : []) {
        const found = statSync(join(this.harness.root, path), { throwIfNoEntry: false });
        if (!rows!.has(path) || !found?.isFile()) return undefined;
        files.set(path, { path, bytes: found.size, mtimeMs: found.mtimeMs });
      }
      if (!rows) return undefined;
      const tasks = [...files.keys()].map((path) => ({ path, hash: rows.get(path)!.hash }));
      const read = await readFiles(this.harness, tasks, files, cache, work);
      if (read.current.size < files.size) return undefined;
      const current = new Map(rows);
      for (const [path, row] of read.current) current.set(path, row);
      return this.answer({ ...read, current, removed: [] }, cache, started, work);
    }, untilNextSave);
  }

  /** Links what the cache only has as a graph, so that the next saved file need not wait for it. */
  prepare(work: WorkOptions = {}): Promise<void> {
    return this.inTurn(async (cache) => {
      if (this.linked || !this.rows || !this.last) return;
      const refreshed: Refreshed = { current: new Map(this.rows), fresh: new Map(), removed: [], skipped: [] };
      const linked = await this.build(refreshed, cache, work);
      if (keyOf(refreshed.current) === this.last.key) this.linked = linked;
    });
  }

  /**
   * Stores the graph, for those who start after this one.
   *
   * @param isEnd nothing will be saved after it: what was remembered of links need not be in memory beside it
   */
  store(isEnd = false): Promise<void> {
    return this.inTurn(async (cache) => {
      if (isEnd) this.linked = undefined;
      this.storeIn(cache);
    });
  }

  /** One after the other: each changes what the next rests on. */
  private inTurn<T>(task: (cache: IndexCache) => Promise<T>, keepMs = 0): Promise<T> {
    const turn = this.queue.then(async () => {
      const cache = await this.database.open();
      try {
        return await task(cache);
      } catch (error) {
        // Cancelled halfway, or worse: what is known may be a mixture.
        this.linked = undefined;
        this.last = undefined;
        this.rows = undefined;
        throw error;
      } finally {
        this.database.leave(keepMs);
      }
    });
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  private async answer(refreshed: Refreshed, cache: IndexCache, started: number, work: WorkOptions): Promise<Indexed> {
    const last = await this.bringUpToDate(refreshed, cache, work);
    this.last = last;
    this.rows = refreshed.current;
    const parsed = refreshed.fresh.size;
    const stats: IndexStats = {
      ...last.counts,
      parsed,
      reused: refreshed.current.size - parsed,
      removed: refreshed.removed.length,
      skipped: this.skipped,
      milliseconds: performance.now() - started,
      peakMemory: process.resourceUsage().maxRSS * 1024,
      ...(cache.isInMemory ? { inMemory: true } : {}),
    };
    return { graph: last.graph, stats };
  }

  private async bringUpToDate(refreshed: Refreshed, cache: IndexCache, work: WorkOptions): Promise<Last> {
    const key = keyOf(refreshed.current);
    if (this.last?.key === key) return this.last;
    const stored = this.linked ? undefined : storedGraph(cache, key, this.harness.root);
    if (stored) return stored;
    work.progress?.({ message: 'Linking' });
    throwIfCancelled(work.signal, 'Indexing');
    const isSame = this.linked && this.rows && hasSamePaths(this.rows, refreshed.current);
    if (!isSame || !(await this.relink(refreshed, cache, work))) this.linked = await this.build(refreshed, cache, work);
    const joined = this.linked!.join(this.harness.root, this.last?.graph);
    // Files that could not be read anew changed what the graph stands for.
    return { ...joined, key: keyOf(refreshed.current), isStored: false };
  }

  private async relink(refreshed: Refreshed, cache: IndexCache, work: WorkOptions): Promise<boolean> {
    const linked = this.linked!;
    if (!linked.update(withRows(refreshed.current, refreshed.fresh), cache)) return false;
    return this.recover(linked, refreshed, cache, work);
  }

  private async build(refreshed: Refreshed, cache: IndexCache, work: WorkOptions): Promise<LinkedFiles> {
    for (;;) {
      const records = new Map<string, OutlineRecord>();
      const lost: CachedFile[] = [];
      for (const row of refreshed.current.values()) {
        const record = refreshed.fresh.get(row.path) ?? cache.record(row.path, row.hash);
        if (record) records.set(row.path, record);
        else lost.push(row);
      }
      if (lost.length > 0) {
        await this.readAgain(lost, refreshed, cache, work);
        continue;
      }
      const linked = new LinkedFiles(withRows(refreshed.current, records));
      await linked.linkAll(cache, work.signal);
      if (await this.recover(linked, refreshed, cache, work)) return linked;
    }
  }

  /** Links again what the cache had lost. False when that is not enough. */
  private async recover(
    linked: LinkedFiles,
    refreshed: Refreshed,
    cache: IndexCache,
    work: WorkOptions,
  ): Promise<boolean> {
    while (linked.lost.length > 0) {
      const read = await this.readAgain(linked.lost.splice(0), refreshed, cache, work);
      if (!read || !linked.update(withRows(refreshed.current, read), cache)) return false;
    }
    return true;
  }

  /**
   * Parses files whose stored facts are damaged, or were replaced by another window while this one worked, and stores
   * them under the size and time they had when the folder was walked. Undefined when one of them is gone.
   */
  private async readAgain(
    lost: readonly CachedFile[],
    refreshed: Refreshed,
    cache: IndexCache,
    work: WorkOptions,
  ): Promise<Map<string, OutlineRecord> | undefined> {
    const tasks = [...new Set(lost.map(({ path }) => path))].map((path) => ({ path }));
    const read = await readFiles(this.harness, tasks, new Map(lost.map((row) => [row.path, row])), cache, work);
    for (const { path } of tasks) {
      const row = read.current.get(path);
      if (row) refreshed.current.set(path, row);
      else {
        refreshed.current.delete(path);
        cache.update([], [path]);
      }
    }
    for (const [path, record] of read.fresh) refreshed.fresh.set(path, record);
    this.skipped.push(...read.skipped);
    return read.fresh.size === tasks.length ? read.fresh : undefined;
  }

  private storeIn(cache: IndexCache): void {
    const { last } = this;
    if (!last || last.isStored) return;
    cache.saveGraph(last.key, last.graph.data, JSON.stringify(last.counts));
    last.isStored = true;
  }
}

function withRows(rows: ReadonlyMap<string, CachedFile>, records: ReadonlyMap<string, OutlineRecord>) {
  return new Map([...records].map(([path, record]) => [path, { row: rows.get(path)!, record }]));
}

function hasSamePaths(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((path) => b.has(path));
}

/** Stands for just these texts. */
function keyOf(rows: ReadonlyMap<string, CachedFile>): string {
  return hashText([...rows.values()].map(({ path, hash }) => `${path} ${hash}`).join('\n'));
}

function storedGraph(cache: IndexCache, key: string, root: string): Last | undefined {
  const known = cache.graph(key);
  const counts = known && countsIn(known.stats);
  // The folder may have been moved since.
  return counts && { key, graph: new ProgramGraph({ ...known.data, root }), counts, isStored: true };
}

/** What the index said when the graph was stored; undefined when that is damaged. */
function countsIn(text: string): GraphCounts | undefined {
  try {
    return GraphCounts.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
