import { spawn } from 'node:child_process';
import type { Tool } from './tool.ts';

const maxCapturedChars = 200_000;

interface Finished {
  output: string;
  exitCode: number | null;
  timedOut: boolean;
}

function runShell(command: string, workDir: string, timeoutMs: number): Promise<Finished> {
  return new Promise((resolve, reject) => {
    // A process group of its own, so that a timeout also ends what the command started.
    const child = spawn('sh', ['-c', command], { cwd: workDir, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let timedOut = false;
    const take = (chunk: string): void => {
      if (output.length < maxCapturedChars) output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
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
