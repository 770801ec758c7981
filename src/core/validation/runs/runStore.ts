import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, messageOf } from '../../errors';
import {
  isMissing,
  type LockOwner,
  lockOwner,
  parseJson,
  readJsonFile,
  readTextIfPresent,
  storePaths,
  writeJsonFile,
} from '../../store';
import { RunManifest, type Trial, Verdict } from '../model';
import { readTrials } from './trialLog';

/** A run as it is on disk. */
export interface RunRecord {
  manifest: RunManifest;
  trials: Trial[];
  /** Null until the run is finished. */
  verdict: Verdict | null;
  /** Who carries it out at this moment. */
  runner: LockOwner | null;
}

export interface RunList {
  /** Newest first. */
  runs: RunManifest[];
  /** Run folders that cannot be read, with the reason. */
  unreadable: { id: string; reason: string }[];
}

/** The advisory lock of a run. */
export function runLockFile(root: string, id: string): string {
  return join(storePaths(root).run(id), 'run.lock');
}

export function manifestFile(root: string, id: string): string {
  return join(storePaths(root).run(id), 'manifest.json');
}

export function verdictFile(root: string, id: string): string {
  return join(storePaths(root).run(id), 'verdict.json');
}

/**
 * The manifest of a run. A run that says "running" while nobody carries it out was interrupted, and is returned so.
 * @throws InputError when there is no such run, naming the known ones, or when its manifest is damaged.
 */
export async function readManifest(root: string, id: string): Promise<RunManifest> {
  const known = await runIds(root);
  // Membership, not a path check: an id from outside never becomes part of a path unless it is a run.
  if (!known.includes(id)) {
    throw new InputError(`There is no run ${id}.`, {
      code: 'run-unknown',
      nextStep:
        known.length > 0 ? `Known runs: ${known.slice(-5).reverse().join(', ')}.` : 'Validate a proposal first.',
    });
  }
  const manifest = await readJsonFile(manifestFile(root, id), RunManifest);
  const orphaned = manifest.state === 'running' && (await lockOwner(runLockFile(root, id))) === undefined;
  return orphaned ? { ...manifest, state: 'interrupted' } : manifest;
}

/** A run with its finished trials and, once there is one, its verdict. */
export async function readRun(root: string, id: string): Promise<RunRecord> {
  // First, so that without a runner everything read afterwards is final.
  const runner = (await lockOwner(runLockFile(root, id))) ?? null;
  const manifest = await readManifest(root, id);
  const text = await readTextIfPresent(verdictFile(root, id));
  return {
    manifest,
    trials: await readTrials(root, id),
    verdict: text === undefined ? null : parseJson(text, Verdict, verdictFile(root, id)),
    runner,
  };
}

/** All runs of a harness. A damaged one does not hide the others. */
export async function listRuns(root: string): Promise<RunList> {
  const list: RunList = { runs: [], unreadable: [] };
  for (const id of await runIds(root)) {
    try {
      list.runs.push(await readManifest(root, id));
    } catch (error) {
      list.unreadable.push({ id, reason: messageOf(error) });
    }
  }
  list.runs.sort((one, other) => other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id));
  return list;
}

/** Names of all run folders, sorted. */
export async function runIds(root: string): Promise<string[]> {
  try {
    const found = await readdir(storePaths(root).runs, { withFileTypes: true });
    return found
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Replaces the manifest as a whole, so that readers never see a part of it. */
export function writeManifest(root: string, manifest: RunManifest): Promise<void> {
  return writeJsonFile(manifestFile(root, manifest.id), RunManifest.parse(manifest));
}
