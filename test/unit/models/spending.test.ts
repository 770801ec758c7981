import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  createModelClient,
  estimateTokens,
  ModelAnswerError,
  ModelBudgetError,
  type ModelCall,
  type ModelEnvironment,
  ModelTimeoutError,
  PriceList,
  requestLog,
  requestLogFile,
  Spending,
} from '../../../src/core/models';
import { type Reply, startModelServer } from './modelServer';

const Answer = z.strictObject({ n: z.int() });
/** Eleven tokens in and seven out cost 11 + 70 millionths of a dollar. */
const prices = new PriceList({ m: { input: 1, output: 10 } });
const costOfAnswer = 81e-6;

async function clientAt(replies: Reply[], settings: object = {}, environment: Partial<ModelEnvironment> = {}) {
  const server = await startModelServer(...replies);
  const all = { provider: 'openai-compatible' as const, model: 'm', baseUrl: server.baseUrl, ...settings };
  const client = await createModelClient(all, { env: {}, retryPauseSeconds: 0.001, prices, ...environment });
  return { client, server, spending: client.spending! };
}

function ask(client: Awaited<ReturnType<typeof clientAt>>['client'], more: object = {}) {
  return client.generate({
    messages: [{ role: 'user', content: 'n?' }],
    schema: Answer,
    schemaName: 'answer',
    ...more,
  });
}

describe('what calls cost', () => {
  it('is in the answer and in the spending of the client', async () => {
    const { client, spending } = await clientAt([{ text: '{"n": 1}' }]);
    expect((await ask(client)).costUsd).toBeCloseTo(costOfAnswer, 12);
    await ask(client);
    expect(spending).toMatchObject({ calls: 2, failedCalls: 0, inputTokens: 22, outputTokens: 14, estimatedCalls: 0 });
    expect(spending.words()).toBe('2 requests, 22 tokens in, 14 out, $0.0002');
  });

  it('counts the answer that had to be repaired', async () => {
    const { client, spending } = await clientAt([{ text: '{"n": "one"}' }, { text: '{"n": 1}' }]);
    expect((await ask(client)).costUsd).toBeCloseTo(2 * costOfAnswer, 12);
    expect(spending.calls).toBe(2);
  });

  it('is known also when no answer could be used', async () => {
    const { client, spending } = await clientAt([{ text: 'no' }]);
    await expect(ask(client)).rejects.toBeInstanceOf(ModelAnswerError);
    expect(spending.costUsd).toBeCloseTo(2 * costOfAnswer, 12);
  });

  it('is estimated for an answer that broke off, and nothing for a request that was turned away', async () => {
    const { client, spending } = await clientAt([
      { status: 429, body: '{}' },
      { cutAfter: '{"n": 1234567890, "m": 1234567890' },
      { text: '{"n": 1}' },
    ]);
    await ask(client);
    expect(spending).toMatchObject({ calls: 3, failedCalls: 2, estimatedCalls: 1, unpricedCalls: 0 });
    expect(spending.outputTokens).toBeGreaterThan(7);
    expect(spending.words()).toMatch(/^3 requests \(2 failed\), about [\d,]+ tokens in, \d+ out, about \$0\.0/);
  });

  it('is null where the price is not known, and said so', async () => {
    const { client, spending } = await clientAt([{ text: '{"n": 1}' }], { model: 'gpt-4o' });
    // A model of this machine has no list price, whatever it is called.
    expect((await ask(client)).costUsd).toBeNull();
    expect(spending.words()).toContain('price not known');
  });
});

describe('a budget', () => {
  it('in dollars ends the calls before the one that would go beyond it', async () => {
    const { client, server } = await clientAt([{ text: '{"n": 1}' }], { budgetUsd: costOfAnswer * 1.5 });
    await ask(client);
    const failure = await ask(client).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelBudgetError);
    expect((failure as ModelBudgetError).message).toMatch(/\$0\.0001 of \$0\.0001 are spent/);
    expect(server.requests).toHaveLength(1);
  });

  it('in tokens looks at the request that comes', async () => {
    const { client, server } = await clientAt([{ text: '{"n": 1}' }], { budgetTokens: 400 });
    await ask(client);
    const long = { messages: [{ role: 'user', content: 'x'.repeat(4_000) }] };
    await expect(ask(client, long)).rejects.toThrow(/18 of 400 tokens are used and the next request has about 1\d\d\d/);
    expect(server.requests).toHaveLength(1);
  });

  it('holds between the tries of one request', async () => {
    const { client, server } = await clientAt([{ text: 'no' }], { budgetTokens: 120 });
    await expect(ask(client)).rejects.toBeInstanceOf(ModelBudgetError);
    expect(server.requests).toHaveLength(1);
  });

  it('in dollars refuses a model whose price nobody knows', async () => {
    const { client, server } = await clientAt([{ text: '{"n": 1}' }], { model: 'unknown', budgetUsd: 1 });
    await expect(ask(client)).rejects.toThrow(/its price is not known/);
    expect(server.requests).toHaveLength(0);
  });
});

describe('an endpoint that stalls', () => {
  it('is asked once more and then given up, with the words it sent in the log', async () => {
    const calls: ModelCall[] = [];
    const { client, server } = await clientAt(
      [{ stallAfter: '{"n": 12' }],
      {},
      {
        stallSeconds: 0.15,
        watches: [{ after: (call) => calls.push(call) }],
      },
    );
    const failure = await ask(client).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelTimeoutError);
    expect((failure as Error).message).toMatch(/stopped in the middle of its answer for 0\.15 s/);
    expect(server.requests).toHaveLength(2);
    expect(calls.map((call) => call.text)).toEqual(['{"n": 12', '{"n": 12']);
    expect(calls[0]!.error).toMatch(/stopped in the middle/);
  });

  it('is forgiven when it answers the second time, and the person is told', async () => {
    const { client } = await clientAt([{ stallAfter: '{"n"' }, { text: '{"n": 5}' }], {}, { stallSeconds: 0.15 });
    const told: string[] = [];
    expect((await ask(client, { onRetry: (message: string) => told.push(message) })).value.n).toBe(5);
    expect(told).toEqual([expect.stringMatching(/Trying again in 0\.0 s: no answer in time \(1 of 1\)/)]);
  });
});

describe('servers with other wishes', () => {
  it('get the limit of the answer by the name they know', async () => {
    const refusal = { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } };
    const { client, server } = await clientAt([{ status: 400, body: JSON.stringify(refusal) }, { text: '{"n": 1}' }]);
    await ask(client, { maxOutputTokens: 99 });
    await ask(client, { maxOutputTokens: 98 });
    expect(server.requests.map((one) => JSON.parse(one.said).max_completion_tokens)).toEqual([undefined, 99, 98]);
    expect(server.requests.map((one) => one.body.max_tokens)).toEqual([99, undefined, undefined]);
  });

  it('get the query of the address behind every path', async () => {
    const server = await startModelServer({ text: '{"n": 1}' });
    const baseUrl = `${server.baseUrl}?api-version=preview`;
    const settings = { provider: 'openai-compatible' as const, model: 'm', baseUrl };
    await ask(await createModelClient(settings, { env: {} }));
    expect(server.requests[0]!.path).toBe('/v1/chat/completions?api-version=preview');
  });
});

describe('the log of requests', () => {
  it('has what was asked, answered and paid, without keys', async () => {
    const root = await mkdtemp(join(tmpdir(), 'harnessmith-log-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const { client } = await clientAt([{ text: '{"n": 1}' }], {}, { watches: [requestLog(root)] });
    await ask(client, { messages: [{ role: 'user', content: 'key sk-ant-abcdefghijklmnop1234 of n?' }] });
    await ask(client);
    const log = await readFile(requestLogFile(root), 'utf8');
    expect(log.match(/^==== /gm)).toHaveLength(2);
    expect(log).toContain('key (masked) of n?');
    expect(log).not.toContain('abcdefghijklmnop');
    expect(log).toContain('{"n": 1}');
    expect(log).toMatch(/answered; [\d.]+ s, 11 tokens in, 7 out, \$0\.00008/);
    expect((await stat(requestLogFile(root))).mode & 0o777).toBe(0o600);
  });

  it('that cannot be written does not fail the work', async () => {
    const errors: unknown[] = [];
    const { client } = await clientAt(
      [{ text: '{"n": 1}' }],
      {},
      {
        watches: [requestLog('/dev/null/nowhere', (error) => errors.push(error))],
      },
    );
    await ask(client);
    await ask(client);
    expect(errors).toHaveLength(1);
  });
});

describe('estimates', () => {
  it('count about four characters a token', () => {
    expect(estimateTokens(['abcd', 'efgh', 'i'])).toBe(3);
    expect(new Spending().words()).toBe('0 requests, 0 tokens in, 0 out, nothing spent');
  });
});
