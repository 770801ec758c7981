// Bundles the extension, the command line, the workers and the web pages into dist/. Flags: --watch, --development.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const watch = process.argv.includes('--watch');
const development = watch || process.argv.includes('--development');
const out = join(root, 'dist');

const common = {
  bundle: true,
  absWorkingDir: root,
  minify: !development,
  // Minified names would hide error classes in logs and break `error.name`.
  keepNames: true,
  sourcemap: development ? 'linked' : false,
  logLevel: 'warning',
  legalComments: 'none',
};

// web-tree-sitter and others read import.meta.url, which is empty in a CommonJS bundle.
const node = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  mainFields: ['module', 'main'], // jsonc-parser's UMD entry does not survive bundling
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
  external: ['vscode', 'node:sqlite'],
};

const entries = {
  extension: 'src/extension.ts',
  cli: 'src/cli/main.ts',
  graphWorker: 'src/core/graph/graphWorker.ts',
  hostWorker: 'src/host/hostWorker.ts',
};

const pages = existsSync(join(root, 'webview'))
  ? (await readdir(join(root, 'webview'), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() && existsSync(join(root, 'webview', entry.name, 'main.tsx')))
      .map((entry) => entry.name)
  : [];

/** The worker of the page that compares texts, as a text in its bundle: a page may start no worker from a file. */
const differenceWorker = {
  name: 'difference worker',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^difference-worker$/ }, ({ path }) => ({ path, namespace: 'difference-worker' }));
    onLoad({ filter: /.*/, namespace: 'difference-worker' }, async () => {
      const entry = join(root, 'node_modules', 'monaco-editor', 'esm', 'vs', 'editor', 'editor.worker.js');
      const { outputFiles } = await build({
        ...common,
        platform: 'browser',
        target: 'chrome120',
        format: 'iife',
        entryPoints: [entry],
        write: false,
        sourcemap: false,
      });
      return { contents: outputFiles[0].text, loader: 'text' };
    });
  },
};

const bundles = [
  {
    ...node,
    entryPoints: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(root, file)))),
    outdir: out,
  },
  {
    ...common,
    platform: 'browser',
    target: 'chrome120',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: { react: 'preact/compat', 'react-dom': 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime' },
    loader: { '.ttf': 'file' },
    // The icons of Monaco are of another version than ours and must not take their place.
    assetNames: 'monaco-[name]',
    plugins: [differenceWorker],
    entryPoints: Object.fromEntries(pages.map((page) => [page, `webview/${page}/main.tsx`])),
    outdir: join(out, 'webview'),
  },
].filter((bundle) => Object.keys(bundle.entryPoints).length > 0);

await rm(out, { recursive: true, force: true });
await mkdir(join(out, 'wasm'), { recursive: true });
await mkdir(join(out, 'webview'), { recursive: true });
// Files of other programs: Python and Node load them as they are.
await cp(join(root, 'src', 'recorder'), join(out, 'recorder'), {
  recursive: true,
  filter: (source) => !source.includes('__pycache__'),
});
const grammars = dirname(require.resolve('@vscode/tree-sitter-wasm/package.json'));
for (const name of ['python', 'typescript', 'tsx', 'javascript', 'go', 'rust']) {
  const file = `tree-sitter-${name}.wasm`;
  await cp(join(grammars, 'wasm', file), join(out, 'wasm', file));
}
await cp(require.resolve('web-tree-sitter/web-tree-sitter.wasm'), join(out, 'wasm', 'web-tree-sitter.wasm'));
// Term vectors of the localization, read at the first request.
const vectors = join(root, 'src', 'core', 'locate', 'ranking', 'termVectors.bin');
await cp(vectors, join(out, 'termVectors.bin'));
// The SQLite fallback looks for its WASM file beside the bundle.
const sqlite = join(dirname(require.resolve('node-sqlite3-wasm/package.json')), 'dist', 'node-sqlite3-wasm.wasm');
await cp(sqlite, join(out, 'node-sqlite3-wasm.wasm'));
const icons = join(dirname(require.resolve('@vscode/codicons/package.json')), 'dist');
for (const file of ['codicon.css', 'codicon.ttf']) await cp(join(icons, file), join(out, 'webview', file));

await writeFile(join(out, 'example.json'), JSON.stringify(await packExample(join(root, 'examples', 'tinker'))));

if (watch) {
  for (const bundle of bundles) await (await context(bundle)).watch();
  console.log('Watching for changes.');
} else {
  for (const bundle of bundles) await build(bundle);
}

/** The example as one object of path and text, because the VSIX has a budget of files. What runs left behind stays out. */
async function packExample(folder) {
  const packed = {};
  const left = /^\.harnessmith\/(?!harness\.json$|handbook\.json$)|(^|\/)node_modules\//;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (!left.test(path)) packed[path] = await readFile(join(folder, path), 'utf8');
  }
  return packed;
}
