import { describe, expect, it } from 'vitest';
import { CancelledError, EnvironmentError, HarnessmithError, InputError } from '../../../src/core/errors';
import { oneLine, userMessage } from '../../../src/host/log';
import { packError, type ToWorker, unpackError } from '../../../src/host/work/messages';
import { type CompleteText, WorkClient, type WorkerPort } from '../../../src/host/work/workClient';
import { type HandlerContext, type Handlers, WorkServer } from '../../../src/host/work/workServer';
import { FakeLog } from './fakes';

/** Client and server joined by a channel that clones, as threads do. */
function joined(handlers: Partial<Handlers>, completeText: CompleteText = async () => ({ text: '', model: '' })) {
  const log = new FakeLog();
  let started = 0;
  let crash: (reason: string) => void = () => {};
  const port = (): WorkerPort => {
    started++;
    let toHost: (message: unknown) => void = () => {};
    const server = new WorkServer(handlers as Handlers, (message) => toHost(structuredClone(message)));
    return {
      post: (message: ToWorker) => void server.receive(structuredClone(message)),
      onMessage: (listener) => {
        toHost = listener;
      },
      onExit: (listener) => {
        crash = listener;
      },
      terminate: () => {},
    };
  };
  const client = new WorkClient(port, completeText, log);
  return { client, log, starts: () => started, crash: (reason: string) => crash(reason) };
}

describe('the worker channel', () => {
  it('starts no worker before the first call and one for many', async () => {
    const { client, starts } = joined({
      unitless: undefined,
      createConfiguration: async () => '/a/harness.json',
    } as never);
    expect(starts()).toBe(0);
    await Promise.all([
      client.call('createConfiguration', { root: '/a' }),
      client.call('createConfiguration', { root: '/a' }),
    ]);
    expect(starts()).toBe(1);
  });

  it('carries progress', async () => {
    const seen: string[] = [];
    const { client } = joined({
      createConfiguration: async (_params, { progress }) => {
        progress({ message: 'half', done: 1, total: 2 });
        return 'x';
      },
    });
    await client.call(
      'createConfiguration',
      { root: '/a' },
      { progress: (report) => seen.push(`${report.message} ${report.done}`) },
    );
    expect(seen).toEqual(['half 1']);
  });

  it('cancels the work, and a cancellation comes back as one', async () => {
    const controller = new AbortController();
    const { client } = joined({
      createConfiguration: (_params, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new CancelledError()))),
    });
    const call = client.call('createConfiguration', { root: '/a' }, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toBeInstanceOf(CancelledError);
    await expect(
      client.call('createConfiguration', { root: '/a' }, { signal: controller.signal }),
    ).rejects.toBeInstanceOf(CancelledError);
  });

  it('refuses parameters and results in a wrong shape', async () => {
    const { client } = joined({ createConfiguration: async () => 7 as never });
    await expect(client.call('createConfiguration', { root: 3 } as never)).rejects.toThrow(/expected string/);
    await expect(client.call('createConfiguration', { root: '/a' })).rejects.toThrow(/unknown shape/);
  });

  it('fails what is pending when the worker dies, and starts a new one', async () => {
    const hang = new Promise<string>(() => {});
    let answers = 0;
    const { client, starts, crash, log } = joined({
      createConfiguration: () => (answers++ === 0 ? hang : Promise.resolve('again')),
    });
    const call = client.call('createConfiguration', { root: '/a' });
    crash('out of memory');
    await expect(call).rejects.toThrow(/out of memory/);
    expect(log.lines.some((line) => line.startsWith('error'))).toBe(true);
    await expect(client.call('createConfiguration', { root: '/a' })).resolves.toBe('again');
    expect(starts()).toBe(2);
  });

  it('asks the host for a text of the editor model, and passes its failure on', async () => {
    const ask = async (_params: unknown, { completeText }: HandlerContext) =>
      (await completeText([{ role: 'user', content: 'hello' }])).text;
    const good = joined({ createConfiguration: ask }, async (messages) => ({
      text: messages[0]!.content.toUpperCase(),
      model: 'm',
    }));
    await expect(good.client.call('createConfiguration', { root: '/a' })).resolves.toBe('HELLO');
    const bad = joined({ createConfiguration: ask }, async () => {
      throw new EnvironmentError('No model.', { code: 'model-unavailable', nextStep: 'Get one.' });
    });
    const failure = await bad.client.call('createConfiguration', { root: '/a' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(oneLine(failure)).toBe('No model. Get one.');
  });

  it('names a method it does not know', async () => {
    const { client } = joined({});
    await expect(client.call('listRuns', { root: '/a' })).rejects.toThrow(/no method "listRuns"/);
  });
});

describe('errors between threads', () => {
  it.each([
    new InputError('a', { code: 'c', nextStep: 'n' }),
    new EnvironmentError('b', { code: 'c', nextStep: 'n' }),
    new HarnessmithError('d', { code: 'c', nextStep: 'n' }),
    new CancelledError(),
  ])('keep class, code and next step: %s', (error) => {
    const again = unpackError(structuredClone(packError(error))) as HarnessmithError;
    expect(again.constructor).toBe(error.constructor);
    expect([again.code, again.nextStep]).toEqual([error.code, error.nextStep]);
  });

  it('keep the message and stack of anything else', () => {
    const error = new TypeError('boom');
    expect(unpackError(packError(error)).stack).toBe(error.stack);
    expect(unpackError(packError('text')).message).toBe('text');
  });

  it('are not shown when they are cancellations', () => {
    expect(userMessage(new CancelledError())).toBeNull();
    const canceled = new Error('Canceled');
    canceled.name = 'Canceled';
    expect(userMessage(canceled)).toBeNull();
    expect(oneLine(new Error('plain'))).toBe('plain');
  });
});
