import workerText from 'difference-worker';

/** Lets the editor compute differences off the thread of the page; the worker comes with the bundle, as a blob. */
export function startWorker(): void {
  const address = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
  Object.assign(globalThis, { MonacoEnvironment: { getWorker: () => new Worker(address) } });
}
