// Writes docs/schema/*.json from the zod schemas: harness.json and every document of the command line.
// With --check it writes nothing and exits 1 when a file is not up to date.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'docs', 'schema');
const bundle = join(root, 'node_modules', '.cache', 'harnessmith-schema.cjs');

await build({
  entryPoints: [join(root, 'src/cli/schemas.ts')],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outfile: bundle,
  external: ['node:sqlite'],
  mainFields: ['module', 'main'],
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
  logLevel: 'warning',
});
const { jsonSchemas } = (await import(pathToFileURL(bundle).href)).default;
await rm(bundle);

const check = process.argv.includes('--check');
await mkdir(folder, { recursive: true });
let stale = 0;
for (const [name, schema] of Object.entries(jsonSchemas())) {
  const file = join(folder, `${name}.schema.json`);
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  const old = await readFile(file, 'utf8').catch(() => '');
  if (old === text) continue;
  if (check) {
    stale++;
    console.error(`docs/schema/${name}.schema.json is not up to date. Run: node scripts/schema.mjs`);
  } else {
    await writeFile(file, text);
  }
}
process.exitCode = stale > 0 ? 1 : 0;
