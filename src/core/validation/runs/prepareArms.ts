import { join } from 'node:path';
import { CancelledError, EnvironmentError, throwIfCancelled } from '../../errors';
import type { WorkOptions } from '../../progress';
import { endWords } from '../engines/ends';
import type { Arm, Candidate, RunManifest } from '../model';
import { BoundedOutput, fencedGit, runProcess } from '../runner';
import { type ArmWorktree, addWorktree } from '../worktrees';
import { runMark } from './cleanLeftovers';
import { toolVersion } from './toolVersion';

/** Installing dependencies takes longer than a trial. */
const prepareSeconds = 3_600;

/** An arm that trials can be made in. */
export interface ReadyArm {
  worktree: ArmWorktree;
  commit: string;
  /** Version of the engine's tool; null for engines without one. */
  version: string | null;
}

/**
 * Checks out the arms, runs the `prepare` commands of the suite once in each and looks for the tool of the engine.
 * @throws EnvironmentError naming the command and its log when one fails; CancelledError.
 */
export async function prepareArms(
  root: string,
  runFolder: string,
  manifest: RunManifest,
  arms: readonly Candidate[],
  { signal, progress }: WorkOptions,
): Promise<Map<Arm, ReadyArm>> {
  const ready = new Map<Arm, ReadyArm>();
  for (const candidate of arms) {
    throwIfCancelled(signal, 'The run');
    progress?.({ message: `Preparing the ${candidate.arm}` });
    const worktree = await addWorktree(root, runFolder, candidate);
    await runCommands(manifest, runFolder, worktree, signal);
    const version = await toolVersion(manifest.suite, runFolder, worktree, signal);
    ready.set(candidate.arm, { worktree, commit: candidate.commit, version });
  }
  return ready;
}

async function runCommands(manifest: RunManifest, runFolder: string, worktree: ArmWorktree, signal?: AbortSignal) {
  for (const [index, command] of manifest.suite.prepare.entries()) {
    const [program = '', ...rest] = command.map((part) => part.replaceAll('{worktree}', worktree.root));
    const log = join(runFolder, `prepare-${worktree.arm}-${index + 1}.log`);
    const output = await BoundedOutput.open(log);
    try {
      const end = await runProcess({
        argv: [program, ...rest],
        cwd: worktree.root,
        environment: {
          ...fencedGit(runFolder),
          ...manifest.suite.environment,
          HARNESSMITH_ARM: worktree.arm,
          [runMark]: runFolder,
        },
        mark: ['HARNESSMITH_PREPARE', worktree.folder],
        timeoutSeconds: prepareSeconds,
        output,
        signal,
      });
      if (end.kind === 'cancelled') throw new CancelledError('The run');
      if (end.kind === 'exited' && end.code === 0) continue;
      throw prepareFailed(manifest, command, worktree.arm, endWords(end), log);
    } finally {
      await output.finish();
    }
  }
}

function prepareFailed(manifest: RunManifest, command: string[], arm: Arm, what: string, log: string) {
  return new EnvironmentError(
    `The prepare command "${command.join(' ')}" of suite "${manifest.suiteName}" ${what} (${arm}).`,
    { code: 'prepare-failed', nextStep: `Read ${log}, correct "prepare" in harness.json and start a new run.` },
  );
}
