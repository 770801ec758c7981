import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexHarness, loadGraph } from '../../../src/core/graph';
import { openHarness } from '../../../src/core/harness';
import { openDatabase, type SqlValue, storePaths } from '../../../src/core/store';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'damaged-'));
  await writeFile(join(root, 'agent.py'), 'from tools import run\n\ndef main():\n    run()\n');
  await writeFile(join(root, 'tools.py'), 'def run():\n    stop()\n\ndef stop():\n    pass\n');
  await writeFile(join(root, 'system_prompt.md'), 'You are an agent that reads files before it edits them.\n');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const index = async () => indexHarness(await openHarness(root));

async function change(sql: string, ...values: SqlValue[]): Promise<void> {
  const database = await openDatabase(storePaths(root).indexDatabase);
  database.prepare(sql).run(...values);
  database.close();
}

/** Damages the facts of one file and takes the linked graph away, so that the facts are needed. */
async function damage(path: string, record: string): Promise<void> {
  await change('UPDATE graph_files SET record = ? WHERE path = ?', record, path);
  await change('DELETE FROM graph_data');
}

const noFacts = { language: 'python', lines: 5, artifact: null, package: null };

describe('damaged facts of one file', () => {
  test.each([
    ['text that is no JSON', 'tools.py', '{"language":"pyth'],
    ['nothing', 'tools.py', ''],
    ['JSON of something else', 'tools.py', '[1,2]'],
    ['null', 'tools.py', 'null'],
    ['a record without its lists', 'tools.py', JSON.stringify({ ...noFacts, facts: { lines: 5, parseErrors: 0 } })],
    ['lists of something else', 'tools.py', JSON.stringify({ ...noFacts, facts: { symbols: 'none', calls: 3 } })],
    ['a prompt without nodes', 'system_prompt.md', JSON.stringify({ ...noFacts, facts: null, artifact: {} })],
  ])('%s: the file is parsed again, the others are not', async (_, path, record) => {
    const first = await index();
    await damage(path, record);
    const second = await index();
    expect(second.stats).toMatchObject({ parsed: 1, reused: 2, removed: 0, files: 3 });
    expect(second.graph.data).toEqual(first.graph.data);
    expect((await index()).stats).toMatchObject({ parsed: 0, reused: 3 });
  });

  test('its new facts take the place of the damaged ones', async () => {
    await index();
    await damage('tools.py', '{');
    await index();
    await change('DELETE FROM graph_data');
    const { graph, stats } = await index();
    expect(stats.parsed).toBe(0);
    expect(graph.out('tools.py#run', 'calls').map(({ to }) => to)).toEqual(['tools.py#stop']);
  });

  test('a damaged file that is gone meanwhile is left out', async () => {
    await index();
    await damage('tools.py', '{');
    await rm(join(root, 'tools.py'));
    const { graph, stats } = await index();
    expect(stats).toMatchObject({ parsed: 0, removed: 1, files: 2 });
    expect(graph.out('agent.py#main', 'calls')).toEqual([]);
  });

  test('a row whose size or time is no number counts as unknown', async () => {
    const first = await index();
    await change('UPDATE graph_files SET mtimeMs = ?, bytes = ? WHERE path = ?', 'yesterday', 'many', 'tools.py');
    const second = await index();
    expect(second.stats).toMatchObject({ parsed: 1, reused: 2 });
    expect(second.graph.data).toEqual(first.graph.data);
  });

  test('damaged counts of the linked graph are made again', async () => {
    const first = await index();
    await change('UPDATE graph_data SET stats = ?', '{"files": "three"');
    const second = await index();
    expect(second.stats).toMatchObject({ parsed: 0, files: 3, functions: 3, calls: first.stats.calls });
    await change('UPDATE graph_data SET stats = ?', '{"files": "three"}');
    expect((await index()).stats.files).toBe(3);
    expect((await loadGraph(await openHarness(root)))?.data).toEqual(first.graph.data);
  });
});

describe('the file of the index', () => {
  const file = () => storePaths(root).indexDatabase;

  test.each([
    ['text', () => writeFile(file(), 'no database at all, but of some length. '.repeat(200))],
    ['a database with other tables', () => change('ALTER TABLE graph_meta RENAME COLUMN value TO amount')],
    [
      'a database with damaged pages',
      async () => {
        const bytes = await readFile(file());
        await writeFile(file(), bytes.fill(0xff, 100, 4096));
      },
    ],
  ])('that is %s is made anew', async (_, spoil) => {
    const first = await index();
    await spoil();
    const second = await index();
    expect(second.stats).toMatchObject({ parsed: 3, reused: 0 });
    expect(second.graph.data).toEqual(first.graph.data);
  });

  test('is kept when the error is not of its content', async () => {
    await index();
    await change("UPDATE graph_meta SET value = '0' WHERE key = 'format'");
    await change("CREATE TRIGGER full BEFORE DELETE ON graph_meta BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
    await expect(index()).rejects.toMatchObject({ code: 'index-unreadable', exitCode: 3 });
    await change('DROP TRIGGER full');
    const database = await openDatabase(file());
    expect(database.prepare('SELECT count(*) AS rows FROM graph_files').get()).toEqual({ rows: 3 });
    database.close();
  });

  test('is a typed error when a folder is in its place', async () => {
    await mkdir(file(), { recursive: true });
    await expect(index()).rejects.toMatchObject({ code: 'index-unreadable', exitCode: 3 });
  });
});
