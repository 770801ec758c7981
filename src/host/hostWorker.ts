import { parentPort } from 'node:worker_threads';
import { EnvironmentError } from '../core/errors';
import { diagnosisHandlers } from './work/handlers/diagnosisHandlers';
import { exchangeHandlers } from './work/handlers/exchangeHandlers';
import { handbookHandlers } from './work/handlers/handbookHandlers';
import { harnessHandlers } from './work/handlers/harnessHandlers';
import { liveHandlers } from './work/handlers/liveHandlers';
import { overlayHandlers } from './work/handlers/overlayHandlers';
import { proposalHandlers } from './work/handlers/proposalHandlers';
import { proposeHandlers } from './work/handlers/proposeHandlers';
import { rowHandlers } from './work/handlers/rowHandlers';
import { searchHandlers } from './work/handlers/searchHandlers';
import { stepHandlers } from './work/handlers/stepHandlers';
import { traceHandlers } from './work/handlers/traceHandlers';
import { validationHandlers } from './work/handlers/validationHandlers';
import { IndexedHarnesses } from './work/indexedHarnesses';
import { IndexedLinks } from './work/linkSource';
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
const harnesses = new IndexedHarnesses();
const source = new IndexedLinks(harnesses);
const handlers = {
  ...harnessHandlers(),
  ...handbookHandlers(harnesses),
  ...overlayHandlers(harnesses),
  ...traceHandlers(readers),
  ...rowHandlers(readers, source),
  ...stepHandlers(readers),
  ...searchHandlers(readers, source),
  ...liveHandlers(readers, source),
  ...diagnosisHandlers(harnesses),
  ...proposalHandlers(),
  ...proposeHandlers(harnesses),
  ...exchangeHandlers(),
  ...validationHandlers(),
};
const server = new WorkServer(handlers, (message) => port.postMessage(message));
port.on('message', (message) => void server.receive(message));
