import { setTimeout } from 'node:timers/promises';
import { EnvironmentError } from '../errors';

export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Record<string, SqlValue>;

export interface Statement {
  run(...values: SqlValue[]): void;
  get(...values: SqlValue[]): SqlRow | undefined;
  all(...values: SqlValue[]): SqlRow[];
}

/** A SQLite database. Rows are plain objects; callers validate what they read. */
export interface Database {
  readonly driver: 'node:sqlite' | 'node-sqlite3-wasm';
  exec(sql: string): void;
  /** The statement lives as long as the database. */
  prepare(sql: string): Statement;
  /** Runs `work` in one transaction; rolls back when it throws. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens (and makes) a database file. Takes `node:sqlite` where this Node has it with FTS5, else the WASM build.
 * @throws EnvironmentError when the file cannot be opened.
 */
export async function openDatabase(file: string): Promise<Database> {
  try {
    return (await openBuiltIn(file)) ?? (await openWasm(file));
  } catch (error) {
    throw databaseError(file, error);
  }
}

/** What a user sees of an error of the database; the error itself is its cause. */
export function databaseError(file: string, cause: unknown): EnvironmentError {
  if (cause instanceof EnvironmentError) return cause;
  const isBusy = isLocked(cause);
  return new EnvironmentError(
    `The index ${file} cannot be ${isBusy ? 'used: another process keeps it locked' : 'opened'}.`,
    {
      code: 'index-unreadable',
      nextStep: isBusy
        ? 'Try again when the other process has finished.'
        : 'Delete it (it costs only time) or check the permissions of its folder.',
      cause,
    },
  );
}

async function openBuiltIn(file: string): Promise<Database | undefined> {
  let sqlite: typeof import('node:sqlite');
  try {
    sqlite = await import('node:sqlite');
  } catch {
    return undefined; // Node before 22.13
  }
  const connection = new sqlite.DatabaseSync(file);
  try {
    // WAL lets one process read while another writes; busy_timeout makes two writers wait instead of fail.
    connection.exec('PRAGMA busy_timeout = 10000;');
    await untilUnlocked(() => connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;'));
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    driver: 'node:sqlite',
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => {
      const statement = connection.prepare(sql);
      return {
        run: (...values) => void statement.run(...values),
        get: (...values) => statement.get(...values) as SqlRow | undefined,
        all: (...values) => statement.all(...values) as SqlRow[],
      };
    },
    transaction: (work) => inTransaction((sql) => connection.exec(sql), work),
    close: () => connection.close(),
  };
}

/** Tries for ten seconds: SQLite does not wait by itself while two processes change the kind of journal. */
async function untilUnlocked(work: () => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      work();
      return;
    } catch (error) {
      if (attempt >= 200 || !isLocked(error)) throw error;
      await setTimeout(50);
    }
  }
}

/** Whether an error, or its cause, says that another process keeps a database locked. */
export function isLocked(error: unknown): boolean {
  return says(error, /database (table |schema )?is locked/);
}

/** Whether an error, or its cause, says that the content of a file is no usable database, or one of another outline. */
export function isDamaged(error: unknown): boolean {
  return says(
    error,
    /malformed|not a database|unsupported file format|no such (table|column)|has no column|values? for/,
  );
}

/** Whether an error, or its cause, says that a file or folder may only be read. */
export function isReadOnly(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if ('code' in at && (at.code === 'EROFS' || at.code === 'EACCES' || at.code === 'EPERM')) return true;
  return says(error, /readonly database/);
}

function says(error: unknown, words: RegExp): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (words.test(at.message)) return true;
  return false;
}

/** Same interface over the WASM build; slower, without WAL. Exported for its tests. */
export async function openWasm(file: string): Promise<Database> {
  const module = await import('node-sqlite3-wasm');
  const { Database: WasmDatabase } = 'Database' in module ? module : (module as { default: typeof module }).default;
  const connection = new WasmDatabase(file);
  connection.exec('PRAGMA busy_timeout = 10000;');
  const statements: { finalize(): void }[] = [];
  return {
    driver: 'node-sqlite3-wasm',
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => {
      const statement = connection.prepare(sql);
      statements.push(statement);
      return {
        run: (...values) => void statement.run(values),
        get: (...values) => (statement.get(values) as SqlRow | null) ?? undefined,
        all: (...values) => statement.all(values) as SqlRow[],
      };
    },
    transaction: (work) => inTransaction((sql) => connection.exec(sql), work),
    close: () => {
      for (const statement of statements) statement.finalize();
      connection.close();
    },
  };
}

function inTransaction<T>(exec: (sql: string) => void, work: () => T): T {
  exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    exec('COMMIT');
    return result;
  } catch (error) {
    exec('ROLLBACK');
    throw error;
  }
}
