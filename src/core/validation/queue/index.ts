import type { TrialExecutor } from '../runs/executor';
import type { WorkerOptions } from './worker';

export type { WorkerOptions } from './worker';

/** Makes trials on the machines that work for the queue at this address. The client of the queue is loaded here first. */
export async function executorAt(address: string): Promise<TrialExecutor> {
  return (await import('./queueExecutor')).queueExecutor(address);
}

/** Works for a queue until the signal is aborted; see `runWorker`. */
export async function workForQueue(options: WorkerOptions): Promise<void> {
  await (await import('./worker')).runWorker(options);
}
