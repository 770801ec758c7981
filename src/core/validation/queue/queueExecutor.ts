import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EnvironmentError } from '../../errors';
import type { RunManifest, Trial } from '../model';
import type { TrialExecutor } from '../runs/executor';
import { trialFolderName } from '../runs/makeTrial';
import { keyOf, type PlannedTrial } from '../runs/trialLog';
import { connectTo, requireAnswer, type TaskQueue, type TaskRecord } from './connection';
import { cancelId, parcelQueue, type Shipment, TrialAnswer, type TrialJob, trialQueue } from './messages';
import { ship, withdraw } from './shipment';
import { unpackFiles } from './trialFiles';

const pollMilliseconds = 300;

/** Trials in the queue at once: enough for many machines, and few enough that a cancel is quick. */
const window = 64;

/**
 * Makes trials through a queue, on the machines where `harnessmith worker` runs. The record is the same as of a run here: a
 * trial that was made twice because its worker seemed dead is taken once.
 */
export function queueExecutor(address: string): TrialExecutor {
  return async (root, runFolder, manifest, arms, { progress }) => {
    const connection = connectTo(address);
    const trials = connection.queue(trialQueue);
    const parcels = connection.queue(parcelQueue);
    const close = () => Promise.all([trials.close(), parcels.close()]);
    try {
      await requireAnswer(connection, trials);
      progress?.({ message: 'Sending the harness versions to the queue' });
      await parcels.remove(cancelId(manifest.id));
      const shipment = await ship(root, manifest.id, arms, parcels);
      return {
        concurrency: window,
        make: (trial, signal) => makeThere({ trials, parcels, shipment, runFolder }, manifest, trial, signal),
        async close() {
          await withdraw(manifest.id, shipment, parcels).finally(close);
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

interface Sending {
  trials: TaskQueue;
  parcels: TaskQueue;
  shipment: Shipment;
  runFolder: string;
}

async function makeThere(
  { trials, parcels, shipment, runFolder }: Sending,
  manifest: RunManifest,
  trial: PlannedTrial,
  signal: AbortSignal,
): Promise<Trial | undefined> {
  const jobId = idOf(manifest, trial);
  const data: TrialJob = { manifest: { ...manifest, tasks: [trial.task] }, shipment, trial };
  // An answer from before the run was interrupted would be taken at once; a failure is tried anew.
  if ((await trials.getJob(jobId))?.failedReason !== undefined) await trials.remove(jobId);
  await trials.add('trial', data, { jobId });
  for (;;) {
    if (signal.aborted) {
      await parcels.add('cancelled', {}, { jobId: cancelId(manifest.id) });
      await trials.remove(jobId).catch(() => 0); // a worker holds it, and finds the cancel
      return undefined;
    }
    const job = await trials.getJob(jobId);
    // A queue that lost its data in a restart is told again.
    if (job === undefined) await trials.add('trial', data, { jobId });
    else if (job.finishedOn !== undefined) {
      const made = await answerOf(job, manifest, runFolder, trial);
      await trials.remove(jobId);
      return made;
    }
    await wait(pollMilliseconds);
  }
}

async function answerOf(
  job: TaskRecord,
  manifest: RunManifest,
  runFolder: string,
  planned: PlannedTrial,
): Promise<Trial | undefined> {
  if (job.failedReason !== undefined && job.failedReason !== '') {
    throw new EnvironmentError(`A worker could not make a trial of ${planned.task}: ${job.failedReason}`, {
      code: 'worker-failed',
      nextStep: `Correct it there, then go on with: harnessmith validate --resume ${manifest.id}`,
    });
  }
  const { trial, files } = TrialAnswer.parse(job.returnvalue);
  if (trial === null) return undefined;
  const folder = join(runFolder, 'trials', trialFolderName(planned));
  await rm(folder, { recursive: true, force: true });
  await unpackFiles(files, folder);
  // What a worker says is about the trial it was asked for, and nothing else.
  const { task, arm, repeat, seed } = planned;
  const commit = manifest.arms.find((each) => each.arm === arm)?.commit ?? trial.commit;
  return { ...trial, run: manifest.id, task, arm, repeat, seed, commit };
}

/** The same trial has the same id in every session of a run, so that asking twice is harmless. */
function idOf(manifest: RunManifest, trial: PlannedTrial): string {
  return createHash('sha256')
    .update(JSON.stringify([manifest.id, keyOf(trial)]))
    .digest('hex')
    .slice(0, 40);
}
