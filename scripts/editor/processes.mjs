// Child processes for the test tools: run one to its end, or start a group that can be stopped as a whole.
import { spawn } from 'node:child_process';

/**
 * Runs a program to its end. Resolves with { exitCode, output } (stdout and stderr as they came, at most the last
 * `keep` characters); rejects only when the program cannot be started or takes longer than `timeoutMs`.
 */
export function run(program, args, { cwd, env, show = false, timeoutMs = 15 * 60_000, keep = 200_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk) => {
      output = (output + chunk).slice(-keep);
      if (show) process.stdout.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(
        new Error(`${program} ${args.join(' ')} did not end within ${timeoutMs / 1000} s.\n${output.slice(-2000)}`),
      );
    }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`${program} could not be started: ${error.message}`));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ exitCode: code ?? 1, output });
    });
  });
}

/** Runs a program and throws with the end of its output when it fails. */
export async function runOrThrow(program, args, options) {
  const { exitCode, output } = await run(program, args, options);
  if (exitCode !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${exitCode}:\n${output.slice(-3000)}`);
  return output;
}

/** Stops a child that was started with `detached: true`, with everything it started, and waits until it is gone. */
export async function stopGroup(child) {
  const ended = new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(undefined);
    else child.once('exit', resolve);
  });
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), 5000);
  await ended;
  clearTimeout(timer);
  // The leader is gone; whatever it left behind in its group must not outlive it.
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child, signal) {
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
