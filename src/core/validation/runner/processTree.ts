import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Groups started here and still running; killed when this process exits without having waited for them. */
const running = new Set<number>();
let listening = false;

/** Registers a process group, so that it never outlives this process by more than a crash. */
export function trackGroup(group: number): void {
  running.add(group);
  if (listening) return;
  listening = true;
  process.once('exit', () => {
    for (const each of running) signalGroup(each, 'SIGKILL');
  });
}

/** Sends a signal to every process of a group; false when none is left. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: there is a process, but it changed its user and is out of reach.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Ends a process group: SIGTERM, then SIGKILL for what is still there after the grace time. On Windows, where there are
 * no groups, the tree of the process is ended by the system's own program.
 */
export async function endGroup(group: number, graceMilliseconds: number): Promise<void> {
  if (process.platform === 'win32') await endWindowsTree(group);
  else if (signalGroup(group, 'SIGTERM')) {
    const patience = AbortSignal.timeout(graceMilliseconds);
    while (!patience.aborted && signalGroup(group, 0)) await wait(20);
    signalGroup(group, 'SIGKILL');
  }
  running.delete(group);
}

function endWindowsTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    killer.on('error', () => resolve());
    killer.on('exit', () => resolve());
  });
}

/**
 * Kills every process whose environment has `variable=value`, also those that left their process group. Linux only;
 * elsewhere it finds none. Returns how many were killed.
 */
export async function killMarked(variable: string, value: string): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const mark = `${variable}=${value}`;
  let killed = 0;
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    // Processes of other users and processes that ended meanwhile cannot be read, and are not ours.
    const environment = await readFile(`/proc/${entry}/environ`, 'latin1').catch(() => '');
    if (!environment.split('\0').includes(Buffer.from(mark).toString('latin1'))) continue;
    try {
      process.kill(pid, 'SIGKILL');
      killed++;
    } catch {
      // it ended between the look and the kill
    }
  }
  return killed;
}
