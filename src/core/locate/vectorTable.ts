import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TermVectors } from './ranking';

const here = dirname(fileURLToPath(import.meta.url));
const name = 'termVectors.bin';
let table: Promise<TermVectors | undefined> | undefined;

/** The shipped term vectors, read at the first request; undefined in a build without them. */
export function shippedVectors(): Promise<TermVectors | undefined> {
  table ??= read();
  return table;
}

async function read(): Promise<TermVectors | undefined> {
  // Beside the bundle; from source beside this file.
  const file = [join(here, name), join(here, 'ranking', name)].find((path) => existsSync(path));
  return file ? TermVectors.read(await readFile(file), file) : undefined;
}
