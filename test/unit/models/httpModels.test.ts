import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createModelClient, type ModelClient, type ModelSettings } from '../../../src/core/models';
import { type ModelServer, type Reply, startModelServer } from './modelServer';

const Answer = z.strictObject({ title: z.string(), count: z.int() });
const good = JSON.stringify({ title: 'ok', count: 2 });

const providers = ['openai-compatible', 'anthropic'] as const;

async function connect(
  provider: (typeof providers)[number],
  replies: Reply[],
  settings: Partial<ModelSettings> = {},
): Promise<{ client: ModelClient; server: ModelServer }> {
  const server = await startModelServer(...replies);
  const client = await createModelClient(
    { provider, model: 'test-model', baseUrl: server.baseUrl, apiKeyVariable: 'TEST_KEY', ...settings },
    { env: { TEST_KEY: 'secret-123' }, retryPauseSeconds: 0.001 },
  );
  return { client, server };
}

function ask(client: ModelClient, more: { signal?: AbortSignal; onText?: (text: string) => void } = {}) {
  return client.generate({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How many?' },
    ],
    schema: Answer,
    schemaName: 'answer',
    ...more,
  });
}

describe.each(providers)('%s', (provider) => {
  it('gives a checked value, the usage, and the text while it comes', async () => {
    const { client, server } = await connect(provider, [{ text: good }]);
    let streamed = '';
    const answer = await ask(client, {
      onText: (text) => {
        streamed += text;
      },
    });
    expect(answer.value).toEqual({ title: 'ok', count: 2 });
    expect(answer.usage).toEqual({ inputTokens: 11, outputTokens: 7 });
    expect(answer.model).toBe(`${provider}/test-model`);
    expect(streamed).toBe(good);
    const [request] = server.requests;
    expect(request!.said).toContain('Be brief.');
    expect(request!.said).toContain('How many?');
    expect(request!.said).toContain('"count\\":{\\"type\\":\\"integer');
    expect(request!.headers['x-api-key'] ?? request!.headers.authorization).toContain('secret-123');
  });

  it('tells the model once what is wrong with its answer', async () => {
    const { client, server } = await connect(provider, [{ text: '{"title": "ok", "count": "two"}' }, { text: good }]);
    const answer = await ask(client);
    expect(answer.value.count).toBe(2);
    expect(answer.usage).toEqual({ inputTokens: 22, outputTokens: 14 });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]!.said).toMatch(/count: Invalid input: expected (int|number)/);
  });

  it('gives up on nonsense after one repair, with the beginning of the answer', async () => {
    const { client, server } = await connect(provider, [{ text: 'I am sorry,\u0007 I cannot.' }]);
    await expect(ask(client)).rejects.toMatchObject({
      code: 'model-answer-unusable',
      excerpt: 'I am sorry, I cannot.',
      problem: 'it contains no complete JSON',
    });
    expect(server.requests).toHaveLength(2);
  });

  it('waits and asks again after 429 and 503', async () => {
    const { client, server } = await connect(provider, [
      { status: 429, body: '{"error": {"message": "slow down"}}' },
      { status: 503, body: 'gateway' },
      { text: good },
    ]);
    expect((await ask(client)).value.count).toBe(2);
    expect(server.requests).toHaveLength(3);
  });

  it('stops after three more tries', async () => {
    const { client, server } = await connect(provider, [{ status: 429, body: '{"error": {"message": "slow down"}}' }]);
    await expect(ask(client)).rejects.toThrow(/slow down.*HTTP 429/);
    expect(server.requests).toHaveLength(4);
  });

  it('does not repeat a refused request, and never shows the key', async () => {
    const { client, server } = await connect(provider, [
      { status: 401, body: '{"error": {"message": "bad key secret-123"}}' },
    ]);
    await expect(ask(client)).rejects.toThrow('bad key (key) (HTTP 401)');
    expect(server.requests).toHaveLength(1);
  });

  it('takes an error that comes with status 200 for an error', async () => {
    const { client } = await connect(provider, [{ json: { error: { message: 'model is loading' } } }]);
    await expect(ask(client)).rejects.toMatchObject({
      code: 'model-unavailable',
      message: expect.stringContaining('it answered with an error: model is loading'),
    });
  });

  it('takes an error in place of the answer text for an error', async () => {
    const { client, server } = await connect(provider, [{ text: '{"error": "upstream failed"}' }]);
    await expect(ask(client)).rejects.toThrow('it answered with an error: upstream failed');
    expect(server.requests).toHaveLength(1);
  });

  it('ends after the time allowed', async () => {
    const { client, server } = await connect(provider, ['hang'], { timeoutSeconds: 0.2 });
    await expect(ask(client)).rejects.toMatchObject({ code: 'model-timeout' });
    await server.closed;
    // One further try, not three: every one of them costs the whole time.
    expect(server.requests).toHaveLength(2);
  });

  it('stops the request when it is cancelled', async () => {
    const { client, server } = await connect(provider, ['hang']);
    const stop = new AbortController();
    const asking = ask(client, { signal: stop.signal });
    const waitForRequest = async (): Promise<void> => {
      if (server.requests.length > 0) return;
      await new Promise((done) => setTimeout(done, 5));
      return waitForRequest();
    };
    await waitForRequest();
    stop.abort();
    await expect(asking).rejects.toMatchObject({ code: 'cancelled' });
    await server.closed;
  });

  it('asks again when the connection breaks in the middle of the answer', async () => {
    const { client, server } = await connect(provider, [{ cutAfter: '{"title": "o' }, { text: good }]);
    expect((await ask(client)).value.title).toBe('ok');
    expect(server.requests).toHaveLength(2);
  });

  it('says that the answer was cut when it reached its longest length', async () => {
    const { client, server } = await connect(provider, [{ text: '{"title": "o', finish: 'length' }]);
    await expect(ask(client)).rejects.toMatchObject({
      code: 'model-answer-unusable',
      nextStep: expect.stringContaining('maxOutputTokens'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('names the variable of a missing key before any request', async () => {
    const creating = createModelClient({ provider, model: 'm', apiKeyVariable: 'MY_KEY' }, { env: {} });
    await expect(creating).rejects.toMatchObject({ code: 'model-key-missing', variable: 'MY_KEY', exitCode: 3 });
  });

  it('takes a key from a secret store', async () => {
    const server = await startModelServer({ text: good });
    const client = await createModelClient(
      { provider, model: 'm', baseUrl: server.baseUrl },
      { env: {}, apiKey: 'stored' },
    );
    await ask(client);
    const { headers } = server.requests[0]!;
    expect(headers['x-api-key'] ?? headers.authorization).toContain('stored');
  });

  it('names the address that cannot be reached', async () => {
    const { client } = await connect(provider, ['hang'], { baseUrl: 'http://127.0.0.1:9/v1' });
    await expect(ask(client)).rejects.toThrow(/test-model at 127\.0\.0\.1:9 is not available/);
  });
});

describe('the JSON mode of openai-compatible servers', () => {
  it('is asked for with a strict schema', async () => {
    const { client, server } = await connect('openai-compatible', [{ text: good }]);
    await ask(client);
    expect(JSON.parse(server.requests[0]!.said).response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { required: ['title', 'count'], additionalProperties: false } },
    });
  });

  it('is left out from then on where the server does not know it', async () => {
    const { client, server } = await connect('openai-compatible', [
      { status: 400, body: '{"error": {"message": "response_format json_schema is not supported"}}' },
      { text: good },
      { text: good },
    ]);
    expect((await ask(client)).value.count).toBe(2);
    expect((await ask(client)).value.count).toBe(2);
    expect(server.requests.map((request) => 'response_format' in JSON.parse(request.said))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is not blamed for other refusals', async () => {
    const { client, server } = await connect('openai-compatible', [
      { status: 400, body: '{"error": {"message": "unknown model"}}' },
    ]);
    await expect(ask(client)).rejects.toThrow('unknown model (HTTP 400)');
    expect(server.requests).toHaveLength(1);
  });
});

describe('keys', () => {
  it('does not send the key of the public service to another address', async () => {
    const server = await startModelServer({ text: good });
    const env = { OPENAI_API_KEY: 'public', ANTHROPIC_API_KEY: 'public' };
    const settings = { model: 'm', baseUrl: server.baseUrl };
    await ask(await createModelClient({ provider: 'openai-compatible', ...settings }, { env }));
    expect(JSON.stringify(server.requests[0]!.headers)).not.toContain('public');
    const creating = createModelClient({ provider: 'anthropic', ...settings }, { env });
    await expect(creating).rejects.toMatchObject({ code: 'model-key-missing' });
  });

  it('refuses the models of VS Code outside VS Code, and settings without a model', async () => {
    await expect(createModelClient({ provider: 'vscode', model: '' }, { env: {} })).rejects.toMatchObject({
      code: 'model-needs-vscode',
    });
    for (const provider of providers) {
      await expect(createModelClient({ provider, model: '' }, { env: {} })).rejects.toMatchObject({
        code: 'model-unnamed',
      });
    }
  });
});
