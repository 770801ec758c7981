// Runs one benchmark of bench/: node scripts/bench.mjs <name> [its options]. Without a name, lists them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueUnderNode24, ensureBuilt, ensureDependencies, root, withNode24 } from './bootstrap.mjs';

ensureDependencies();
continueUnderNode24(fileURLToPath(import.meta.url));
ensureBuilt(); // the parser's files lie beside the bundles

const [name, ...options] = process.argv.slice(2);
const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3));
if (!names.includes(name)) {
  console.error(`Benchmarks: ${names.join(', ')}. bench/README.md says what each measures.`);
  process.exit(2);
}
const { build } = await import('esbuild');
const folder = join(root, 'dist', 'bench');
mkdirSync(folder, { recursive: true });
await build({
  entryPoints: [join(root, 'bench', `${name}.ts`)],
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outfile: join(folder, `${name}.mjs`),
  mainFields: ['module', 'main'],
  // CommonJS packages in an ES module bundle ask for these.
  banner: {
    js: 'import{createRequire as __makeRequire}from"node:module";import{dirname as __directoryOf}from"node:path";const require=__makeRequire(import.meta.url),__filename=import.meta.filename,__dirname=__directoryOf(__filename);',
  },
  logLevel: 'warning',
});
const result = spawnSync(process.execPath, [join(folder, `${name}.mjs`), ...options], {
  stdio: 'inherit',
  env: withNode24(),
});
process.exit(result.status ?? 1);
