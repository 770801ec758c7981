import { basename } from 'node:path';
import { EnvironmentError } from '../../../core/errors';
import { GitError, git, type Harness, openHarness } from '../../../core/harness';
import { ensureStore, storePaths, writeFileAtomic } from '../../../core/store';
import { listTasks } from '../../../core/validation';
import type { HarnessHead } from '../methods';
import type { Handlers } from '../workServer';

/** Opening and setting up a harness. */
export function harnessHandlers(): Pick<Handlers, 'openHarness' | 'createConfiguration' | 'startRepository'> {
  return {
    openHarness: async ({ root }) => headOf(await openHarness(root), root),
    createConfiguration: async ({ root }) => {
      const harness = await openHarness(root);
      if (harness.configFile) return harness.configFile;
      await ensureStore(root);
      const file = storePaths(root).harnessJson;
      await writeFileAtomic(file, `${JSON.stringify(startingConfiguration(basename(root)), null, 2)}\n`);
      return file;
    },
    startRepository: ({ root }) => startRepository(root),
  };
}

/** Validation compares commits, so a copy of the example starts with one. Without git everything else works. */
async function startRepository(root: string): Promise<boolean> {
  const identity = [
    '-c',
    'user.name=Harnessmith',
    '-c',
    'user.email=harnessmith@localhost',
    '-c',
    'commit.gpgsign=false',
  ];
  try {
    await git(root, ['init', '--quiet']);
    await git(root, ['add', '--all']);
    await git(root, [...identity, 'commit', '--quiet', '--message', 'The example harness']);
    return true;
  } catch (error) {
    if (error instanceof GitError || error instanceof EnvironmentError) return false;
    throw error;
  }
}

/** The keys most people need first, with values that hold for any folder. */
function startingConfiguration(name: string) {
  return { name, roots: ['.'], exclude: [], traces: [], suites: {} };
}

async function headOf(harness: Harness, root: string): Promise<HarnessHead> {
  const suites = await Promise.all(
    Object.entries(harness.config.suites).map(async ([name, suite]) => ({
      name,
      // None when they cannot be listed, which a run then reports with the reason.
      tasks: await listTasks(harness.root, name, suite).catch(() => []),
      trials: suite.trials,
    })),
  );
  return {
    root,
    name: harness.name,
    configFile: harness.configFile,
    suites,
    model: harness.config.model ?? null,
    applyTo: harness.config.review.applyTo,
  };
}
