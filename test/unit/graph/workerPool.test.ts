import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileResult } from '../../../src/core/graph/analyzeFile';
import type { analyzeFiles } from '../../../src/core/graph/workerPool';

const source = join(import.meta.dirname, '../../../src/core/graph');
const require = createRequire(import.meta.url);

let folder: string;
let pool: { analyzeFiles: typeof analyzeFiles };

/** Bundles the pool and its worker like the release does, because workers only exist there. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graph-pool-'));
  await build({
    entryPoints: { pool: join(source, 'workerPool.ts'), graphWorker: join(source, 'graphWorker.ts') },
    outdir: join(folder, 'dist'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    mainFields: ['module', 'main'],
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
    external: ['node:sqlite'],
    logLevel: 'error',
  });
  const wasm = join(folder, 'dist', 'wasm');
  await mkdir(wasm);
  await cp(require.resolve('web-tree-sitter/web-tree-sitter.wasm'), join(wasm, 'web-tree-sitter.wasm'));
  const name = 'tree-sitter-python.wasm';
  await cp(require.resolve(`@vscode/tree-sitter-wasm/wasm/${name}`), join(wasm, name));
  for (let i = 0; i < 250; i++) await writeFile(join(folder, `f${i}.py`), `def f${i}():\n    g()\n`);
  pool = (await import(pathToFileURL(join(folder, 'dist', 'pool.cjs')).href)) as typeof pool;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tasks = Array.from({ length: 250 }, (_, i) => ({ path: `f${i}.py` }));

describe('the worker pool', () => {
  test('gives a result for every file, with the bundled parser', async () => {
    const results: FileResult[] = [];
    await pool.analyzeFiles(folder, tasks, (batch) => results.push(...batch));
    expect(new Set(results.map(({ path }) => path)).size).toBe(250);
    expect(results.every(({ status }) => status === 'analyzed')).toBe(true);
    const one = results.find(({ path }) => path === 'f7.py');
    expect(one?.status === 'analyzed' && JSON.parse(one.record)).toMatchObject({ language: 'python', lines: 2 });
  });

  test('stops between batches when cancelled, and its workers are gone', async () => {
    const before = process
      .getActiveResourcesInfo()
      .filter((kind) => kind === 'MessagePort' || kind === 'Worker').length;
    const controller = new AbortController();
    let batches = 0;
    const report = () => {
      batches += 1;
      controller.abort();
    };
    await expect(pool.analyzeFiles(folder, tasks, report, controller.signal)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(batches).toBeLessThan(Math.ceil(250 / 32));
    const after = process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort' || kind === 'Worker').length;
    expect(after).toBeLessThanOrEqual(before);
  });

  test('a missing file is told, a worker that cannot start is an error with a next step', async () => {
    const results: FileResult[] = [];
    await pool.analyzeFiles(folder, [...tasks, { path: 'gone.py' }], (batch) => results.push(...batch));
    expect(results.find(({ path }) => path === 'gone.py')).toEqual({ status: 'missing', path: 'gone.py' });
    const worker = join(dirname(join(folder, 'dist', 'pool.cjs')), 'graphWorker.cjs');
    await writeFile(worker, 'throw new Error("broken bundle");\n');
    await expect(pool.analyzeFiles(folder, tasks, () => {})).rejects.toMatchObject({
      code: 'index-worker-failed',
      nextStep: expect.stringContaining('Run the index again'),
    });
  });
});
