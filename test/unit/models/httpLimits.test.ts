import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createModelClient, ModelAnswerError } from '../../../src/core/models';
import { startModelServer } from './modelServer';

const Answer = z.strictObject({ n: z.int() });

function clientAt(baseUrl: string, more: object = {}) {
  const settings = { provider: 'openai-compatible' as const, model: 'm', baseUrl, ...more };
  return createModelClient(settings, { env: {}, retryPauseSeconds: 0.001 });
}

function request(more: object = {}) {
  return { messages: [{ role: 'user' as const, content: 'n?' }], schema: Answer, schemaName: 'answer', ...more };
}

/** A server that answers every request with the same bytes, as often as it may, and counts the requests. */
async function startFlood(type: string, chunk: string) {
  const counted = { requests: 0, baseUrl: '' };
  const server = createServer((_, response) => {
    counted.requests++;
    response.writeHead(200, { 'content-type': type });
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  counted.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return counted;
}

describe('the size of answers', () => {
  it('is limited while they stream', async () => {
    const piece = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const delta = { choices: [{ index: 0, delta: { content: 'x'.repeat(60_000) }, finish_reason: null }] };
    const flood = await startFlood('text/event-stream', `data: ${JSON.stringify({ ...piece, ...delta })}\n\n`);
    const failure = await (await clientAt(flood.baseUrl)).generate(request()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelAnswerError);
    expect((failure as ModelAnswerError).problem).toMatch(/longer than 2000000 characters/);
    expect(flood.requests).toBe(1);
  });

  it('is limited for answers that are no stream', async () => {
    const flood = await startFlood('application/json', ' '.repeat(100_000));
    await expect((await clientAt(flood.baseUrl)).generate(request())).rejects.toThrow(/longer than 1000000 bytes/);
    expect(flood.requests).toBe(1);
  });
});

describe('requests', () => {
  it('say how long the answer may be: the request before the settings', async () => {
    const server = await startModelServer({ text: '{"n": 1}' });
    const client = await clientAt(server.baseUrl, { maxOutputTokens: 500 });
    await client.generate(request());
    await client.generate(request({ maxOutputTokens: 50 }));
    expect(server.requests.map((one) => one.body.max_tokens)).toEqual([500, 50]);
    expect(server.requests[0]!.path).toBe('/v1/chat/completions');
    expect(server.requests[0]!.body).toMatchObject({ model: 'm', stream: true });
  });

  it('wait as long as the server asks', async () => {
    const server = await startModelServer(
      { status: 429, body: '{}', headers: { 'retry-after': '0.01' } },
      { text: '{"n": 1}' },
    );
    const settings = { provider: 'openai-compatible' as const, model: 'm', baseUrl: server.baseUrl };
    // Without the header the pause would be an hour, and the test would not end.
    const client = await createModelClient(settings, { env: {}, retryPauseSeconds: 3600 });
    expect((await client.generate(request())).value.n).toBe(1);
  });

  it('take a page that is no answer for what it is', async () => {
    const server = await startModelServer({ json: 'hello' });
    await expect((await clientAt(server.baseUrl)).generate(request())).rejects.toThrow(
      /does not stream its answers \(content type "application\/json"\)/,
    );
    const page = await startModelServer({ status: 502, body: '<html>Bad gateway</html>' });
    await expect((await clientAt(page.baseUrl)).generate(request())).rejects.toThrow(/HTTP 502/);
    expect(page.requests).toHaveLength(4);
  });

  it('go to the address of the settings, and the label says where', async () => {
    const client = await clientAt('http://127.0.0.1:1/v1');
    expect(client.label).toBe('m at 127.0.0.1:1');
    expect(client.id).toBe('openai-compatible/m');
  });
});
