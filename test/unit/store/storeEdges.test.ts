import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  acquireLock,
  ensureStore,
  isMissing,
  Ledger,
  lockOwner,
  openDatabase,
  parseJson,
  readJsonFile,
  readJsonLines,
  readTextIfPresent,
  storePaths,
  writeFileAtomic,
  writeJsonFile,
} from '../../../src/core/store';
import { isLocked, openWasm } from '../../../src/core/store/database';
import { describeIssues } from '../../../src/core/store/files';
import type { LedgerEntry } from '../../../src/core/store/ledgerModel';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harnessmith-store-'));
});

describe('writing files', () => {
  it('gives back exactly the bytes, also those that are no text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const file = join(folder, 'bytes');
        await writeFileAtomic(file, bytes);
        expect([...(await readFile(file))]).toEqual([...bytes]);
      }),
      { numRuns: 20 },
    );
  });

  it('leaves one whole content when many write at once', async () => {
    const file = join(folder, 'shared.json');
    await Promise.all(Array.from({ length: 20 }, (_, n) => writeJsonFile(file, { n, fill: 'x'.repeat(50_000) })));
    const { n, fill } = JSON.parse(await readFile(file, 'utf8'));
    expect([Number.isInteger(n), fill.length]).toEqual([true, 50_000]);
    expect(await readdir(folder)).toEqual(['shared.json']);
  });

  it('ends JSON with a line end, as editors and git want it', async () => {
    const file = join(folder, 'a.json');
    await writeJsonFile(file, { b: [1] });
    expect(await readFile(file, 'utf8')).toBe('{\n  "b": [\n    1\n  ]\n}\n');
  });
});

describe('reading files', () => {
  it('tells a missing file from one that cannot be read', async () => {
    expect(await readTextIfPresent(join(folder, 'none'))).toBeUndefined();
    await writeFile(join(folder, 'file'), 'x');
    // A file stands where a folder should be, so nothing can be below it.
    expect(await readTextIfPresent(join(folder, 'file', 'below'))).toBeUndefined();
    await mkdir(join(folder, 'sub'));
    await expect(readTextIfPresent(join(folder, 'sub'))).rejects.toMatchObject({ code: 'read-failed', exitCode: 3 });
    await symlink('loop', join(folder, 'loop'));
    await expect(readTextIfPresent(join(folder, 'loop'))).rejects.toMatchObject({ code: 'read-failed' });
    expect([isMissing(new Error('x')), isMissing('ENOENT'), isMissing(undefined)]).toEqual([false, false, false]);
  });

  it('gives back what was written, for any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const file = join(folder, 'value.json');
        await writeJsonFile(file, value);
        expect(await readJsonFile(file, z.unknown())).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 25 },
    );
  });

  it('names at most three places and says how many more there are', () => {
    const result = z.object({ a: z.int(), b: z.int(), c: z.int(), d: z.int(), e: z.int() }).safeParse({});
    const text = describeIssues(result.error!);
    expect(text).toMatch(/^a: .+; b: .+; c: .+; and 2 more$/);
    expect(describeIssues(z.int().safeParse('x').error!)).toMatch(/^top level: /);
    expect(() => parseJson('[', z.unknown(), 'the file')).toThrow(/^the file is not valid JSON/);
  });

  it('reads no lines where there is no file, and passes over empty ones', async () => {
    const file = join(folder, 'lines.jsonl');
    expect(await readJsonLines(file, z.unknown())).toEqual({ entries: [], torn: [] });
    await writeFile(file, '\n{"n":1}\r\n\n   \n{"n":2}');
    expect((await readJsonLines(file, z.object({ n: z.int() }))).entries).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe('the store folder', () => {
  it('lies in the repository as a whole', () => {
    const paths = storePaths('/repo');
    const all = [
      ...Object.values(paths).filter((path) => typeof path === 'string'),
      paths.run('r'),
      paths.proposal('p'),
    ];
    for (const path of all) expect(path.startsWith('/repo/.harnessmith')).toBe(true);
    expect(new Set(all).size).toBe(all.length);
  });

  it('keeps what the person wrote into its .gitignore', async () => {
    await ensureStore(folder);
    const file = join(storePaths(folder).folder, '.gitignore');
    await writeFile(file, 'mine\n');
    await ensureStore(folder);
    expect(await readFile(file, 'utf8')).toBe('mine\n');
  });

  it('keeps the ledger in the order of its entries, each checked before it is written', async () => {
    const ledger = await Ledger.open(folder);
    const entry = (run: string): LedgerEntry => ({ kind: 'override', at: '2026-01-01', by: 'ada', run, reason: 'r' });
    for (const run of ['r-1', 'r-2', 'r-3']) await ledger.append(entry(run));
    const size = (await stat(storePaths(folder).ledger)).size;
    expect(() => ledger.append({ ...entry('r-4'), reason: 7 } as unknown as LedgerEntry)).toThrow();
    expect((await stat(storePaths(folder).ledger)).size).toBe(size);
    const { entries } = await ledger.read();
    expect(entries.map((one) => one.kind === 'override' && one.run)).toEqual(['r-1', 'r-2', 'r-3']);
  });
});

describe('databases', () => {
  it('make one writer wait for the other instead of failing', async () => {
    const file = join(folder, 'index.db');
    const first = await openDatabase(file);
    first.exec('CREATE TABLE t (n INTEGER)');
    const holder = spawn(process.execPath, [
      '-e',
      `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(process.argv[1]);
       db.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (1)'); process.stdout.write('held');
       setTimeout(() => { db.exec('COMMIT'); db.close(); }, 150);`,
      file,
    ]);
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    first.transaction(() => first.prepare('INSERT INTO t VALUES (2)').run());
    expect(first.prepare('SELECT n FROM t ORDER BY n').all()).toEqual([{ n: 1 }, { n: 2 }]);
    first.close();
  });

  it.each([
    ['node:sqlite', openDatabase],
    ['node-sqlite3-wasm', openWasm],
  ] as const)('keep every kind of value through %s', async (_driver, open) => {
    const database = await open(join(folder, 'values.db'));
    database.exec('CREATE TABLE v (a, b, c, d)');
    const bytes = new Uint8Array([0, 255, 10]);
    database.prepare('INSERT INTO v VALUES (?, ?, ?, ?)').run("it's; DROP TABLE v", 1.5, null, bytes);
    const row = database.prepare('SELECT * FROM v').get()!;
    expect({ ...row, d: [...(row.d as Uint8Array)] }).toEqual({
      a: "it's; DROP TABLE v",
      b: 1.5,
      c: null,
      d: [0, 255, 10],
    });
    database.close();
  });

  it('know a lock in an error and in its causes', () => {
    expect(isLocked(new Error('database is locked'))).toBe(true);
    expect(isLocked(new Error('outer', { cause: new Error('database table is locked: t') }))).toBe(true);
    expect(isLocked(new Error('no such table'))).toBe(false);
    expect(isLocked('database is locked')).toBe(false);
  });
});

describe('locks', () => {
  it('are given to one of many who ask at once', async () => {
    const file = join(folder, 'run.lock');
    const asked = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => acquireLock(file, { owner: `o${n}` })));
    const won = asked.filter((one) => one.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const one of asked) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'locked' });
    await won[0]!.value.release();
  });

  it('that were taken over are not released by the owner from before', async () => {
    const file = join(folder, 'run.lock');
    const mine = await acquireLock(file, { owner: 'me' });
    const other = { owner: 'other', pid: process.pid, host: hostname(), since: 'later' };
    await writeFile(file, JSON.stringify(other));
    await mine.release();
    expect(await lockOwner(file)).toEqual(other);
  });

  it('say in their error when and where the holder started', async () => {
    const file = join(folder, 'run.lock');
    const lock = await acquireLock(file, { owner: 'first window' });
    await expect(acquireLock(file, { owner: 'second' })).rejects.toThrow(
      new RegExp(`held by first window \\(process ${process.pid} on ${hostname()}, since \\d{4}-`),
    );
    await lock.release();
  });

  it('cannot be taken in a folder that cannot be written', async () => {
    const closed = join(folder, 'closed');
    await writeFile(closed, 'a file, where the folder of the lock should be');
    await chmod(closed, 0o400);
    await expect(acquireLock(join(closed, 'run.lock'), { owner: 'me' })).rejects.toThrow();
  });
});
