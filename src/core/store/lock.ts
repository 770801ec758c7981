import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
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
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(JSON.stringify(mine));
      await handle.close();
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (attempt >= 3 || !(await isAbandoned(file))) throw new LockedError(file, await readOwner(file));
      await rm(file, { force: true });
    }
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => clearInterval(heartbeat));
  }, heartbeatMilliseconds);
  heartbeat.unref();
  return {
    release: async () => {
      clearInterval(heartbeat);
      const owner = await readOwner(file);
      // After a take-over the file is somebody else's.
      if (owner?.pid === mine.pid && owner.host === mine.host && owner.since === mine.since)
        await rm(file, { force: true });
    },
  };
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
