import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { EnvironmentError, throwIfCancelled } from '../errors';
import { analyzeFile, FileResult } from './analyzeFile';

export interface FileTask {
  path: string;
  /** Hash of the text when it was last analyzed. */
  hash?: string;
}

const batchSize = 32;
/** Below this, starting a worker takes longer than the work. */
const fewestForWorkers = 64;
const fewestForTwo = 200;

/** What a worker sends back. */
export const WorkerReply = z.union([z.object({ results: z.array(FileResult) }), z.object({ failure: z.string() })]);

/**
 * Analyzes files in batches, off this thread where the worker bundle exists and the work is worth it.
 *
 * @param report is called with the results of each batch, in no fixed order
 * @throws CancelledError between batches; the workers are always gone when this returns or throws
 */
export async function analyzeFiles(
  root: string,
  tasks: readonly FileTask[],
  report: (results: FileResult[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  const batches: FileTask[][] = [];
  for (let at = 0; at < tasks.length; at += batchSize) batches.push(tasks.slice(at, at + batchSize));
  const worker = workerFile();
  if (!worker || tasks.length < fewestForWorkers) {
    for (const batch of batches) {
      throwIfCancelled(signal, 'Indexing');
      const results: FileResult[] = [];
      for (const { path, hash } of batch) results.push(await analyzeFile(root, path, hash));
      report(results);
    }
    return;
  }
  const count = tasks.length < fewestForTwo ? 1 : Math.min(2, availableParallelism());
  // Trees are short-lived: with room for one file's tree they never reach the old generation.
  const options = { workerData: { root }, resourceLimits: { maxYoungGenerationSizeMb: 32 } };
  const workers = Array.from({ length: count }, () => new Worker(worker, options));
  try {
    await Promise.all(workers.map((each) => drain(each, batches, report, signal)));
  } finally {
    await Promise.all(workers.map((each) => each.terminate()));
  }
}

/** Gives one worker batch after batch until none is left. */
function drain(
  worker: Worker,
  batches: FileTask[][],
  report: (results: FileResult[]) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = () => {
      try {
        throwIfCancelled(signal, 'Indexing');
      } catch (error) {
        reject(error);
        return;
      }
      const batch = batches.shift();
      if (batch) worker.postMessage(batch);
      else resolve();
    };
    worker.on('message', (message: unknown) => {
      const reply = WorkerReply.safeParse(message);
      if (!reply.success || 'failure' in reply.data) {
        reject(stopped(reply.success && 'failure' in reply.data ? reply.data.failure : 'it answered nonsense'));
        return;
      }
      report(reply.data.results);
      next();
    });
    worker.on('error', (error) => reject(stopped(String(error))));
    worker.on('exit', (code) => reject(stopped(`it ended with code ${code}`)));
    next();
  });
}

function stopped(reason: string): EnvironmentError {
  return new EnvironmentError(`A worker of the index stopped: ${reason}.`, {
    code: 'index-worker-failed',
    nextStep: 'Run the index again; if it stops at the same place, exclude that folder in harness.json.',
  });
}

function workerFile(): string | undefined {
  const file = join(dirname(fileURLToPath(import.meta.url)), 'graphWorker.cjs');
  return existsSync(file) ? file : undefined;
}
