import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/core/errors';
import type { FromWorker, ToWorker } from '../../../src/host/work/messages';
import { WorkClient } from '../../../src/host/work/workClient';
import { type Handlers, WorkServer } from '../../../src/host/work/workServer';
import { FakeLog } from './fakes';

/** A server alone, with what it sent. */
function served(handlers: Partial<Handlers>) {
  const sent: FromWorker[] = [];
  const server = new WorkServer(handlers as Handlers, (message) => sent.push(structuredClone(message)));
  const request = (id: number, params: unknown = { root: '/a' }) =>
    server.receive({ kind: 'request', id, method: 'createConfiguration', params });
  return { sent, server, request, of: (id: number) => sent.filter((message) => message.id === id) };
}

describe('the worker side', () => {
  it('answers each request under its own number, in the order they end', async () => {
    const { sent, request } = served({
      createConfiguration: async ({ root }) => {
        await pause(root === '/slow' ? 20 : 0);
        return root;
      },
    });
    await Promise.all([request(1, { root: '/slow' }), request(2, { root: '/quick' })]);
    expect(sent).toEqual([
      { kind: 'result', id: 2, value: '/quick' },
      { kind: 'result', id: 1, value: '/slow' },
    ]);
  });

  it('cancels the request that is named and no other', async () => {
    const { server, request, of } = served({
      createConfiguration: async (_params, { signal }) => {
        await pause(20);
        return String(signal.aborted);
      },
    });
    const both = Promise.all([request(1), request(2)]);
    await server.receive({ kind: 'cancel', id: 1 });
    await server.receive({ kind: 'cancel', id: 77 });
    await both;
    // A handler that ends in spite of the cancel has no answer either: nobody waits for it.
    expect(of(1)).toEqual([
      expect.objectContaining({ kind: 'error', error: expect.objectContaining({ type: 'cancelled' }) }),
    ]);
    expect(of(2)).toEqual([{ kind: 'result', id: 2, value: 'false' }]);
  });

  it('sends a failure of any kind back as a message', async () => {
    const failures = [new Error('broken'), 'just text', undefined];
    const { request, of } = served({
      createConfiguration: async () => {
        throw failures.shift();
      },
    });
    for (const id of [1, 2, 3]) await request(id);
    const messages = [1, 2, 3].map((id) => of(id)[0]);
    for (const message of messages) expect(message).toMatchObject({ kind: 'error', error: { type: 'unexpected' } });
    expect(messages[0]).toMatchObject({ error: { message: 'broken' } });
  });

  it('checks the parameters before the handler sees them', async () => {
    let called = 0;
    const { request, of } = served({
      createConfiguration: async () => {
        called++;
        return '';
      },
    });
    await request(1, { root: 7 });
    await request(2, null);
    expect(called).toBe(0);
    expect([of(1)[0]!.kind, of(2)[0]!.kind]).toEqual(['error', 'error']);
  });

  it('gives each wish for a text its own answer, whichever comes first', async () => {
    const { sent, server, request, of } = served({
      createConfiguration: async ({ root }, { completeText }) =>
        (await completeText([{ role: 'user', content: root }])).text,
    });
    const both = Promise.all([request(1, { root: '/one' }), request(2, { root: '/two' })]);
    const wishes = sent.filter((message) => message.kind === 'completeText');
    expect(wishes.map((wish) => wish.request)).toEqual([1, 2]);
    for (const wish of [...wishes].reverse()) {
      const value = { text: `answer to ${wish.request}`, model: 'm' };
      await server.receive({ kind: 'reply', id: wish.id, value, error: null });
    }
    await both;
    expect([of(1).at(-1), of(2).at(-1)]).toEqual([
      { kind: 'result', id: 1, value: 'answer to 1' },
      { kind: 'result', id: 2, value: 'answer to 2' },
    ]);
  });

  it('fails the request, and does not hang, when the answer to a wish has a wrong shape', async () => {
    const { sent, server, request, of } = served({
      createConfiguration: async (_params, { completeText }) => (await completeText([])).text,
    });
    const asked = request(1);
    const wish = sent.find((message) => message.kind === 'completeText')!;
    await server.receive({ kind: 'reply', id: wish.id, value: { txt: 'x' }, error: null });
    await asked;
    expect(of(1).at(-1)).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('text') } });
  });

  it('gives up a wish when its request is cancelled; a late answer changes nothing', async () => {
    const { sent, server, request, of } = served({
      createConfiguration: async (_params, { completeText }) => (await completeText([])).text,
    });
    const asked = request(1);
    const wish = sent.find((message) => message.kind === 'completeText')!;
    await server.receive({ kind: 'cancel', id: 1 });
    await asked;
    await server.receive({ kind: 'reply', id: wish.id, value: { text: 'late', model: 'm' }, error: null });
    expect(of(1).filter((message) => message.kind !== 'completeText')).toEqual([
      expect.objectContaining({ kind: 'error', error: expect.objectContaining({ type: 'cancelled' }) }),
    ]);
  });
});

/** A client whose worker is played by the test. */
function played() {
  const log = new FakeLog();
  const posted: ToWorker[] = [];
  let listener: (message: unknown) => void = () => {};
  let exit: (reason: string) => void = () => {};
  let ended = 0;
  const client = new WorkClient(
    () => ({
      post: (message) => posted.push(message),
      onMessage: (given) => {
        listener = given;
      },
      onExit: (given) => {
        exit = given;
      },
      terminate: () => {
        ended++;
      },
    }),
    async () => ({ text: '', model: '' }),
    log,
  );
  const call = (signal?: AbortSignal) => client.call('createConfiguration', { root: '/a' }, { signal });
  return {
    client,
    log,
    posted,
    call,
    say: (message: unknown) => listener(message),
    die: () => exit('gone'),
    ends: () => ended,
  };
}

describe('the host side', () => {
  it('logs what it does not understand and goes on waiting', async () => {
    const { call, say, log } = played();
    const answer = call();
    for (const message of [null, 'text', { kind: 'result' }, { kind: 'nonsense', id: 1 }]) say(message);
    say({ kind: 'result', id: 1, value: 'good' });
    await expect(answer).resolves.toBe('good');
    expect(log.lines.filter((line) => line.startsWith('error'))).toHaveLength(4);
  });

  it('ignores news of requests that are settled or were never made', async () => {
    const { call, say } = played();
    const answer = call();
    say({ kind: 'result', id: 99, value: 'not mine' });
    say({ kind: 'result', id: 1, value: 'first' });
    say({ kind: 'result', id: 1, value: 'second' });
    await expect(answer).resolves.toBe('first');
  });

  it('counts what is under way, down to none', async () => {
    const { client, call, say } = played();
    const counts: number[] = [];
    client.onDidChangeBusy((count) => counts.push(count));
    const both = Promise.allSettled([call(), call()]);
    say({ kind: 'result', id: 2, value: 'b' });
    say({ kind: 'error', id: 1, error: { type: 'general', message: 'm', code: 'c', nextStep: 'n' } });
    await both;
    expect(counts).toEqual([1, 2, 1, 0]);
  });

  it('tells the worker of a cancel once, and not after the answer', async () => {
    const { call, say, posted } = played();
    const early = new AbortController();
    const cancelled = call(early.signal);
    early.abort();
    say({ kind: 'error', id: 1, error: { type: 'cancelled', message: '', code: 'cancelled', nextStep: '' } });
    await expect(cancelled).rejects.toBeInstanceOf(CancelledError);
    const late = new AbortController();
    const answered = call(late.signal);
    say({ kind: 'result', id: 2, value: 'x' });
    await answered;
    late.abort();
    expect(posted.filter((message) => message.kind === 'cancel')).toEqual([{ kind: 'cancel', id: 1 }]);
  });

  it('ends the worker and what waits for it when the window closes', async () => {
    const { client, call, ends, die, log } = played();
    const answer = call();
    client.dispose();
    await expect(answer).rejects.toBeInstanceOf(CancelledError);
    expect(ends()).toBe(1);
    die();
    // An end that was wanted is no failure.
    expect(log.lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});
