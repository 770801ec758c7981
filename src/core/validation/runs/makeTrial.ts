import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { SuiteConfig } from '../../harness';
import { engineOf, type TrialOutcome, type TrialRequest } from '../engines';
import type { RunManifest, Trial } from '../model';
import { BoundedOutput, fencedGit, type ProcessEnd, runProcess } from '../runner';
import { runMark } from './cleanLeftovers';
import type { ReadyArm } from './prepareArms';
import { taskDigest } from './taskDigest';
import type { PlannedTrial } from './trialLog';

/** Variable that every process of one trial carries; its value is the `{out}` folder. */
const trialMark = 'HARNESSMITH_OUT';

/** Makes one trial. Returns its record, or undefined when it was cancelled: a cancelled trial does not count. */
export async function makeTrial(
  manifest: RunManifest,
  planned: PlannedTrial,
  where: ReadyArm & { runFolder: string },
  signal: AbortSignal,
): Promise<Trial | undefined> {
  const { runFolder, worktree, version } = where;
  const folder = join(runFolder, 'trials', trialFolderName(planned));
  const out = join(folder, 'out');
  // What an interrupted attempt left must not be taken for a result.
  await rm(folder, { recursive: true, force: true });
  await mkdir(out, { recursive: true });

  const request: TrialRequest = { ...planned, suite: manifest.suite, worktree: worktree.root, out, version };
  const engine = engineOf(manifest.suite);
  const plan = engine.plan(request);
  for (const [file, text] of Object.entries(plan.files ?? {})) await writeFile(join(out, file), text);
  const log = join(folder, 'output.log');
  const output = await BoundedOutput.open(log);
  const started = new Date();
  const from = performance.now();
  const within = {
    environment: { ...fencedGit(runFolder), ...plan.environment, [runMark]: runFolder },
    mark: [trialMark, out] as [string, string],
    timeoutSeconds: manifest.suite.timeoutSeconds,
    output,
    signal,
  };
  let end: ProcessEnd;
  try {
    end = await runProcess({ argv: plan.argv, cwd: plan.cwd, ...within });
    // What a tool that was stopped left behind is judged as well: the work may have been done before.
    if (plan.verify && (end.kind === 'exited' || end.kind === 'timed out')) {
      const verified = await runProcess({ argv: plan.verify, cwd: out, ...within });
      if (end.kind === 'exited' || verified.kind === 'cancelled') end = verified;
    }
  } finally {
    await output.finish();
  }
  if (end.kind === 'cancelled') return undefined;
  const seconds = (performance.now() - from) / 1000;
  const outcome = blamedBySuite(await engine.parse(end, request), end, manifest.suite);
  return {
    run: manifest.id,
    task: planned.task,
    arm: planned.arm,
    repeat: planned.repeat,
    seed: planned.seed,
    verdict: outcome.verdict,
    reward: outcome.reward,
    exception: outcome.exception,
    infrastructure: outcome.infrastructure,
    exitCode: end.kind === 'exited' ? end.code : null,
    started: started.toISOString(),
    seconds: Math.round(seconds * 1000) / 1000,
    tokens: outcome.tokens,
    costUsd: outcome.costUsd,
    commit: where.commit,
    trace: outcome.trace && relativePath(runFolder, outcome.trace),
    output: relativePath(runFolder, log),
    engine: { name: manifest.suite.engine, version: null },
    ended: new Date().toISOString(),
    tree: manifest.arms.find(({ arm }) => arm === planned.arm)?.tree,
    taskDigest: await taskDigest(worktree.root, manifest.suite, planned.task),
  };
}

/** A readable folder name that is different for every trial and safe whatever a task is called. */
export function trialFolderName({ task, arm, repeat }: PlannedTrial): string {
  const plain = task.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 60);
  const safe = plain === task && !task.startsWith('.');
  const name = safe ? task : `_${plain}-${createHash('sha256').update(task).digest('hex').slice(0, 8)}`;
  return `${name}--${arm}-${repeat}`;
}

function relativePath(from: string, to: string): string {
  return relative(from, to).split(sep).join('/');
}

/**
 * What the suite says about blame goes before what the engine thinks: a trial whose exit code or exception blames the
 * environment has no verdict, unless a reward was measured all the same.
 */
function blamedBySuite(outcome: TrialOutcome, end: ProcessEnd, { infrastructure: rule }: SuiteConfig): TrialOutcome {
  if (rule === undefined || outcome.reward !== null) return outcome;
  const byCode = end.kind === 'exited' && rule.exitCodes ? rule.exitCodes.includes(end.code) : outcome.infrastructure;
  const byName = rule.exceptions?.includes(outcome.exception?.type ?? '') ?? false;
  return { ...outcome, infrastructure: byCode || byName };
}
