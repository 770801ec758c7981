import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { executorAt, workForQueue } from '../../src/core/validation';
import { runOf } from './harness';

/** `postgres://USER@HOST:PORT/DATABASE` of an empty database. A server cannot be started here by root, so it is not. */
const address = process.env.HARNESSMITH_POSTGRES;

it.skipIf(address === undefined)('a run through PostgreSQL has the record of a run here', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harnessmith-postgres-')));
  const stop = new AbortController();
  const queue = address ?? '';
  const settings = { address: queue, name: 'one', concurrency: 2, heartbeatSeconds: 5, signal: stop.signal };
  const working = workForQueue({ ...settings, folder: join(folder, 'one') });
  const suite = { tasks: ['a', 'b', 'c'], trials: 2, command: ['test', '-f', 'solution'] };
  const { trials, verdict } = await runOf(suite, { file: '1' }, { file: '2' }, await executorAt(queue));
  stop.abort();
  await working;
  rmSync(folder, { recursive: true });
  expect(trials.map((trial) => trial.verdict)).toEqual(Array(12).fill('fail'));
  expect(verdict.coverage).toEqual({ measured: 12, planned: 12 });
});
