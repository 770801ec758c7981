import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyOr } from '../../../src/host/work/linkSource';
import { startThread } from '../../../src/host/work/threadPort';
import type { WorkerPort } from '../../../src/host/work/workClient';

let script: string;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'harnessmith-thread-'));
  script = join(folder, 'worker.cjs');
  writeFileSync(
    script,
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', (message) => {
       if (message.method === 'throw') throw new Error('a broken index');
       if (message.method === 'leave') process.exit(7);
       if (message.method === 'grow') { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); }
       parentPort.postMessage({ kind: 'result', id: message.id, value: message.params });
     });`,
  );
});
afterAll(() => rmSync(join(script, '..'), { recursive: true, force: true }));

const exitOf = (port: WorkerPort) => new Promise<string>((resolve) => port.onExit(resolve));
const request = (method: string) => ({
  kind: 'request' as const,
  id: 1,
  method,
  params: { root: '/a', at: [1, null] },
});

describe('a worker thread', () => {
  it('carries messages both ways as copies, and ends when told', async () => {
    const port = startThread(script);
    const answer = new Promise((resolve) => port.onMessage(resolve));
    const ended = exitOf(port);
    const message = request('echo');
    port.post(message);
    expect(await answer).toEqual({ kind: 'result', id: 1, value: message.params });
    port.terminate();
    await ended;
  });

  it.each([
    ['throw', /^a broken index/],
    ['leave', /exit code 7/],
  ])('that ends by itself (%s) says why', async (method, reason) => {
    const port = startThread(script);
    const ended = exitOf(port);
    port.post(request(method));
    expect(await ended).toMatch(reason);
  });

  it('that takes too much memory ends alone, and this process lives on', async () => {
    const port = startThread(script, 16);
    const ended = exitOf(port);
    port.post(request('grow'));
    expect(await ended).toMatch(/memory/i);
  });

  it('whose script is missing says so', async () => {
    expect(await exitOf(startThread(`${script}.none`))).toMatch(/worker\.cjs\.none/);
  });
});

describe('waiting for links', () => {
  it('does not wait in a long trace, and takes what is there already', async () => {
    const never = new Promise<string>(() => {});
    expect(await readyOr(never, 'instead', true)).toBe('instead');
    expect(await readyOr(Promise.resolve('there'), 'instead', true)).toBe('there');
  });

  it('waits in a short one', async () => {
    const soon = new Promise<string>((resolve) => setTimeout(resolve, 20, 'there'));
    expect(await readyOr(soon, 'instead', false)).toBe('there');
  });
});
