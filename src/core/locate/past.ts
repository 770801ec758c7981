import { join } from 'node:path';
import { z } from 'zod';
import { git, type Harness, PastChange, readHistory } from '../harness';
import type { WorkOptions } from '../progress';
import { ensureStore, readTextIfPresent, storePaths, writeFileAtomic } from '../store';
import { searchableKind } from './ranking';

const Kept = z.object({ schemaVersion: z.literal(1), head: z.string(), changes: z.array(PastChange) });

/** Older commits say little of the present source. */
const maximumChanges = 3_000;

/**
 * Changes of the past that lead to the checked-out commit, newest first; empty without git or history. What was read
 * is kept in the cache, so later calls read only what is new.
 */
export async function pastOf(harness: Pick<Harness, 'root'>, work: WorkOptions = {}): Promise<PastChange[]> {
  const head = await headOf(harness.root, work.signal);
  if (!head) return [];
  const file = join(storePaths(harness.root).cache, 'history.json');
  const kept = await keptIn(file);
  if (kept?.head === head) return kept.changes;
  const known = kept && (await isAncestor(harness.root, kept.head, head, work.signal)) ? kept : undefined;
  const read = await readHistory(harness.root, {
    ...work,
    heads: [head],
    ...(known ? { known: [known.head] } : {}),
    limit: maximumChanges,
    accepts: (path) => searchableKind(path) !== undefined,
  });
  const changes = [...read, ...(known?.changes ?? [])].slice(0, maximumChanges);
  await ensureStore(harness.root);
  await writeFileAtomic(file, JSON.stringify({ schemaVersion: 1, head, changes } satisfies z.infer<typeof Kept>));
  return changes;
}

async function headOf(root: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    const { stdout, exitCode } = await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], {
      signal,
      allowFailure: true,
    });
    return exitCode === 0 ? stdout.trim() : undefined;
  } catch (error) {
    // Without git there is no past to look at; everything else still works.
    if (error instanceof Error && 'code' in error && error.code === 'git-missing') return undefined;
    throw error;
  }
}

async function isAncestor(root: string, old: string, head: string, signal: AbortSignal | undefined): Promise<boolean> {
  if (!/^[0-9a-f]{7,64}$/.test(old)) return false;
  return (await git(root, ['merge-base', '--is-ancestor', old, head], { signal, allowFailure: true })).exitCode === 0;
}

/** What an earlier call kept; a damaged file only costs the time to read again. */
async function keptIn(file: string): Promise<z.infer<typeof Kept> | undefined> {
  const text = await readTextIfPresent(file);
  if (text === undefined) return undefined;
  try {
    return Kept.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
