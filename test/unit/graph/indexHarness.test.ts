import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CancelledError } from '../../../src/core/errors';
import { indexHarness, loadGraph, syntaxErrors } from '../../../src/core/graph';
import { openHarness } from '../../../src/core/harness';
import { openDatabase, storePaths } from '../../../src/core/store';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'graph-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

const index = async (work = {}) => indexHarness(await openHarness(root), work);

const small = {
  'agent.py': 'from tools import run\n\ndef main():\n    while True:\n        run()\n',
  'tools.py': 'import subprocess\n\ndef run():\n    subprocess.run(["ls"])\n',
  'view.tsx': 'export const View = () => <p>text</p>;\n',
  'prompts/system.md': 'You are an agent that reads files before it edits them.\n',
};

test('one file that is nested too deeply is left out, and stops nothing', async () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  await write({ ...small, 'deep.json': deep(50_000), 'deep.yaml': deep(20_000), 'deep.toml': `a = ${deep(20_000)}` });
  const { stats } = await index();
  expect(stats.perLanguage.python).toMatchObject({ files: 2, functions: 2 });
  expect(stats.skipped).toContainEqual({ path: 'deep.json', reason: 'it is nested too deeply' });
});

test('a database that can be neither used nor removed is named, with what to do', async () => {
  await write({ ...small, '.harnessmith/cache/index.db/in-its-place': 'x' });
  await expect(index()).rejects.toMatchObject({
    code: 'index-unreadable',
    exitCode: 3,
    message: expect.stringContaining('index.db'),
  });
});

describe('a refresh', () => {
  test('reads everything once, then nothing, then what changed', async () => {
    await write(small);
    const first = await index();
    expect(first.stats).toMatchObject({ parsed: 4, reused: 0, removed: 0, calls: 2, resolved: 2, unresolved: 0 });
    expect(first.stats.perLanguage.python).toEqual({ files: 2, functions: 2, lines: 9 });

    const second = await index();
    expect(second.stats).toMatchObject({ parsed: 0, reused: 4, calls: 2 });
    expect(second.graph.data).toEqual(first.graph.data);

    await write({ 'tools.py': 'def run():\n    stop()\n\ndef stop():\n    pass\n' });
    const third = await index();
    expect(third.stats).toMatchObject({ parsed: 1, reused: 3 });
    expect(third.graph.out('tools.py#run', 'calls').map(({ to }) => to)).toEqual(['tools.py#stop']);
    expect(third.graph.out('agent.py#main', 'calls').map(({ to }) => to)).toEqual(['tools.py#run']);
  });

  test('does not parse a touched file whose text is the same', async () => {
    await write(small);
    await index();
    const later = new Date(Date.now() + 5000);
    await utimes(join(root, 'tools.py'), later, later);
    expect((await index()).stats).toMatchObject({ parsed: 0, reused: 4 });
  });

  test('forgets removed files and what led to them', async () => {
    await write(small);
    await index();
    await rm(join(root, 'tools.py'));
    const { graph, stats } = await index();
    expect(stats).toMatchObject({ parsed: 0, removed: 1 });
    expect(graph.inFile('tools.py')).toEqual([]);
    expect(graph.out('agent.py#main', 'calls')).toEqual([]);
  });

  test('is the same graph that is loaded later, and nothing before the first', async () => {
    await write(small);
    const harness = await openHarness(root);
    expect(await loadGraph(harness)).toBeNull();
    expect(existsSync(storePaths(root).folder)).toBe(false);
    const { graph } = await indexHarness(harness);
    expect((await loadGraph(harness))?.data).toEqual(graph.data);
  });

  test('links again when the stored graph is damaged', async () => {
    await write(small);
    const first = await index();
    const database = await openDatabase(storePaths(root).indexDatabase);
    database.exec("UPDATE graph_data SET data = '{'");
    database.close();
    const second = await index();
    expect(second.stats.parsed).toBe(0);
    expect(second.graph.data).toEqual(first.graph.data);
  });

  test('gives the stored graph the present folder after a move', async () => {
    await write(small);
    await index();
    const moved = `${root}-moved`;
    await rename(root, moved);
    root = moved;
    const { graph, stats } = await index();
    expect(stats.parsed).toBe(0);
    expect(graph.data.root).toBe(await realpath(moved));
  });

  test('starts anew when its database is damaged', async () => {
    await write(small);
    await index();
    const file = storePaths(root).indexDatabase;
    for (const suffix of ['-wal', '-shm']) await rm(file + suffix, { force: true });
    await writeFile(file, 'this is no database, it only has its name'.repeat(200));
    expect((await index()).stats).toMatchObject({ parsed: 4 });
    expect((await stat(file)).size).toBeGreaterThan(8000);
  });

  test('can be cancelled and leaves a usable cache', async () => {
    await write(small);
    const controller = new AbortController();
    const progress = ({ message }: { message: string }) => {
      if (message === 'Reading sources') controller.abort();
    };
    await expect(index({ signal: controller.signal, progress })).rejects.toBeInstanceOf(CancelledError);
    expect((await index()).stats.files).toBe(4);
  });
});

describe('files that are not what they seem', () => {
  test('binary, minified and oversized files are left out with a reason', async () => {
    await write({
      ...small,
      'binary.py': new Uint8Array([0x64, 0x65, 0x66, 0, 1, 2, 3]),
      'bundle.js': `var a=${'1+'.repeat(900_000)}1;`,
      'vendor/lib.min.js': 'function a(){}\n',
      'data.ts': `export const x = '${'y'.repeat(2_200_000)}';\n`,
    });
    const { stats } = await index();
    expect(stats.skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'binary.py: it is binary',
      'bundle.js: it is minified: its lines have 1800008 characters on average',
      'data.ts: it is 2.1 MB; files over 2 MB are not indexed',
      'vendor/lib.min.js: it is minified by its name',
    ]);
    expect(stats.files).toBe(4);
  });

  test('Latin-1 and UTF-16 sources are read as text', async () => {
    await write({
      'latin.py': Buffer.from('def gr\xfc\xdfe():\n    return "sch\xf6ne Gr\xfc\xdfe an alle"\n', 'latin1'),
      'wide.py': Buffer.from('\ufeffdef wide():\n    pass\n', 'utf16le'),
    });
    const { graph } = await index();
    expect(graph.functions().map(({ id }) => id)).toEqual(['latin.py#gr\u00fc\u00dfe', 'wide.py#wide']);
    expect(graph.data.literals.map(({ parts }) => parts)).toEqual([['sch\u00f6ne Gr\u00fc\u00dfe an alle']]);
  });

  test('syntax errors are counted, not fatal', async () => {
    await write({ 'bad.py': 'def ok():\n    pass\n\ndef (:\n', 'bad.ts': 'function f( {\n' });
    const { stats, graph } = await index();
    expect(stats.filesWithErrors).toBe(2);
    expect(graph.node('bad.py#ok')).toBeDefined();
  });

  test('deep nesting and very long files', async () => {
    const deep = 20_000;
    await write({
      'deep.py': `x = ${'('.repeat(deep)}1${')'.repeat(deep)}\n\ndef after():\n    pass\n`,
      'chain.js': `export function f() { return a${'.b()'.repeat(3000)}; }\n`,
      'long.py': Array.from({ length: 25_000 }, (_, i) => `def f${i}():\n    pass\n`).join(''),
    });
    const { graph, stats } = await index();
    expect(stats.perLanguage.python?.functions).toBeGreaterThanOrEqual(25_000);
    expect(graph.node('long.py#f24999')).toMatchObject({ start: 49_999, end: 50_000 });
    expect(graph.node('chain.js#f')).toBeDefined();
  });

  test('symbolic link loops are not followed', async () => {
    await write(small);
    await symlink(root, join(root, 'loop'));
    expect((await index()).stats.files).toBe(4);
  });

  test('empty files and empty harnesses', async () => {
    expect((await index()).stats).toMatchObject({ files: 0, functions: 0, calls: 0 });
    await write({ 'empty.py': '', 'empty.ts': '' });
    expect((await index()).stats.files).toBe(2);
  });
});

describe('syntax errors of a text', () => {
  test('name the line; unknown kinds have none', async () => {
    expect(await syntaxErrors('a.py', 'def f():\n    return 1\n')).toEqual([]);
    expect((await syntaxErrors('a.ts', 'const a = 1;\nconst = ;\n')).map(({ line }) => line)).toContain(2);
    expect((await syntaxErrors('a.rs', 'fn main( {')).map(({ line }) => line)).toEqual([1]);
    expect((await syntaxErrors('a.go', 'package a\n\nfunc main( {\n')).length).toBeGreaterThan(0);
    expect(await syntaxErrors('a.zig', 'fn main( {')).toEqual([]);
  });
});
