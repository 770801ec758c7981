import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BuiltHarness, built } from '../../../fixtureHarness';

/** Writes files to a folder of their own, indexes it and builds its map. */
export async function harnessOf(files: Readonly<Record<string, string>>): Promise<BuiltHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-derive-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return built(folder);
}
