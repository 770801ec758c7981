import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
    const until = performance.now() + graceMilliseconds;
    for (let pause = 10; performance.now() < until && (await isGroupRunning(group)); pause = Math.min(pause * 2, 200)) {
      await wait(pause);
    }
    signalGroup(group, 'SIGKILL');
  }
  running.delete(group);
}

/** False also when only ended processes are left that nobody collected, as in containers without an init process. */
async function isGroupRunning(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'latin1').catch(() => '');
    // "pid (name) state parent group ..."; the name may hold anything, also parentheses.
    const [state, , its] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(its) === group && state !== 'Z' && state !== 'X') return true;
  }
  return false;
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
  const mark = Buffer.from(`${variable}=${value}\0`).toString('latin1');
  let killed = 0;
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = environmentOf(entry);
    if (!environment.startsWith(mark) && !environment.includes(`\0${mark}`)) continue;
    try {
      process.kill(pid, 'SIGKILL');
      killed++;
    } catch {
      // it ended between the look and the kill
    }
  }
  return killed;
}

/**
 * The variables a process was started with, each ended by a zero byte. Read at once: these files are in memory, and going
 * through the thread pool for each of hundreds, after each trial, takes ten times as long.
 */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return ''; // of another user, or ended meanwhile: not ours
  }
}
