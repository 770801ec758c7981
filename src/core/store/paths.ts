import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextIfPresent, writeFileAtomic } from './files';

/** Name of the folder in the harness repository that the extension and the command line share. */
export const storeFolderName = '.harnessmith';

/** Absolute paths of everything kept in `.harnessmith/`; see docs/architecture.md. */
export function storePaths(root: string) {
  const folder = join(root, storeFolderName);
  const proposals = join(folder, 'proposals');
  const runs = join(folder, 'runs');
  const cache = join(folder, 'cache');
  return {
    folder,
    harnessJson: join(folder, 'harness.json'),
    handbookJson: join(folder, 'handbook.json'),
    ledger: join(folder, 'ledger.jsonl'),
    /** Traces that were imported from anywhere; paths only. */
    imports: join(folder, 'imports.json'),
    cache,
    indexDatabase: join(cache, 'index.db'),
    proposals,
    proposal: (id: string) => join(proposals, id),
    runs,
    run: (id: string) => join(runs, id),
  };
}

const ignored = 'cache/\nproposals/\nruns/\nimports.json\n*.lock\n';

/** Makes the folder with a `.gitignore` for what does not belong in git. Leaves an existing `.gitignore` alone. */
export async function ensureStore(root: string): Promise<void> {
  const { folder, cache } = storePaths(root);
  await mkdir(cache, { recursive: true });
  const file = join(folder, '.gitignore');
  if ((await readTextIfPresent(file)) === undefined) await writeFileAtomic(file, ignored);
}
