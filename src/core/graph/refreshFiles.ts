import type { Harness, HarnessFile } from '../harness';
import type { WorkOptions } from '../progress';
import type { FileResult, OutlineRecord } from './analyzeFile';
import type { CachedFile, IndexCache, StoredFile } from './indexCache';
import { analyzeFiles, type FileTask } from './workerPool';

/** What a look at files found. */
export interface Refreshed {
  /** Every file that has facts now, by path. */
  current: Map<string, CachedFile>;
  /** Facts that were made this time. */
  fresh: Map<string, OutlineRecord>;
  removed: string[];
  skipped: { path: string; reason: string }[];
}

/**
 * Reads the files whose size or time changed, and parses those whose text did; what they say goes to the cache batch by
 * batch.
 *
 * @param known what the cache has of each file
 */
export async function refreshFiles(
  harness: Harness,
  files: readonly HarnessFile[],
  known: ReadonlyMap<string, CachedFile>,
  cache: IndexCache,
  work: WorkOptions,
): Promise<Refreshed> {
  const current = new Map<string, CachedFile>();
  const tasks: FileTask[] = [];
  for (const file of files) {
    const row = known.get(file.path);
    if (row && row.bytes === file.bytes && row.mtimeMs === file.mtimeMs) current.set(file.path, row);
    else tasks.push(row ? { path: file.path, hash: row.hash } : { path: file.path });
  }
  const read = await readFiles(harness, tasks, new Map(files.map((file) => [file.path, file])), cache, work);
  for (const [path, row] of read.current) current.set(path, row);
  const removed = [...known.keys()].filter((path) => !current.has(path));
  if (removed.length > 0) cache.update([], removed);
  const sorted = [...current].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...read, current: new Map(sorted), removed };
}

/** Reads files, and parses those whose text is not the one with the known hash. */
export async function readFiles(
  harness: Harness,
  tasks: readonly FileTask[],
  files: ReadonlyMap<string, HarnessFile>,
  cache: IndexCache,
  { signal, progress }: WorkOptions,
): Promise<Omit<Refreshed, 'removed'>> {
  const current = new Map<string, CachedFile>();
  const fresh = new Map<string, OutlineRecord>();
  const skipped: Refreshed['skipped'] = [];
  let done = 0;
  progress?.({ message: 'Reading sources', done, total: tasks.length });
  const report = (results: FileResult[]) => {
    const stored: StoredFile[] = [];
    for (const result of results) {
      if (result.status === 'skipped') skipped.push({ path: result.path, reason: result.reason });
      if (result.status === 'skipped' || result.status === 'missing') continue;
      const { bytes, mtimeMs } = files.get(result.path)!;
      const row = { path: result.path, bytes, mtimeMs, hash: result.hash };
      current.set(row.path, row);
      if (result.status === 'unchanged') stored.push(row);
      else {
        fresh.set(row.path, JSON.parse(result.record) as OutlineRecord);
        stored.push({ ...row, record: result.record, body: result.body });
      }
    }
    if (stored.length > 0) cache.update(stored, []);
    done += results.length;
    progress?.({ message: 'Reading sources', done, total: tasks.length });
  };
  await analyzeFiles(harness.root, tasks, report, signal);
  return { current, fresh, skipped };
}
