// Where the test tools keep things: the repository itself, the shared cache folder, and temporary folders.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder that keeps downloaded editors between runs and between clones. Made when missing. */
export function cacheFolder() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'harnessmith');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A new empty temporary folder; the caller removes it. */
export function temporaryFolder(purpose) {
  return mkdtempSync(join(tmpdir(), `harnessmith-${purpose}-`));
}
