import { existsSync } from 'node:fs';
import { throwIfCancelled } from '../errors';
import { type Harness, type HarnessFile, walkFiles } from '../harness';
import type { WorkOptions } from '../progress';
import { storePaths } from '../store';
import { type FileRecord, type FileResult, isIndexed } from './analyzeFile';
import { assemble, type IndexedFile } from './assemble';
import { hashText } from './hash';
import { type CachedFile, IndexCache } from './indexCache';
import { IndexStats } from './indexStats';
import { ProgramGraph } from './programGraph';
import { analyzeFiles, type FileTask } from './workerPool';

/**
 * Brings the program graph of a harness up to date. Files whose size and time did not change are not read; files whose
 * text did not change are not parsed.
 *
 * @throws CancelledError, EnvironmentError when a root cannot be read
 */
export async function indexHarness(
  harness: Harness,
  work: WorkOptions = {},
): Promise<{ graph: ProgramGraph; stats: IndexStats }> {
  const started = performance.now();
  const walked = await walkFiles(harness, work);
  const files = walked.files.filter((file) => isIndexed(file.path));
  const cache = await IndexCache.open(harness.root);
  try {
    const refresh = await refreshFiles(harness, files, cache, work);
    const key = keyOf(refresh.current);
    const times = () => ({
      parsed: refresh.parsed,
      reused: refresh.current.length - refresh.parsed,
      removed: refresh.removed,
      skipped: [...walked.skipped, ...refresh.skipped].sort((a, b) => (a.path < b.path ? -1 : 1)),
      milliseconds: performance.now() - started,
      peakMemory: process.resourceUsage().maxRSS * 1024,
    });
    const known = cache.graph(key);
    const counted = known && countsIn(known.stats);
    // The folder may have been moved since.
    if (known && counted)
      return {
        graph: new ProgramGraph({ ...known.data, root: harness.root }),
        stats: IndexStats.parse({ ...counted, ...times() }),
      };
    work.progress?.({ message: 'Linking' });
    throwIfCancelled(work.signal, 'Indexing');
    const lost: CachedFile[] = [];
    let linked = assemble(harness.root, records(refresh, cache, lost));
    if (lost.length > 0) {
      await parseAgain(harness, lost.splice(0), refresh, cache, work);
      linked = assemble(harness.root, records(refresh, cache, lost));
    }
    const { data, counts } = linked;
    const stats: IndexStats = { ...counts, ...times() };
    if (lost.length === 0) cache.saveGraph(keyOf(refresh.current), data, JSON.stringify(stats));
    stats.milliseconds = performance.now() - started;
    stats.peakMemory = process.resourceUsage().maxRSS * 1024;
    return { graph: new ProgramGraph(data), stats };
  } finally {
    cache.close();
  }
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

interface Refresh {
  /** Every file that has facts now, by path. */
  current: CachedFile[];
  /** JSON of the records that were made this time. */
  fresh: Map<string, string>;
  parsed: number;
  removed: number;
  skipped: { path: string; reason: string }[];
}

async function refreshFiles(
  harness: Harness,
  files: readonly HarnessFile[],
  cache: IndexCache,
  work: WorkOptions,
): Promise<Refresh> {
  const known = cache.files();
  const refresh: Refresh = { current: [], fresh: new Map(), parsed: 0, removed: 0, skipped: [] };
  const byPath = new Map(files.map((file) => [file.path, file]));
  const tasks: FileTask[] = [];
  const changed: (CachedFile & { record?: string })[] = [];
  for (const file of files) {
    const row = known.get(file.path);
    if (row && row.bytes === file.bytes && row.mtimeMs === file.mtimeMs) refresh.current.push(row);
    else tasks.push(row ? { path: file.path, hash: row.hash } : { path: file.path });
  }
  let done = 0;
  work.progress?.({ message: 'Reading sources', done, total: tasks.length });
  await analyzeFiles(
    harness.root,
    tasks,
    (results) => {
      for (const result of results) {
        const file = byPath.get(result.path)!;
        if (result.status === 'skipped') refresh.skipped.push({ path: result.path, reason: result.reason });
        if (result.status === 'skipped' || result.status === 'missing') continue;
        const row = { ...file, hash: result.hash };
        refresh.current.push(row);
        if (result.status === 'unchanged') changed.push(row);
        else {
          refresh.parsed += 1;
          refresh.fresh.set(result.path, result.record);
          changed.push({ ...row, record: result.record });
        }
      }
      done += results.length;
      work.progress?.({ message: 'Reading sources', done, total: tasks.length });
    },
    work.signal,
  );
  refresh.current.sort((a, b) => (a.path < b.path ? -1 : 1));
  const kept = new Set(refresh.current.map(({ path }) => path));
  const removed = [...known.keys()].filter((path) => !kept.has(path));
  refresh.removed = removed.length;
  if (changed.length > 0 || removed.length > 0) cache.update(changed, removed);
  return refresh;
}

/**
 * Parses files whose stored facts are damaged, or were replaced by another window while this one worked, and stores
 * them under the size and time they had when the folder was walked.
 */
async function parseAgain(
  harness: Harness,
  lost: readonly CachedFile[],
  refresh: Refresh,
  cache: IndexCache,
  work: WorkOptions,
): Promise<void> {
  const rows = new Map(lost.map((row) => [row.path, row]));
  const changed: (CachedFile & { record: string })[] = [];
  const tasks = lost.map(({ path }) => ({ path }));
  const report = (results: FileResult[]) => {
    for (const result of results) {
      if (result.status === 'skipped') refresh.skipped.push({ path: result.path, reason: result.reason });
      if (result.status !== 'analyzed') continue;
      changed.push({ ...rows.get(result.path)!, hash: result.hash, record: result.record });
    }
  };
  await analyzeFiles(harness.root, tasks, report, work.signal);
  const anew = new Map(changed.map(({ record, ...row }) => [row.path, row]));
  refresh.current = refresh.current
    .map((row) => anew.get(row.path) ?? row)
    .filter(({ path }) => !rows.has(path) || anew.has(path));
  for (const { path, record } of changed) refresh.fresh.set(path, record);
  refresh.parsed += changed.length;
  cache.update(
    changed,
    lost.map(({ path }) => path).filter((path) => !anew.has(path)),
  );
}

/** Reads records one at a time, so that their JSON is never in memory all at once; `lost` gets those it cannot read. */
function* records({ current, fresh }: Refresh, cache: IndexCache, lost: CachedFile[]): Iterable<IndexedFile> {
  for (const row of current) {
    const { path, hash, bytes } = row;
    const text = fresh.get(path);
    const record = text === undefined ? cache.record(path, hash) : (JSON.parse(text) as FileRecord);
    fresh.delete(path);
    if (record) yield { path, hash, bytes, record };
    else lost.push(row);
  }
}

/** Stands for just these texts. */
function keyOf(current: readonly CachedFile[]): string {
  return hashText(current.map(({ path, hash }) => `${path} ${hash}`).join('\n'));
}

/** What the index said when the graph was stored; undefined when that is damaged. */
function countsIn(text: string): IndexStats | undefined {
  try {
    return IndexStats.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
