import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { EnvironmentError, messageOf } from '../errors';
import {
  type Database,
  databaseError,
  ensureStore,
  isDamaged,
  isLocked,
  isReadOnly,
  openDatabase,
  type Statement,
  storePaths,
} from '../store';
import type { OutlineRecord } from './analyzeFile';
import { emptyFacts } from './fileFacts';
import { packGraph, unpackGraph } from './graphCodec';
import type { GraphData } from './model';
import { type Body, bodyLists, splitFacts } from './outline';

/** Raise it when facts or linking change: everything is then read anew. */
const formatVersion = 30;

const Row = z.object({ path: z.string(), bytes: z.number(), mtimeMs: z.number(), hash: z.string() });
/** What tells whether a file changed, without its facts. */
export type CachedFile = z.infer<typeof Row>;

const Stored = z.object({ value: z.string() });
const Text = z.object({ value: z.string() });

/**
 * Rows are written by this class under a format version, so only their outline is checked: what is in the lists would
 * take longer to check than to link.
 */
const lists = (names: readonly string[]) =>
  z.looseObject(Object.fromEntries(names.map((name) => [name, z.custom(Array.isArray)])));
const factLists = Object.entries(splitFacts(emptyFacts()).outline).flatMap(([name, value]) =>
  Array.isArray(value) ? [name] : [],
);
const Outline = z.looseObject({
  language: z.string(),
  lines: z.number(),
  facts: lists(factLists).nullable(),
  artifact: lists(['nodes', 'edges', 'literals']).nullable(),
  package: z.looseObject({ name: z.string(), folder: z.string(), exports: z.looseObject({}) }).nullable(),
});
const Checked = z.custom<OutlineRecord>((value) => Outline.safeParse(value).success);
const CheckedBody = z.custom<Body>((value) => {
  const body: unknown = value;
  return typeof body === 'object' && body !== null && bodyLists.every((name) => Array.isArray(Reflect.get(body, name)));
});

/** A file with what is to be stored of it; without a record only its size, time and hash are. */
export type StoredFile = CachedFile & { record?: string; body?: string };

export interface CachedGraph {
  data: GraphData;
  /** JSON of what the index said when the graph was made. */
  stats: string;
}

/** Facts of files and the linked graph in the index database of a harness. */
export class IndexCache {
  private readonly statements = new Map<string, Statement>();

  private constructor(
    private readonly database: Database,
    /** Nothing can be written where it belongs: it is gone when it is closed. */
    readonly isInMemory: boolean,
  ) {}

  /**
   * Opens the cache; one that is damaged is thrown away, because it costs only time. In a folder that is only to be read it
   * is one in memory.
   *
   * @throws EnvironmentError when it cannot be opened, also because another process keeps it locked
   */
  static async open(root: string): Promise<IndexCache> {
    try {
      await ensureStore(root);
      return await IndexCache.openFile(storePaths(root).indexDatabase);
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      return IndexCache.prepare(await openDatabase(':memory:'), true);
    }
  }

  private static async openFile(file: string): Promise<IndexCache> {
    try {
      return IndexCache.prepare(await openDatabase(file));
    } catch (error) {
      // Anything else may be well tomorrow, and taking the file from under another window would break both.
      if (!isDamaged(error) || isLocked(error)) throw databaseError(file, error);
      await removeDatabase(file);
      return IndexCache.prepare(await openDatabase(file));
    }
  }

  private static prepare(database: Database, isInMemory = false): IndexCache {
    try {
      database.exec('CREATE TABLE IF NOT EXISTS graph_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)');
      const isCurrent = () =>
        database.prepare('SELECT value FROM graph_meta WHERE key = ?').get('format')?.value === String(formatVersion);
      if (!isCurrent()) {
        database.transaction(() => {
          // Another window may have made the tables since, and be filling them.
          if (isCurrent()) return;
          database.exec(
            'DROP TABLE IF EXISTS graph_files; DROP TABLE IF EXISTS graph_bodies; DROP TABLE IF EXISTS graph_data; ' +
              'DELETE FROM graph_meta',
          );
          database.prepare('INSERT INTO graph_meta VALUES (?, ?)').run('format', String(formatVersion));
        });
      }
      database.exec(
        'CREATE TABLE IF NOT EXISTS graph_files (path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, mtimeMs REAL NOT NULL, ' +
          'hash TEXT NOT NULL, record TEXT NOT NULL); ' +
          'CREATE TABLE IF NOT EXISTS graph_bodies (path TEXT PRIMARY KEY, hash TEXT NOT NULL, body TEXT NOT NULL); ' +
          'CREATE TABLE IF NOT EXISTS graph_data (key TEXT, part INTEGER, data TEXT NOT NULL, stats TEXT NOT NULL, ' +
          'PRIMARY KEY (key, part))',
      );
      return new IndexCache(database, isInMemory);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** What is known of each file; a damaged row is as good as none. */
  files(): Map<string, CachedFile> {
    const rows = this.database.prepare('SELECT path, bytes, mtimeMs, hash FROM graph_files').all();
    const readable = rows.flatMap((row) => Row.safeParse(row).data ?? []);
    return new Map(readable.map((row) => [row.path, row]));
  }

  /** Facts of a file whose text has this hash; undefined when there are none, or they are damaged. */
  record(path: string, hash: string): OutlineRecord | undefined {
    return this.stored(Checked, 'SELECT record AS value FROM graph_files WHERE path = ? AND hash = ?', path, hash);
  }

  /** Facts that only the links of the file itself need, likewise. */
  body(path: string, hash: string): Body | undefined {
    return this.stored(CheckedBody, 'SELECT body AS value FROM graph_bodies WHERE path = ? AND hash = ?', path, hash);
  }

  private stored<T>(schema: z.ZodType<T>, sql: string, path: string, hash: string): T | undefined {
    const statement = this.statements.get(sql) ?? this.database.prepare(sql);
    this.statements.set(sql, statement);
    const stored = Stored.safeParse(statement.get(path, hash));
    if (!stored.success) return undefined;
    try {
      return schema.safeParse(JSON.parse(stored.data.value)).data;
    } catch {
      // The caller parses the file again, which costs little.
      return undefined;
    }
  }

  /** Writes what changed in one transaction. */
  update(changed: readonly StoredFile[], removed: readonly string[]): void {
    const insert = this.database.prepare('INSERT OR REPLACE INTO graph_files VALUES (?, ?, ?, ?, ?)');
    const insertBody = this.database.prepare('INSERT OR REPLACE INTO graph_bodies VALUES (?, ?, ?)');
    const touch = this.database.prepare('UPDATE graph_files SET bytes = ?, mtimeMs = ?, hash = ? WHERE path = ?');
    const remove = this.database.prepare('DELETE FROM graph_files WHERE path = ?');
    const removeBody = this.database.prepare('DELETE FROM graph_bodies WHERE path = ?');
    this.database.transaction(() => {
      for (const { path, bytes, mtimeMs, hash, record, body } of changed) {
        if (record === undefined) touch.run(bytes, mtimeMs, hash, path);
        else insert.run(path, bytes, mtimeMs, hash, record);
        if (body) insertBody.run(path, hash, body);
      }
      for (const path of removed) {
        remove.run(path);
        removeBody.run(path);
      }
    });
  }

  /** The linked graph, when it was made from just these files. */
  graph(key?: string): CachedGraph | undefined {
    const wanted = key ?? this.meta('graph');
    if (!wanted) return undefined;
    const rows = this.database.prepare('SELECT part, stats FROM graph_data WHERE key = ? ORDER BY part').all(wanted);
    const parts = z.array(z.object({ part: z.int(), stats: z.string() })).parse(rows);
    if (parts.length === 0 || parts.some(({ part }, at) => part !== at)) return undefined;
    const read = this.database.prepare('SELECT data AS value FROM graph_data WHERE key = ? AND part = ?');
    const texts = function* () {
      for (const { part } of parts) yield Text.parse(read.get(wanted, part)).value;
    };
    try {
      return { data: unpackGraph(texts()), stats: parts[0]!.stats };
    } catch {
      // A damaged row costs only the time to link again.
      return undefined;
    }
  }

  saveGraph(key: string, data: GraphData, stats: string): void {
    this.database.transaction(() => {
      this.database.exec('DELETE FROM graph_data');
      const insert = this.database.prepare('INSERT INTO graph_data VALUES (?, ?, ?, ?)');
      let part = 0;
      for (const text of packGraph(data)) insert.run(key, part++, text, stats);
      this.database.prepare('INSERT OR REPLACE INTO graph_meta VALUES (?, ?)').run('graph', key);
    });
  }

  close(): void {
    this.database.close();
  }

  private meta(key: string): string | undefined {
    return Text.optional().parse(this.database.prepare('SELECT value FROM graph_meta WHERE key = ?').get(key))?.value;
  }
}

async function removeDatabase(file: string): Promise<void> {
  try {
    for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
  } catch (error) {
    throw new EnvironmentError(`The index ${file} can be neither used nor removed: ${messageOf(error)}`, {
      code: 'index-unwritable',
      nextStep: 'Delete it by hand, or make its folder writable.',
      cause: error,
    });
  }
}
