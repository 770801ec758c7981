import { spawn } from 'node:child_process';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EnvironmentError } from '../../../src/core/errors';
import {
  acquireLock,
  appendJsonLine,
  currentPerson,
  ensureStore,
  Ledger,
  type LedgerEntry,
  LockedError,
  lockOwner,
  openDatabase,
  parseJson,
  readJsonFile,
  readJsonLines,
  storePaths,
  writeFileAtomic,
} from '../../../src/core/store';
import { openWasm } from '../../../src/core/store/database';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harnessmith-store-'));
});

describe.each([
  ['node:sqlite', openDatabase],
  ['node-sqlite3-wasm', openWasm],
] as const)('database through %s', (driver, open) => {
  it('keeps rows over a reopen and rolls a failed transaction back', async () => {
    const file = join(folder, 'index.db');
    const first = await open(file);
    expect(first.driver).toBe(driver);
    first.exec('CREATE TABLE symbols (name TEXT, line INTEGER)');
    const insert = first.prepare('INSERT INTO symbols VALUES (?, ?)');
    first.transaction(() => insert.run('run', 41));
    expect(() =>
      first.transaction(() => {
        insert.run('lost', 1);
        throw new Error('stop');
      }),
    ).toThrow('stop');
    first.close();
    const second = await open(file);
    expect(second.prepare('SELECT name, line FROM symbols').all()).toEqual([{ name: 'run', line: 41 }]);
    expect(second.prepare('SELECT name FROM symbols WHERE line = ?').get(7)).toBeUndefined();
    second.close();
  });

  it('has full-text search', async () => {
    const database = await open(join(folder, 'search.db'));
    database.exec("CREATE VIRTUAL TABLE words USING fts5(text, tokenize='porter unicode61')");
    database.prepare('INSERT INTO words VALUES (?)').run('truncates long output');
    expect(database.prepare("SELECT text FROM words WHERE words MATCH 'truncate'").all()).toHaveLength(1);
    database.close();
  });
});

it('names the file when it is no database', async () => {
  const file = join(folder, 'index.db');
  await writeFile(file, 'this is not a database, but it is long enough to look at'.repeat(40));
  await expect(openDatabase(file)).rejects.toMatchObject({
    code: 'index-unreadable',
    message: expect.stringContaining(file),
  });
});

describe('files', () => {
  it('replaces a file whole, keeps its permissions and leaves nothing beside it', async () => {
    const file = join(folder, 'deep', 'run.sh');
    await writeFileAtomic(file, 'old');
    await chmod(file, 0o755);
    await writeFileAtomic(file, 'new');
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o755);
    expect(await readdir(join(folder, 'deep'))).toEqual(['run.sh']);
  });

  it('keeps the old content when the new one cannot be written', async () => {
    const file = join(folder, 'taken');
    await ensureStore(join(folder, 'taken')); // a folder stands where the file should go
    await expect(writeFileAtomic(file, 'x')).rejects.toMatchObject({ code: 'write-failed' });
    expect(await readdir(folder)).toEqual(['taken']);
  });

  it('names the place of what is wrong in JSON', async () => {
    const schema = z.strictObject({ roots: z.array(z.string()) });
    expect(() => parseJson('{"roots": [1], "rots": 2}', schema, 'harness.json')).toThrow(/harness\.json.*roots\.0/);
    expect(() => parseJson('{"roots": ', schema, 'harness.json')).toThrow(/harness\.json is not valid JSON/);
    expect(parseJson('\uFEFF{"roots": []}', schema, 'harness.json')).toEqual({ roots: [] });
    await expect(readJsonFile(join(folder, 'none.json'), schema)).rejects.toMatchObject({
      code: 'file-missing',
      exitCode: 2,
    });
  });
});

describe('JSON lines', () => {
  it('closes a torn last line and passes over it when reading', async () => {
    const file = join(folder, 'trials.jsonl');
    await appendJsonLine(file, { n: 1 });
    await appendFile(file, '{"n": 2, "te');
    await appendJsonLine(file, { n: 3 });
    const read = await readJsonLines(file, z.object({ n: z.number() }));
    expect(read).toEqual({ entries: [{ n: 1 }, { n: 3 }], torn: [2] });
  });

  it('refuses a whole line of another shape instead of hiding it', async () => {
    const file = join(folder, 'trials.jsonl');
    await writeFile(file, '{"n": 1}\n{"m": 2}\n');
    await expect(readJsonLines(file, z.object({ n: z.number() }))).rejects.toThrow(/line 2.*n:/);
  });

  it('gives back what was appended, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }), async (texts) => {
        const file = join(await mkdtemp(join(folder, 'case-')), 'lines.jsonl');
        for (const text of texts) await appendJsonLine(file, { text });
        const read = await readJsonLines(file, z.object({ text: z.string() }));
        expect(read.entries.map((entry) => entry.text)).toEqual(texts);
      }),
      { numRuns: 20 },
    );
  });
});

it('records decisions in the ledger and keeps generated folders out of git', async () => {
  const ledger = await Ledger.open(folder);
  const entry: LedgerEntry = {
    kind: 'decision',
    at: '2026-01-01T00:00:00Z',
    by: currentPerson(),
    proposal: 'p-1',
    hunks: [1],
    state: 'accepted',
  };
  await ledger.append(entry);
  expect((await (await Ledger.open(folder)).read()).entries).toEqual([entry]);
  expect(await readFile(join(storePaths(folder).folder, '.gitignore'), 'utf8')).toContain('cache/');
});

describe('links in the store', () => {
  it.each(['', 'cache', 'cache/handbook', 'ledger.jsonl', 'runs'])(
    'are refused where "%s" leads outside',
    async (part) => {
      const root = join(folder, 'repository');
      const outside = join(folder, 'outside');
      await mkdir(outside);
      const link = join(root, '.harnessmith', part);
      await mkdir(dirname(link), { recursive: true });
      await symlink(part.endsWith('.jsonl') ? join(outside, 'profile') : outside, link);
      await expect(ensureStore(root)).rejects.toThrow(/leads out of the repository/);
      expect(await readdir(outside)).toEqual([]);
    },
  );

  it('is refused in words where a file is in its place', async () => {
    await writeFile(join(folder, '.harnessmith'), 'x');
    const failed = ensureStore(folder);
    await expect(failed).rejects.toThrow(EnvironmentError);
    await expect(failed).rejects.toMatchObject({ code: 'store-unwritable', message: expect.stringContaining(folder) });
  });

  it('may lead to a place inside', async () => {
    await mkdir(join(folder, '.harnessmith'));
    await mkdir(join(folder, 'large'));
    await symlink(join(folder, 'large'), join(folder, '.harnessmith', 'runs'));
    await ensureStore(folder);
    expect((await stat(storePaths(folder).cache)).isDirectory()).toBe(true);
  });
});

describe('locks', () => {
  it('names the holder, and is free again after release', async () => {
    const file = join(folder, 'run.lock');
    const lock = await acquireLock(file, { owner: 'first window' });
    await expect(acquireLock(file, { owner: 'second window' })).rejects.toThrow(/first window/);
    await expect(acquireLock(file, { owner: 'second window' })).rejects.toBeInstanceOf(LockedError);
    expect((await lockOwner(file))?.owner).toBe('first window');
    await lock.release();
    await (await acquireLock(file, { owner: 'second window' })).release();
    expect(await lockOwner(file)).toBeUndefined();
  });

  it('takes over from a process that died', async () => {
    const file = join(folder, 'run.lock');
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => child.on('close', resolve));
    const owner = { owner: 'dead', pid: child.pid, host: (await import('node:os')).hostname(), since: 'then' };
    await writeFile(file, JSON.stringify(owner));
    await (await acquireLock(file, { owner: 'alive' })).release();
  });

  it('takes over from another host only when its heartbeat stopped', async () => {
    const file = join(folder, 'run.lock');
    await writeFile(file, JSON.stringify({ owner: 'far', pid: 1, host: 'elsewhere', since: 'then' }));
    await expect(acquireLock(file, { owner: 'near' })).rejects.toThrow(/far/);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(file, longAgo, longAgo);
    await (await acquireLock(file, { owner: 'near' })).release();
  });
});
