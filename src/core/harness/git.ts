import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { CancelledError, EnvironmentError, HarnessmithError, messageOf } from '../errors';

export interface GitResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

export interface GitOptions {
  signal?: AbortSignal;
  /** Written to standard input. */
  input?: string;
  environment?: Record<string, string>;
  /** Do not throw on a non-zero exit. */
  allowFailure?: boolean;
}

/** git answered with an error. */
export class GitError extends HarnessmithError {
  constructor(args: readonly string[], result: GitResult) {
    const first = result.stderr.trim().split('\n')[0] || `exit code ${result.exitCode}`;
    super(`git ${args[0]} failed: ${first}`, {
      code: 'git-failed',
      nextStep: 'Run the same git command in a terminal to see more.',
    });
  }
}

const maximumOutput = 64 * 1024 * 1024;

/** Hooks and the file system monitor are programs that a repository names; reading it must not run them. */
export const quietly = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];

/** For git without prompts, pagers, locks it can do without, or translated answers. */
export function quietEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}

/**
 * Runs git in a folder, without a shell, without pagers, prompts or hooks of the user's repository.
 * @throws EnvironmentError when git is missing; GitError on a non-zero exit.
 */
export function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...quietly, ...args], {
      cwd: folder,
      env: { ...quietEnvironment(), ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: options.signal,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maximumOutput) child.kill();
      else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (err.length < 64) err.push(chunk);
    });
    child.stdin.on('error', () => undefined); // git may exit before it read everything; its exit code tells
    child.stdin.end(options.input ?? '');
    child.on('error', (error) => {
      if (options.signal?.aborted) reject(new CancelledError(`git ${args[0]}`));
      else
        reject(
          new EnvironmentError(`git could not be started: ${messageOf(error)}`, {
            code: 'git-missing',
            nextStep: 'Install git and check that it is on the PATH.',
            cause: error,
          }),
        );
    });
    child.on('close', (code) => {
      const result = {
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
        exitCode: code ?? 1,
      };
      if (size > maximumOutput) reject(new GitError(args, { ...result, stderr: 'the answer is over 64 MB' }));
      else if (result.exitCode !== 0 && !options.allowFailure) reject(new GitError(args, result));
      else resolve(result);
    });
  });
}

export interface GitFacts {
  /** False where git is missing or the folder is in no repository. */
  repository: boolean;
  topLevel: string | null;
  head: string | null;
  dirty: boolean;
  /** Paths relative to the top level. */
  submodules: string[];
}

const noRepository: GitFacts = { repository: false, topLevel: null, head: null, dirty: false, submodules: [] };

/** What git knows of a folder; all empty outside a repository. */
export async function gitFacts(folder: string, signal?: AbortSignal): Promise<GitFacts> {
  const quiet = { signal, allowFailure: true };
  let top: GitResult;
  try {
    top = await git(folder, ['rev-parse', '--show-toplevel'], quiet);
  } catch (error) {
    if (error instanceof EnvironmentError) return noRepository;
    throw error;
  }
  if (top.exitCode !== 0) return noRepository;
  const topLevel = await realpath(top.stdout.trim());
  const [head, status, modules] = await Promise.all([
    git(folder, ['rev-parse', '--verify', '--quiet', 'HEAD'], quiet),
    git(folder, ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=none'], quiet),
    git(topLevel, ['config', '--file', '.gitmodules', '--get-regexp', '\\.path$'], quiet),
  ]);
  return {
    repository: true,
    topLevel,
    head: head.exitCode === 0 ? head.stdout.trim() : null,
    dirty: status.stdout.trim() !== '',
    submodules:
      modules.exitCode === 0
        ? modules.stdout
            .trim()
            .split('\n')
            .map((line) => line.slice(line.indexOf(' ') + 1))
        : [],
  };
}
