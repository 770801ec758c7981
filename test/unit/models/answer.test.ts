import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type AskModel,
  answerInSchema,
  ModelAnswerError,
  type ModelMessage,
  ModelUnavailableError,
} from '../../../src/core/models';
import { excerptOf } from '../../../src/core/models/modelErrors';
import { withRetries } from '../../../src/core/models/retry';

const Answer = z.strictObject({ n: z.int() });
const model = { id: 'host/model', label: 'the host model' };

/** A model of the host: gives texts in turn and keeps what it was told. */
function hostModel(...texts: string[]) {
  const told: ModelMessage[][] = [];
  const ask: AskModel = async (messages) => {
    told.push(messages);
    const text = texts[Math.min(told.length, texts.length) - 1]!;
    return { text, usage: { inputTokens: null, outputTokens: 3 }, cut: false };
  };
  return { ask, told };
}

function request(over: { signal?: AbortSignal } = {}) {
  return { messages: [{ role: 'user' as const, content: 'How many?' }], schema: Answer, schemaName: 'answer', ...over };
}

describe('answerInSchema', () => {
  it('works with a model that has no JSON mode', async () => {
    const { ask, told } = hostModel('Of course.\n```json\n{"n": 4}\n```');
    const answer = await answerInSchema(ask, request(), model);
    expect(answer).toEqual({
      value: { n: 4 },
      usage: { inputTokens: null, outputTokens: 3 },
      costUsd: null,
      model: 'host/model',
    });
    expect(told[0]!.map((message) => message.role)).toEqual(['system', 'user']);
    expect(told[0]![0]!.content).toContain('"required":["n"]');
  });

  it('repairs once, with the issues and the former answer', async () => {
    const { ask, told } = hostModel('{"n": "four", "m": 1}', '{"n": 4}');
    expect((await answerInSchema(ask, request(), model)).usage).toEqual({ inputTokens: null, outputTokens: 6 });
    const [former, repair] = told[1]!.slice(-2);
    expect(former).toEqual({ role: 'assistant', content: '{"n": "four", "m": 1}' });
    expect(repair!.content).toMatch(/^Your answer cannot be used:\nn: .*\n.*"m"/);
  });

  it('does not send a runaway answer back whole', async () => {
    const { ask, told } = hostModel('x'.repeat(100_000), '{"n": 4}');
    await answerInSchema(ask, request(), model);
    expect(told[1]!.at(-2)!.content).toHaveLength(20_000);
  });

  it('does not repair after it was cancelled', async () => {
    const stop = new AbortController();
    const { told } = hostModel();
    const ask: AskModel = async (messages) => {
      told.push(messages);
      stop.abort();
      return { text: 'nonsense', usage: { inputTokens: null, outputTokens: null }, cut: false };
    };
    await expect(answerInSchema(ask, request({ signal: stop.signal }), model)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(told).toHaveLength(1);
  });

  it.each([
    ['{"error": "quota"}', 'quota'],
    ['{"error": {"message": "overloaded", "type": "x"}}', 'overloaded'],
    ['{"error": {"code": 500}}', '{"code":500}'],
  ])('takes %s for an error of the service', async (text, reason) => {
    const failure = await answerInSchema(hostModel(text).ask, request(), model).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(ModelUnavailableError);
    expect((failure as Error).message).toBe(`the host model is not available: it answered with an error: ${reason}`);
  });

  it('takes "error": null for no error', async () => {
    const { ask } = hostModel('{"error": null, "n": 1}');
    await expect(answerInSchema(ask, request(), model)).rejects.toBeInstanceOf(ModelAnswerError);
  });
});

describe('withRetries', () => {
  const busy = (retryAfterSeconds?: number) =>
    new ModelUnavailableError('m', 'busy', { retryable: true, retryAfterSeconds });

  it('tries as often as told, and gives the last error', async () => {
    let tries = 0;
    const failing = () => Promise.reject(busy(tries++ * 0));
    const options = { retries: 2, retriesOfTimeout: 1, firstPauseSeconds: 0 };
    await expect(withRetries(failing, options)).rejects.toThrow('busy');
    expect(tries).toBe(3);
  });

  it('does not repeat other errors', async () => {
    let tries = 0;
    const refused = async () => {
      tries++;
      throw new ModelUnavailableError('m', 'no such model');
    };
    await expect(withRetries(refused, { retries: 2, retriesOfTimeout: 1, firstPauseSeconds: 0 })).rejects.toThrow(
      'no such model',
    );
    expect(tries).toBe(1);
  });

  it('ends the pause when it is cancelled', async () => {
    const stop = new AbortController();
    const failing = async () => {
      stop.abort();
      throw busy(20);
    };
    const options = { retries: 2, retriesOfTimeout: 1, firstPauseSeconds: 20, signal: stop.signal };
    await expect(withRetries(failing, options)).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('excerptOf', () => {
  it('gives one short line without control characters', () => {
    expect(excerptOf('a\n\tb\u001b[31mc')).toBe('a b [31mc');
    expect(excerptOf('x'.repeat(1000))).toBe(`${'x'.repeat(300)}...`);
  });
});
