import type { CommandLine, TrialRequest } from './engine';

/** Fills {task} {seed} {repeat} {out} {worktree} {node} in one pass, so that a task named "{out}" is not expanded again. */
export function filled(parts: readonly string[], request: Omit<TrialRequest, 'suite' | 'arm' | 'version'>): string[] {
  const { task, seed, repeat, out, worktree } = request;
  const values: Record<string, string> = {
    task,
    seed: String(seed),
    repeat: String(repeat),
    out,
    worktree,
    node: process.execPath,
  };
  return parts.map((part) =>
    part.replace(/\{(task|seed|repeat|out|worktree|node)\}/g, (whole, name: string) => values[name] ?? whole),
  );
}

/** A command line with its placeholders filled. */
export function filledCommand(parts: readonly string[], request: TrialRequest): CommandLine {
  const [program = '', ...rest] = filled(parts, request);
  return [program, ...rest];
}

/** Variables of the suite and those that tell a program which trial it is. */
export function trialEnvironment(request: TrialRequest): Record<string, string> {
  const { suite, task, arm, repeat, seed, out } = request;
  const names = Object.keys(suite.environment);
  const values = filled(Object.values(suite.environment), request);
  return {
    ...Object.fromEntries(names.map((name, index) => [name, values[index] as string])),
    HARNESSMITH_TASK: task,
    HARNESSMITH_ARM: arm,
    HARNESSMITH_SEED: String(seed),
    HARNESSMITH_REPEAT: String(repeat),
    HARNESSMITH_OUT: out,
  };
}
