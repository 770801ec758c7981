import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import { ensureStore, readJsonFile, readTextIfPresent, storePaths, writeJsonFile } from '../store';
import { collectFiles, type FoundFiles } from './collect';
import { assemble, type ImportResult, type ReadFile, readForImport } from './import';
import { TraceRun } from './model';
import { parseLenient } from './reading/lenientJson';
import { removeUnusedPlaces } from './savedPlaces';

/** All traces a harness knows: those its configuration names and those that were imported. */
export type Catalog = ImportResult;

const Imports = z.object({ schemaVersion: z.literal(1), paths: z.array(z.string()) });
const TracesSetting = z.object({ traces: z.array(z.string()).default([]) });

/** Raised when readers change what they count, so that old heads are not shown. */
const CACHE_VERSION = 5;
const CachedFile = z.object({
  size: z.number(),
  mtimeMs: z.number(),
  runs: z.array(TraceRun),
  reason: z.string().nullable(),
});
const Cache = z.object({ version: z.literal(CACHE_VERSION), files: z.record(z.string(), CachedFile) });
type Cache = z.infer<typeof Cache>;

/**
 * The catalog of a harness. Heads of files that did not change (same size and time) come from the cache; outcomes are
 * looked up every time, since verdicts are often written after the trace. Recorded paths that are gone are listed as
 * unknown.
 * @throws InputError when `harness.json` or the recorded imports are broken.
 */
export async function loadCatalog(root: string, work: WorkOptions = {}): Promise<Catalog> {
  const paths = [...(await configuredPaths(root)), ...(await recordedPaths(root))];
  const found = await findEach(paths, work);
  const cache = await readCache(root);
  const placesFolder = join(storePaths(root).cache, 'places');
  const next: Cache = { version: CACHE_VERSION, files: {} };
  const read = new Map<string, ReadFile>();
  let changed = false;
  for (const [index, file] of found.files.entries()) {
    throwIfCancelled(work.signal, 'Reading the trace list');
    work.progress?.({ message: 'Reading traces', done: index, total: found.files.length });
    const stats = await stat(file).catch(() => null);
    const known = cache.files[file];
    if (stats !== null && known !== undefined && known.size === stats.size && known.mtimeMs === stats.mtimeMs) {
      next.files[file] = known;
      read.set(file, known);
      continue;
    }
    if (!changed) {
      await ensureStore(root);
      await mkdir(placesFolder, { recursive: true });
    }
    changed = true;
    const fresh = await readForImport(file, work, placesFolder);
    read.set(file, fresh);
    if (stats !== null) next.files[file] = { size: stats.size, mtimeMs: stats.mtimeMs, ...fresh };
  }
  if (changed || Object.keys(cache.files).length !== Object.keys(next.files).length) {
    await writeCache(root, next);
    const used = Object.values(next.files).flatMap(({ runs }) => runs.flatMap(({ places }) => places ?? []));
    await removeUnusedPlaces(placesFolder, new Set(used));
  }
  return assemble(read, found.notRead, work);
}

/**
 * Records paths as imported and returns the catalog with them. Nothing is copied.
 * @throws InputError when a path does not exist; nothing is recorded then.
 */
export async function addToCatalog(root: string, paths: readonly string[], work: WorkOptions = {}): Promise<Catalog> {
  const added = paths.map((path) => resolve(path));
  await collectFiles(added, work);
  const recorded = await recordedPaths(root);
  await record(root, [...new Set([...recorded, ...added])]);
  return loadCatalog(root, work);
}

/** Forgets recorded paths; the files stay. Paths that `harness.json` names cannot be removed here. */
export async function removeFromCatalog(
  root: string,
  paths: readonly string[],
  work: WorkOptions = {},
): Promise<Catalog> {
  const gone = new Set(paths.map((path) => resolve(path)));
  await record(
    root,
    (await recordedPaths(root)).filter((path) => !gone.has(path)),
  );
  return loadCatalog(root, work);
}

async function record(root: string, paths: string[]): Promise<void> {
  await ensureStore(root);
  await writeJsonFile(storePaths(root).imports, { schemaVersion: 1, paths });
}

async function recordedPaths(root: string): Promise<string[]> {
  const file = storePaths(root).imports;
  if ((await readTextIfPresent(file)) === undefined) return [];
  return (await readJsonFile(file, Imports)).paths;
}

async function configuredPaths(root: string): Promise<string[]> {
  const file = storePaths(root).harnessJson;
  if ((await readTextIfPresent(file)) === undefined) return [];
  return (await readJsonFile(file, TracesSetting)).traces.map((path) => resolve(root, path));
}

/** Files of all paths, once each; a path that is gone becomes an unknown file instead of an error. */
async function findEach(paths: readonly string[], work: WorkOptions): Promise<FoundFiles> {
  const present: string[] = [];
  const notRead: FoundFiles['notRead'] = [];
  for (const path of paths) {
    if (
      await stat(path).then(
        () => true,
        () => false,
      )
    )
      present.push(path);
    else notRead.push({ file: path, reason: 'it no longer exists; import it again or remove it from the list' });
  }
  const found = await collectFiles(present, work);
  return { files: found.files, notRead: [...notRead, ...found.notRead] };
}

function cacheFile(root: string): string {
  return join(storePaths(root).cache, 'traces.json');
}

/** A missing, old or broken cache is no error: everything is read again. */
async function readCache(root: string): Promise<Cache> {
  const text = await readTextIfPresent(cacheFile(root));
  const checked = Cache.safeParse(text === undefined ? null : parseLenient(text)?.value);
  return checked.success ? checked.data : { version: CACHE_VERSION, files: {} };
}

async function writeCache(root: string, cache: Cache): Promise<void> {
  await ensureStore(root);
  await writeJsonFile(cacheFile(root), cache);
}
