import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type OpenedHarness, openedHarness } from '../core/handbook';
import { commitTree, type Harness } from '../core/harness';
import type { WorkOptions } from '../core/progress';
import { ensureStore, storePaths } from '../core/store';

/**
 * The harness as it was at a commit, with the configuration it has now. Its files are kept in the cache, by the name of their
 * tree, so the second time is as fast as a harness that did not change.
 * @throws InputError when there is no such commit.
 */
export async function harnessAtCommit(
  harness: Harness,
  revision: string,
  work: WorkOptions,
): Promise<OpenedHarness & { commit: string }> {
  await ensureStore(harness.root);
  const { folder, commit } = await commitTree(
    harness.root,
    revision,
    join(storePaths(harness.root).cache, 'trees'),
    work,
  );
  if (harness.configFile !== null) {
    const file = storePaths(folder).harnessJson;
    await mkdir(dirname(file), { recursive: true });
    await copyFile(harness.configFile, file);
  }
  return { ...(await openedHarness(folder, work)), commit };
}
