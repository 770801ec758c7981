import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UnrecoverableError } from 'bullmq';
import { messageOf } from '../../errors';
import { acquireLock } from '../../store';
import type { Arm } from '../model';
import { killMarked } from '../runner';
import { runMark } from '../runs/cleanLeftovers';
import { makeTrial, trialFolderName } from '../runs/makeTrial';
import { prepareArms, type ReadyArm } from '../runs/prepareArms';
import { connectTo, requireAnswer, type TaskQueue } from './connection';
import { cancelId, parcelQueue, type TrialAnswer, TrialJob, trialQueue } from './messages';
import { unpack } from './shipment';
import { packFiles } from './trialFiles';

export interface WorkerOptions {
  /** `redis://`, `rediss://` or `postgres://`. */
  address: string;
  /** Folder of this worker alone; emptied at the start and at the end. */
  folder: string;
  /** Shown in the queue. */
  name: string;
  /** Trials at once. */
  concurrency: number;
  /** Signs of life; 30 when absent. A worker without one for so long is taken for dead. */
  heartbeatSeconds?: number;
  /** Ends the worker: trials under way are stopped and go back to the queue. */
  signal: AbortSignal;
  /** Called with a line for people. */
  onTrial?(text: string): void;
  /** Called after each trial that has a record. */
  onMade?(): void;
}

const cancelMilliseconds = 1_000;

/**
 * Makes trials for a queue until the signal is aborted. The queue says what is run: whoever can write to it can run programs
 * here. Leaves no process and no file behind, also none of a worker that was killed before in the same folder.
 * @throws LockedError when another worker uses the folder; EnvironmentError when the queue does not answer.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { folder, name } = options;
  const lock = await acquireLock(`${folder}.lock`, { owner: `worker ${name}` });
  try {
    await clean(folder);
    await takeTrials(options);
  } finally {
    await clean(folder);
    await lock.release();
  }
}

async function takeTrials({
  address,
  folder,
  name,
  concurrency,
  heartbeatSeconds,
  signal,
  onTrial,
  onMade,
}: WorkerOptions) {
  const connection = connectTo(address);
  const parcels = connection.queue(parcelQueue);
  try {
    await requireAnswer(connection, parcels);
    const bench = new Bench(folder, parcels);
    const work = async (data: unknown): Promise<TrialAnswer> => {
      const job = TrialJob.parse(data);
      const answer = await bench.make(job, name, signal);
      if (signal.aborted) throw new Error('The worker was ended.');
      onTrial?.(`${job.trial.task}, ${job.trial.arm} ${job.trial.repeat}: ${answer.trial?.verdict ?? 'cancelled'}`);
      if (answer.trial) onMade?.();
      return answer;
    };
    const settings = { concurrency, name, heartbeatSeconds: heartbeatSeconds ?? 30 };
    const worker = connection.worker(trialQueue, work, {
      ...settings,
      onError: (error) => onTrial?.(`The queue: ${messageOf(error)}`),
    });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    // Not waited for: its lock runs out, and the next worker makes what was under way.
    await worker.close(true);
  } finally {
    await parcels.close();
  }
}

/** Ends processes of a worker that died here, and empties its folder. */
async function clean(folder: string): Promise<void> {
  for (const run of await readdir(folder).catch(() => [] as string[])) await killMarked(runMark, join(folder, run));
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** The harness versions that are checked out here, one folder a run. */
class Bench {
  private readonly repositories = new Map<string, Promise<void>>();
  private readonly arms = new Map<string, Promise<ReadyArm>>();
  /** The arm that is prepared last: git makes one worktree of a repository at a time. */
  private preparing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly parcels: TaskQueue,
  ) {}

  async make(job: TrialJob, worker: string, signal: AbortSignal): Promise<TrialAnswer> {
    const { manifest, trial } = job;
    const cancel = new AbortController();
    const isCancelled = async () => (await this.parcels.getJob(cancelId(manifest.id))) !== undefined;
    if (await isCancelled()) return { trial: null, files: {}, worker };
    const timer = setInterval(() => {
      isCancelled().then(
        (cancelled) => cancelled && cancel.abort(),
        () => undefined, // asked again in a moment
      );
    }, cancelMilliseconds);
    try {
      const all = AbortSignal.any([signal, cancel.signal]);
      const arm = await this.arm(job, trial.arm, all);
      const runFolder = join(this.folder, manifest.id);
      const made = await makeTrial(manifest, trial, { runFolder, ...arm }, all);
      if (!made) return { trial: null, files: {}, worker };
      const own = join(runFolder, 'trials', trialFolderName(trial));
      const files = await packFiles(own);
      await rm(own, { recursive: true, force: true });
      return { trial: made, files, worker };
    } finally {
      clearInterval(timer);
    }
  }

  /** Checked out and prepared once; after a failure, which stops its run, a resumed one tries anew. */
  private arm(job: TrialJob, arm: Arm, signal: AbortSignal): Promise<ReadyArm> {
    const key = `${job.manifest.id}/${job.shipment.hash}/${arm}`;
    const known = this.arms.get(key);
    if (known) return known;
    const ready = this.preparing.then(() => this.prepare(job, arm, signal));
    this.preparing = ready.catch(() => undefined);
    this.arms.set(key, ready);
    ready.catch(() => this.arms.delete(key));
    return ready;
  }

  private async prepare({ manifest, shipment }: TrialJob, arm: Arm, signal: AbortSignal): Promise<ReadyArm> {
    const runFolder = join(this.folder, manifest.id);
    const known = this.repositories.get(manifest.id) ?? unpack(manifest.id, shipment, this.parcels, runFolder);
    this.repositories.set(manifest.id, known);
    const root = join(runFolder, 'repository', shipment.folder);
    const candidate = manifest.arms.find((each) => each.arm === arm);
    const commit = shipment.commits[arm];
    try {
      await known;
      if (!candidate || commit === undefined) throw new Error(`the ${arm} was not sent`);
      const ready = await prepareArms(root, runFolder, manifest, [{ ...candidate, commit }], { signal });
      return ready.get(arm) as ReadyArm;
    } catch (error) {
      this.repositories.delete(manifest.id);
      // Trying again would not help: the run is told, and stops with the reason.
      throw new UnrecoverableError(messageOf(error));
    }
  }
}
