import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface RunnerStart {
  /** The bundled command line. */
  cli: string;
  root: string;
  run: string;
  /** Folder of the run; what the runner prints goes into `runner.log` there. */
  folder: string;
  /** The program that runs JavaScript: the editor's own, started as plain Node. */
  node?: string;
}

/**
 * Starts the command line on a run, detached: closing or reloading the window does not end it. Resolves with its
 * process id, or rejects when it could not be started.
 */
export function startRunner({ cli, root, run, folder, node = process.execPath }: RunnerStart): Promise<number> {
  const output = openSync(join(folder, 'runner.log'), 'a');
  const child = spawn(node, [cli, 'validate', '--resume', run, '--json'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    windowsHide: true,
  });
  closeSync(output);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve(child.pid!);
    });
  });
}

/**
 * Waits until a runner that was asked to stop is gone: asked by its files, it ends its trials, whose processes are in
 * groups of their own, and keeps what is finished. One that does not listen is interrupted, then its group is killed.
 * Each of the two waits takes at most `graceMilliseconds`.
 */
export async function stopRunner(pid: number, graceMilliseconds = 10_000): Promise<void> {
  if (await endsWithin(pid, graceMilliseconds)) return;
  send(pid, 'SIGINT');
  if (await endsWithin(pid, graceMilliseconds)) return;
  if (process.platform === 'win32') spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true });
  else send(-pid, 'SIGKILL');
}

async function endsWithin(pid: number, milliseconds: number): Promise<boolean> {
  const until = Date.now() + milliseconds;
  while (isAlive(pid) && Date.now() < until) await pause(100);
  return !isAlive(pid);
}

/** True while the process exists; also for processes of other people, which cannot be signalled. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
