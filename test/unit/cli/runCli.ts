import { vi } from 'vitest';
import { runProgram } from '../../../src/cli/program';

export interface CliResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Runs the command line in this process and catches what it writes. */
export async function runCli(...args: string[]): Promise<CliResult> {
  const written = { stdout: '', stderr: '' };
  const catching = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk, ...rest) => {
      written[name] += String(chunk);
      const done = rest.find((each) => typeof each === 'function');
      if (typeof done === 'function') (done as () => void)();
      return true;
    });
  const spies = [catching('stdout'), catching('stderr')];
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await runProgram(args);
    return { ...written, exitCode: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}
