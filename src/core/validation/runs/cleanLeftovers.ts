import { sep } from 'node:path';
import { gitFacts } from '../../harness';
import { lockOwner, readJsonFile, storePaths } from '../../store';
import { RunManifest } from '../model';
import { killMarked } from '../runner';
import { registeredWorktrees, releaseCommits, removeWorktree, worktreeFolder } from '../worktrees';
import { manifestFile, runIds, runLockFile, writeManifest } from './runStore';

/** Variable that every process of a run carries; its value is the run folder. */
export const runMark = 'HARNESSMITH_RUN_FOLDER';

export interface Leftovers {
  worktrees: string[];
  processes: number;
  /** Runs that said "running" though nobody carries them out; now "interrupted", and can be resumed. */
  interrupted: string[];
}

/**
 * Removes what crashed runners left: processes (Linux), worktrees and references of deleted runs. Leaves runs alone that
 * somebody carries out. Finished trials stay.
 */
export async function cleanLeftovers(root: string): Promise<Leftovers> {
  const leftovers: Leftovers = { worktrees: [], processes: 0, interrupted: [] };
  const ids = await runIds(root);
  const inUse = new Set<string>();
  for (const id of ids) {
    if ((await lockOwner(runLockFile(root, id))) !== undefined) inUse.add(id);
    else if (await saysRunning(root, id)) {
      leftovers.processes += await endOrphans(root, id);
      await markInterrupted(root, id);
      leftovers.interrupted.push(id);
    }
  }
  if (!(await gitFacts(root)).repository) return leftovers;
  const runs = storePaths(root).runs + sep;
  for (const folder of await registeredWorktrees(root)) {
    if (!folder.startsWith(runs) || inUse.has(folder.slice(runs.length).split(sep)[0] ?? '')) continue;
    await removeWorktree(root, folder);
    leftovers.worktrees.push(folder);
  }
  await releaseCommits(root, new Set(ids));
  return leftovers;
}

/** Kills processes and removes worktrees of one run. The caller holds its lock. */
export async function cleanRun(root: string, manifest: RunManifest): Promise<void> {
  await endOrphans(root, manifest.id);
  for (const { arm } of manifest.arms)
    await removeWorktree(root, worktreeFolder(storePaths(root).run(manifest.id), arm));
}

function endOrphans(root: string, id: string): Promise<number> {
  return killMarked(runMark, storePaths(root).run(id));
}

/** Runs in any other state have ended their processes themselves, so the process table need not be searched for them. */
async function saysRunning(root: string, id: string): Promise<boolean> {
  try {
    return (await readJsonFile(manifestFile(root, id), RunManifest)).state === 'running';
  } catch {
    return false; // a damaged manifest is reported where the run is opened; cleaning up must not stop at it
  }
}

async function markInterrupted(root: string, id: string): Promise<void> {
  await writeManifest(root, { ...(await readJsonFile(manifestFile(root, id), RunManifest)), state: 'interrupted' });
}
