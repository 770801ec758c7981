import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../errors';
import type { TrialEnd } from '../engines';
import type { BoundedOutput } from './boundedOutput';
import { inheritedEnvironment } from './environment';
import { endGroup, killMarked, trackGroup } from './processTree';

export interface ProcessRequest {
  argv: readonly [string, ...string[]];
  cwd: string;
  /** Added to what processes inherit. */
  environment: Record<string, string>;
  /** Name and value of a variable that marks all processes of this request; must be unique to it. */
  mark: [string, string];
  timeoutSeconds: number;
  output: BoundedOutput;
  signal?: AbortSignal;
}

export type ProcessEnd = TrialEnd | { kind: 'cancelled' };

/** From SIGTERM to SIGKILL. */
const graceMilliseconds = 2_000;

/**
 * Runs a program without a shell, in its own process group, to its end, its timeout or a cancel. When it returns, no
 * process of the group is left, and on Linux none that carries the mark.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  if (request.signal?.aborted) return { kind: 'cancelled' };
  const [name, value] = request.mark;
  let child: ChildProcess;
  try {
    child = spawn(request.argv[0], request.argv.slice(1), {
      cwd: request.cwd,
      env: inheritedEnvironment({ ...request.environment, [name]: value }),
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    return notStarted(request, error); // arguments that no program can be given, such as zero bytes
  }
  const group = child.pid;
  if (group !== undefined) trackGroup(group);
  child.stdout?.on('data', (chunk: Buffer) => request.output.write(chunk));
  child.stderr?.on('data', (chunk: Buffer) => request.output.write(chunk));

  const { end, ending } = await endOf(child, request);
  if (group !== undefined) await (ending ?? endGroup(group, graceMilliseconds));
  await killMarked(name, value);
  await drain(child);
  return end.kind === 'not started' ? notStarted(request, end.message) : end;
}

/** How the process ended, and the ending of its group if that was begun before. */
function endOf(child: ChildProcess, request: ProcessRequest): Promise<{ end: ProcessEnd; ending?: Promise<void> }> {
  return new Promise((resolve) => {
    let stopped: ProcessEnd | undefined;
    let ending: Promise<void> | undefined;
    const stop = (reason: ProcessEnd) => {
      if (stopped) return;
      stopped = reason;
      if (child.pid !== undefined) ending = endGroup(child.pid, graceMilliseconds);
    };
    const cancel = () => stop({ kind: 'cancelled' });
    const timer = setTimeout(
      () => stop({ kind: 'timed out', seconds: request.timeoutSeconds }),
      // Longer timers overflow and fire at once.
      Math.min(request.timeoutSeconds * 1000, 2 ** 31 - 1),
    );
    request.signal?.addEventListener('abort', cancel, { once: true });
    const settle = (end: ProcessEnd) => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', cancel);
      resolve({ end: stopped ?? end, ending });
    };
    child.once('error', (error) => settle({ kind: 'not started', message: messageOf(error) }));
    // 'exit' and not 'close': children left behind may hold the pipes open for ever.
    child.once('exit', (code, signal) =>
      settle(code === null ? { kind: 'signalled', signal: signal ?? 'a signal' } : { kind: 'exited', code }),
    );
  });
}

/** Lets the last output arrive, and gives up on pipes that somebody else keeps open. */
async function drain(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const open = streams.filter((stream) => !stream.closed);
  await Promise.race([
    Promise.all(open.map((stream) => new Promise((done) => stream.once('close', done)))),
    wait(500, undefined, { ref: false }),
  ]);
  for (const stream of streams) stream.destroy();
}

async function notStarted(request: ProcessRequest, cause: unknown): Promise<TrialEnd> {
  const folder = await stat(request.cwd).catch(() => undefined);
  const reason = typeof cause === 'string' ? cause : messageOf(cause);
  if (!folder) return { kind: 'not started', message: `The folder ${request.cwd} does not exist.` };
  const missing = reason.includes('ENOENT');
  return {
    kind: 'not started',
    message: missing
      ? `The program ${request.argv[0]} was not found.`
      : `The program ${request.argv[0]} could not be started: ${reason}`,
  };
}
