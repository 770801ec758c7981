import { Worker } from 'node:worker_threads';
import type { WorkerPort } from './workClient';

/**
 * Starts a worker thread from a script and gives its channel.
 * The heap is capped: a runaway trace ends the worker, not the editor.
 */
export function startThread(script: string, heapMegabytes = 2048): WorkerPort {
  const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
  let reason = 'it stopped';
  worker.on('error', (error) => {
    reason = error instanceof Error ? error.message : String(error);
  });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) =>
      void worker.on('exit', (code) => listener(code === 0 ? reason : `${reason} (exit code ${code})`)),
    terminate: () => void worker.terminate(),
  };
}
