import { CancelledError, HarnessmithError, messageOf } from '../../errors';
import type { Progress, WorkOptions } from '../../progress';
import {
  acquireLock,
  currentPerson,
  Ledger,
  type Lock,
  LockedError,
  type LockOwner,
  storePaths,
  writeJsonFile,
} from '../../store';
import type { RunManifest, Trial, Verdict } from '../model';
import { runPool } from '../runner';
import { judge } from '../verdicts';
import { SuiteBudget } from './budget';
import { cleanRun } from './cleanLeftovers';
import { cancelSignal } from './control';
import { baselineReruns } from './earlierRuns';
import { localExecutor, type TrialExecutor } from './executor';
import { readManifest, readRun, runLockFile, verdictFile, writeManifest } from './runStore';
import { keyOf, type PlannedTrial, planTrials, readTrials, TrialLog, trialLogFile } from './trialLog';

export interface ExecuteOptions extends WorkOptions {
  /** Called after each trial is on disk. */
  onTrial?: (trial: Trial, done: number, total: number) => void;
  /** Shown to others who want the same run; the account name when absent. */
  owner?: string;
  /** Where the trials are made; here when absent. */
  executor?: TrialExecutor;
  /** Make trials again whose last record is an infrastructure failure. */
  rerunInfrastructure?: boolean;
}

export interface RunResult {
  manifest: RunManifest;
  trials: Trial[];
  verdict: Verdict;
}

/** Somebody else carries the run out at this moment. It can be followed with `watchRun`. */
export class RunLockedError extends HarnessmithError {
  constructor(
    run: string,
    readonly holder: LockOwner | undefined,
  ) {
    const who = holder ? `${holder.owner} (process ${holder.pid} on ${holder.host})` : 'another process';
    super(`Run ${run} is being carried out by ${who}.`, {
      code: 'run-locked',
      nextStep: 'Watch it, or cancel it first.',
    });
  }
}

/**
 * Makes the trials of a run that are missing, and judges it. Also how a cancelled or crashed run is resumed: finished
 * trials are never made twice. Whatever happens, no process and no worktree of the run is left when this returns.
 * @throws RunLockedError, CancelledError (the run can be resumed), EnvironmentError when preparing fails.
 */
export async function executeRun(root: string, id: string, options: ExecuteOptions = {}): Promise<RunResult> {
  await readManifest(root, id); // an unknown run must not leave a lock file
  const lock = await lockRun(root, id, options.owner ?? currentPerson());
  try {
    const known = await readRun(root, id);
    const missing = missingTrials(known.manifest, known.trials, options);
    if (missing.length === 0 && known.manifest.state === 'finished' && known.verdict) {
      return { manifest: known.manifest, trials: known.trials, verdict: known.verdict };
    }
    const manifest: RunManifest = { ...known.manifest, state: 'running', finishedAt: null };
    const asked = await cancelSignal(root, id);
    const signal = options.signal ? AbortSignal.any([options.signal, asked.signal]) : asked.signal;
    return await carryOut(root, manifest, missing, { ...options, signal }).finally(asked.stop);
  } finally {
    await lock.release();
  }
}

async function carryOut(
  root: string,
  manifest: RunManifest,
  missing: readonly PlannedTrial[],
  options: ExecuteOptions,
): Promise<RunResult> {
  try {
    await cleanRun(root, manifest);
    await writeManifest(root, manifest);
    if (missing.length > 0) await makeTrials(root, manifest, missing, options);
    return await finish(root, { ...manifest, state: 'finished', finishedAt: new Date().toISOString() });
  } catch (error) {
    const stopped: RunManifest = { ...manifest, state: error instanceof CancelledError ? 'cancelled' : 'interrupted' };
    try {
      await cleanRun(root, stopped);
      await writeManifest(root, stopped);
      await record(root, stopped);
    } catch (second) {
      // Both matter: the first says why the run stopped, the second what is left on disk.
      throw new AggregateError([error, second], `${messageOf(error)} Cleaning up failed too: ${messageOf(second)}`);
    }
    throw error;
  }
}

/** What is still to be made, in the order of the plan. */
function missingTrials(manifest: RunManifest, trials: readonly Trial[], options: ExecuteOptions): PlannedTrial[] {
  const kept = trials.filter((trial) => !(options.rerunInfrastructure && trial.infrastructure));
  const have = new Set(kept.map(keyOf));
  return planTrials(manifest).filter((trial) => !have.has(keyOf(trial)));
}

async function lockRun(root: string, id: string, owner: string): Promise<Lock> {
  try {
    return await acquireLock(runLockFile(root, id), { owner });
  } catch (error) {
    throw error instanceof LockedError ? new RunLockedError(id, error.holder) : error;
  }
}

async function makeTrials(
  root: string,
  manifest: RunManifest,
  missing: readonly PlannedTrial[],
  options: ExecuteOptions,
): Promise<void> {
  const runFolder = storePaths(root).run(manifest.id);
  const total = manifest.tasks.length * manifest.trials * manifest.arms.length;
  const arms = manifest.arms.filter(({ arm }) => missing.some((trial) => trial.arm === arm));
  const executor = await (options.executor ?? localExecutor)(root, runFolder, manifest, arms, options);
  const log = new TrialLog(trialLogFile(root, manifest.id));
  const report = reporter(total, missing.length, options.progress);
  // One failing write (a full disk) stops the other trials too, instead of losing their results one by one.
  const failure = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal;
  report(0);
  let made = 0;
  const budget = new SuiteBudget(manifest.id, manifest.suite.budget);
  const work = async (trial: PlannedTrial) => {
    const result = await executor.make(trial, signal);
    if (!result) return;
    await log.append(result);
    made++;
    report(made);
    options.onTrial?.(result, total - missing.length + made, total);
    budget.add(result, missing.length - made);
  };
  try {
    await runPool(missing, executor.concurrency, signal, (trial) =>
      work(trial).catch((error) => {
        failure.abort();
        throw error;
      }),
    );
  } finally {
    await executor.close();
  }
  if (options.signal?.aborted && made < missing.length) throw new CancelledError(`Run ${manifest.id}`);
}

/** Tells how far the run is, with an estimate from the trials made in this session. */
function reporter(total: number, missing: number, progress: Progress | undefined): (made: number) => void {
  const from = performance.now();
  return (made) => {
    const done = total - missing + made;
    const seconds = made === 0 ? null : ((performance.now() - from) / 1000 / made) * (missing - made);
    const left = seconds === null || made === missing ? '' : `, about ${duration(seconds)} left`;
    progress?.({ message: `${done} of ${total} trials${left}`, done, total });
  };
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 360) / 10} h`;
}

async function finish(root: string, manifest: RunManifest): Promise<RunResult> {
  await cleanRun(root, manifest);
  const trials = await readTrials(root, manifest.id);
  const verdict = judge(manifest, trials, { reruns: await baselineReruns(root, manifest) });
  await writeJsonFile(verdictFile(root, manifest.id), verdict);
  await writeManifest(root, manifest);
  await record(root, manifest, verdict);
  return { manifest, trials, verdict };
}

async function record(root: string, manifest: RunManifest, verdict?: Verdict): Promise<void> {
  const ledger = await Ledger.open(root);
  const at = new Date().toISOString();
  const { id: run, proposal, state } = manifest;
  await ledger.append({ kind: 'run', at, by: currentPerson(), run, proposal, state });
  if (!verdict) return;
  const { difference, p } = verdict;
  await ledger.append({
    kind: 'verdict',
    at,
    by: 'harnessmith',
    run,
    proposal,
    verdict: verdict.verdict,
    difference,
    p,
  });
}
