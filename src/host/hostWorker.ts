import { parentPort } from 'node:worker_threads';
import { EnvironmentError } from '../core/errors';
import { harnessHandlers } from './work/handlers/harnessHandlers';
import { proposalHandlers } from './work/handlers/proposalHandlers';
import { rowHandlers } from './work/handlers/rowHandlers';
import { traceHandlers } from './work/handlers/traceHandlers';
import { validationHandlers } from './work/handlers/validationHandlers';
import type { LinkSource } from './work/linkSource';
import { RunReaders } from './work/runReaders';
import { WorkServer } from './work/workServer';

if (!parentPort) {
  throw new EnvironmentError('This script is a worker and was started by itself.', {
    code: 'not-a-worker',
    nextStep: 'Start the extension instead; it starts this script.',
  });
}

const port = parentPort;
const readers = new RunReaders();
const source: LinkSource = { links: async () => [], findings: async () => [], unitTitle: () => null };
const handlers = {
  ...harnessHandlers(),
  ...traceHandlers(readers),
  ...rowHandlers(readers, source),
  ...proposalHandlers(),
  ...validationHandlers(),
};
const server = new WorkServer(handlers, (message) => port.postMessage(message));
port.on('message', (message) => void server.receive(message));
