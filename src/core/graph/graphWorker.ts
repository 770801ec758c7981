import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { messageOf } from '../errors';
import { analyzeFile, type FileResult } from './analyzeFile';

const { root } = z.object({ root: z.string() }).parse(workerData);
const Batch = z.array(z.object({ path: z.string(), hash: z.string().optional() }));

parentPort?.on('message', (message: unknown) => {
  answer(message).then(
    (results) => parentPort?.postMessage({ results }),
    (error: unknown) => parentPort?.postMessage({ failure: messageOf(error) }),
  );
});

async function answer(message: unknown): Promise<FileResult[]> {
  const results: FileResult[] = [];
  for (const { path, hash } of Batch.parse(message)) results.push(await analyzeFile(root, path, hash));
  return results;
}
