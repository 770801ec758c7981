import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSync } from 'esbuild';

/** Bundles a program in TypeScript, with our sources, into a file that Node runs in another process. */
export function bundleProgram(outfile: string, source: string): void {
  const entry = `${outfile}.ts`;
  writeFileSync(entry, source);
  buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'cjs', // some packages of the trace readers call require
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
    outfile,
    nodePaths: [resolve('node_modules')],
    external: ['pg-native'],
  });
}
