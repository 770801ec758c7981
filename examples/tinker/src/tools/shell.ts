import { spawn } from 'node:child_process';
import type { Tool } from './tool.ts';

const maxCapturedChars = 200_000;

/** Process groups of running commands; they must not outlive this process. */
const running = new Set<number>();

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

process.on('exit', () => running.forEach(endGroup));

interface Finished {
  output: string;
  exitCode: number | null;
  timedOut: boolean;
}

function runShell(command: string, workDir: string, timeoutMs: number): Promise<Finished> {
  return new Promise((resolve, reject) => {
    // A process group of its own, so that a timeout also ends what the command started.
    const child = spawn('sh', ['-c', command], {
      cwd: workDir,
      detached: true,
      env: { ...process.env, TINKER_API_KEY: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    let output = '';
    let timedOut = false;
    const take = (chunk: string): void => {
      if (output.length < maxCapturedChars) output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    const timer = setTimeout(() => {
      timedOut = true;
      if (pid !== undefined) endGroup(pid);
    }, timeoutMs);
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      if (pid !== undefined) running.delete(pid);
      resolve({ output, exitCode, timedOut });
    });
  });
}

export const shellTool: Tool = {
  name: 'shell',
  description: 'Run a command with sh.',
  parameters: { command: { type: 'string', required: true, description: 'the command line' } },
  effect: 'runs',
  async run(args, { workDir, config }) {
    const { timeoutSeconds } = config.shell;
    const finished = await runShell(String(args.command), workDir, timeoutSeconds * 1000);
    // The model works with relative paths; absolute ones only cost tokens.
    const output = finished.output.replaceAll(workDir, '.').trimEnd();
    const status = finished.timedOut ? `stopped after ${timeoutSeconds} seconds` : `exit code ${finished.exitCode}`;
    return { output: output || '(no output)', status };
  },
};
