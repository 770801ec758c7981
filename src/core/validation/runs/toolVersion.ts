import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CancelledError, EnvironmentError } from '../../errors';
import type { SuiteConfig } from '../../harness';
import { type CommandLine, engineOf, type TrialEnd } from '../engines';
import { endWords } from '../engines/ends';
import { filled, trialEnvironment } from '../engines/placeholders';
import { BoundedOutput, fencedGit, runProcess } from '../runner';
import type { ArmWorktree } from '../worktrees';
import { runMark } from './cleanLeftovers';

/** Python tools with many dependencies take long to start the first time. */
const askSeconds = 120;

/**
 * The version of the tool that the suite's engine drives, as found from the worktree of an arm; null for engines without a
 * tool and for tools that print none.
 * @throws EnvironmentError when it is missing or of a version that the adapter does not know; CancelledError.
 */
export async function toolVersion(
  suite: SuiteConfig,
  runFolder: string,
  worktree: ArmWorktree,
  signal?: AbortSignal,
): Promise<string | null> {
  const { tool } = engineOf(suite);
  if (tool === null) return null;
  const place = { task: '', seed: 0, repeat: 0, out: runFolder, worktree: worktree.root };
  const [program = '', ...rest] = tool.versionCommand(filled(suite.program ?? tool.program, place));
  const { end, text } = await ask([program, ...rest], suite, runFolder, worktree, signal);
  const shown = [program, ...rest].join(' ');
  if (end.kind !== 'exited' || end.code !== 0) {
    throw new EnvironmentError(`The engine "${suite.engine}" needs "${program}", and "${shown}" ${endWords(end)}.`, {
      code: 'engine-missing',
      nextStep: `Install it (${tool.install}), or set "program" of the suite to how it is started.`,
    });
  }
  const version = /\b\d+\.\d+(?:\.\d+)*/.exec(text)?.[0] ?? null;
  if (tool.knows(version)) return version;
  throw new EnvironmentError(`"${shown}" is version ${version ?? 'unknown'}; this engine knows ${tool.known}.`, {
    code: 'engine-version',
    nextStep: 'Install a known version, or use the engine "command" with the command line of this version.',
  });
}

async function ask(
  argv: CommandLine,
  suite: SuiteConfig,
  runFolder: string,
  worktree: ArmWorktree,
  signal: AbortSignal | undefined,
): Promise<{ end: TrialEnd; text: string }> {
  const log = join(runFolder, `tool-${worktree.arm}.log`);
  const output = await BoundedOutput.open(log);
  const request = { suite, task: '', arm: worktree.arm, repeat: 0, seed: 0, worktree: worktree.root, version: null };
  const end = await runProcess({
    argv,
    cwd: worktree.root,
    environment: { ...fencedGit(runFolder), ...trialEnvironment({ ...request, out: runFolder }), [runMark]: runFolder },
    mark: ['HARNESSMITH_TOOL', worktree.folder],
    timeoutSeconds: askSeconds,
    output,
    signal,
  }).finally(() => output.finish());
  if (end.kind === 'cancelled') throw new CancelledError('The run');
  return { end, text: await readFile(log, 'utf8') };
}
