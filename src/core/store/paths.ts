import { lstat, mkdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { EnvironmentError, InputError, messageOf } from '../errors';
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

/**
 * Makes the folder with a `.gitignore` for what does not belong in git. Leaves an existing `.gitignore` alone.
 * @throws InputError when a symbolic link in it leads out of the repository, EnvironmentError when it cannot be made.
 */
export async function ensureStore(root: string): Promise<void> {
  const { folder, cache, ledger, indexDatabase, proposals, runs } = storePaths(root);
  for (const path of [folder, cache, join(cache, 'handbook'), indexDatabase, ledger, proposals, runs]) {
    await refuseLinkOutside(root, path);
  }
  try {
    await mkdir(cache, { recursive: true });
  } catch (error) {
    throw new EnvironmentError(`The folder ${cache} cannot be made: ${messageOf(error)}`, {
      code: 'store-unwritable',
      nextStep: `Remove what is in its place, or make ${root} writable.`,
      cause: error,
    });
  }
  const file = join(folder, '.gitignore');
  if ((await readTextIfPresent(file)) === undefined) await writeFileAtomic(file, ignored);
}

/** A repository may come with links in place of these; what is written through them would land in files of the user. */
async function refuseLinkOutside(root: string, path: string): Promise<void> {
  if (!(await lstat(path).catch(() => undefined))?.isSymbolicLink()) return;
  const target = await realpath(path).catch(() => undefined);
  if (target?.startsWith(`${await realpath(root)}${sep}`)) return;
  throw new InputError(`${path} is a symbolic link that leads out of the repository.`, {
    code: 'store-outside',
    nextStep: 'Remove the link; Harnessmith writes inside the repository only.',
  });
}
