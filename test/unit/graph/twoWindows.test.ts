import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexHarness, loadGraph } from '../../../src/core/graph';
import { openHarness } from '../../../src/core/harness';
import { isLocked } from '../../../src/core/store';

const source = join(import.meta.dirname, '../../../src/core');
const require = createRequire(import.meta.url);

let folder: string;
let root: string;

/** Bundles a program that indexes a folder and prints what it counted: real processes are needed for real locks. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windows-'));
  root = join(folder, 'harness');
  await build({
    stdin: {
      contents:
        "import { indexHarness } from './graph';\nimport { openHarness } from './harness';\n" +
        // Processes take a while to start; waiting for one moment brings them to the database together.
        'while (Date.now() < Number(process.argv[3]));\n' +
        'openHarness(process.argv[2]).then((harness) => indexHarness(harness)).then(' +
        '({ stats }) => console.log(JSON.stringify({ files: stats.files, resolved: stats.resolved })), ' +
        '(error) => { console.error(error, error.cause); process.exitCode = 1; });',
      resolveDir: source,
      loader: 'ts',
    },
    outfile: join(folder, 'dist', 'window.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
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
  await mkdir(root);
  for (let i = 0; i < 20; i++)
    await writeFile(join(root, `f${i}.py`), `from f${i + 1} import f${i + 1}\n\ndef f${i}():\n    f${i + 1}()\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function window(moment: number): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-warnings', join(folder, 'dist', 'window.cjs'), root, String(moment)]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      stderr += data.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

describe('two windows on one repository', () => {
  test('both index it at once, in processes of their own, and leave a cache that serves', async () => {
    const moment = Date.now() + 400;
    const windows = await Promise.all([window(moment), window(moment), window(moment)]);
    for (const { code, stdout, stderr } of windows) {
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ files: 20, resolved: 19 });
    }
    const harness = await openHarness(root);
    const { stats, graph } = await indexHarness(harness);
    expect(stats).toMatchObject({ parsed: 0, reused: 20 });
    expect((await loadGraph(harness))?.data).toEqual(graph.data);
  });

  test('a lock is told apart from damage, so that no window deletes what another works in', () => {
    const locked = new Error('database is locked');
    expect(isLocked(locked)).toBe(true);
    expect(isLocked(new Error('The index cannot be opened.', { cause: locked }))).toBe(true);
    expect(isLocked(new Error('file is not a database'))).toBe(false);
    expect(isLocked('database is locked')).toBe(false);
  });

  test('both index it at once in one process, also when the other empties the cache first', async () => {
    const harness = await openHarness(root);
    await rm(join(root, '.harnessmith'), { recursive: true, force: true });
    const both = await Promise.all([indexHarness(harness), indexHarness(harness)]);
    for (const { stats } of both) expect(stats).toMatchObject({ files: 20, resolved: 19 });
    expect(both[0].graph.data).toEqual(both[1].graph.data);
  });
});
