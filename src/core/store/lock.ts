import { randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { HarnessmithError } from '../errors';

const heartbeatMilliseconds = 2_000;
/** A lock without a heartbeat for this long belongs to a process that is gone. */
const staleMilliseconds = 15_000;

const Owner = z.object({ owner: z.string(), pid: z.int(), host: z.string(), since: z.string() });
export type LockOwner = z.infer<typeof Owner>;

/** Somebody else holds the lock. */
export class LockedError extends HarnessmithError {
  constructor(
    file: string,
    readonly holder: LockOwner | undefined,
  ) {
    const who = holder
      ? `${holder.owner} (process ${holder.pid} on ${holder.host}, since ${holder.since})`
      : 'another process';
    super(`${file} is held by ${who}.`, {
      code: 'locked',
      nextStep: 'Wait for it to finish, or stop it first; a lock whose owner died is taken over by itself.',
    });
  }
}

export interface Lock {
  release(): Promise<void>;
}

/**
 * Takes an advisory lock with owner and heartbeat, or takes over one whose owner is gone.
 * @throws LockedError at once when somebody holds it.
 */
export async function acquireLock(file: string, options: { owner: string }): Promise<Lock> {
  await mkdir(dirname(file), { recursive: true });
  const mine: LockOwner = { owner: options.owner, pid: process.pid, host: hostname(), since: new Date().toISOString() };
  let handle: FileHandle | undefined;
  for (let attempt = 0; handle === undefined; attempt++) {
    handle = await openNew(file);
    if (handle) break;
    const judged = await identityOf(file);
    if (judged === undefined && attempt < 3) continue; // released this moment
    if (judged === undefined || attempt >= 3 || !(await isAbandoned(file)) || !(await takeAway(file, judged)))
      throw new LockedError(file, await readOwner(file));
  }
  const held = handle;
  try {
    await held.writeFile(JSON.stringify(mine));
  } catch (error) {
    await held.close();
    await rm(file, { force: true });
    throw error;
  }
  // Through the handle: after a take-over the name is somebody else's.
  const heartbeat = setInterval(() => {
    const now = new Date();
    held.utimes(now, now).catch(() => clearInterval(heartbeat));
  }, heartbeatMilliseconds);
  heartbeat.unref();
  return {
    release: async () => {
      clearInterval(heartbeat);
      await held.close();
      const owner = await readOwner(file);
      // After a take-over the file is somebody else's.
      if (owner?.pid === mine.pid && owner.host === mine.host && owner.since === mine.since)
        await rm(file, { force: true });
    },
  };
}

/** A new file of this name; undefined when there is one. */
async function openNew(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'wx');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}

/** Tells one lock from the next one of the same name; undefined when there is none. */
async function identityOf(file: string): Promise<string | undefined> {
  return stat(file).then(
    ({ ino, birthtimeMs, mtimeMs }) => `${ino} ${birthtimeMs} ${mtimeMs}`,
    () => undefined,
  );
}

/**
 * Takes an abandoned lock out of the way; false when somebody else is about it. One taker at a time: two that judged
 * the same lock would take it away one after the other, the second one the new lock of the first.
 */
async function takeAway(file: string, judged: string): Promise<boolean> {
  const claimFile = `${file}.takeover`;
  const claimedSince = await stat(claimFile).catch(() => undefined);
  if (claimedSince && Date.now() - claimedSince.mtimeMs > staleMilliseconds) await rm(claimFile, { force: true });
  const claim = await openNew(claimFile);
  if (!claim) return false;
  try {
    await claim.close();
    if ((await identityOf(file)) !== judged) return false;
    const aside = `${file}.${randomUUID()}.stale`;
    await rename(file, aside);
    const isJudged = (await identityOf(aside)) === judged;
    // Its owner came back to life between the two looks: it gets its lock back.
    if (!isJudged) await link(aside, file);
    await rm(aside, { force: true });
    return isJudged;
  } catch (error) {
    // The owner released it meanwhile, or another process has a new one.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(claimFile, { force: true });
  }
}

/** The owner of a lock that is held now; undefined when it is free or abandoned. */
export async function lockOwner(file: string): Promise<LockOwner | undefined> {
  return (await isAbandoned(file)) ? undefined : readOwner(file);
}

async function readOwner(file: string): Promise<LockOwner | undefined> {
  try {
    return Owner.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined; // missing, or its owner is writing it this moment
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  const age = await stat(file).then(
    (found) => Date.now() - found.mtimeMs,
    () => undefined,
  );
  if (age === undefined) return true;
  const owner = await readOwner(file);
  // A living process id may be a new process that got the number of the dead owner; only a heartbeat tells.
  if (owner && owner.host === hostname() && !isAlive(owner.pid)) return true;
  return age > staleMilliseconds;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
