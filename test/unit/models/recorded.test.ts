import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  createModelClient,
  type ModelClient,
  RecordedAnswers,
  RecordedClient,
  recordingClient,
  requestHash,
} from '../../../src/core/models';

const Answer = z.strictObject({ n: z.int() });

function ask(client: ModelClient, content: string, schemaName = 'answer') {
  return client.generate({ messages: [{ role: 'user', content }], schema: Answer, schemaName });
}

function recorded(...answers: z.input<typeof RecordedAnswers>['answers']): RecordedClient {
  return new RecordedClient(RecordedAnswers.parse({ schemaVersion: 1, model: 'm', answers }));
}

async function temporaryFile(name: string, text?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (text !== undefined) await writeFile(join(folder, name), text);
  return join(folder, name);
}

describe('RecordedClient', () => {
  it('prefers the hash, then a rule, then the order', async () => {
    const request = requestHash({ schemaName: 'answer', messages: [{ role: 'user', content: 'exact' }] });
    const client = recorded(
      { answer: { n: 1 } },
      { contains: ['red', 'blue'], answer: { n: 2 } },
      { schemaName: 'other', answer: { n: 3 } },
      { request, answer: { n: 4 } },
      { answer: { n: 5 } },
    );
    expect((await ask(client, 'exact')).value.n).toBe(4);
    expect((await ask(client, 'blue and red')).value.n).toBe(2);
    expect((await ask(client, 'red')).value.n).toBe(1);
    expect((await ask(client, 'x', 'other')).value.n).toBe(3);
    expect((await ask(client, 'red')).value.n).toBe(5);
    await expect(ask(client, 'red')).rejects.toMatchObject({
      code: 'model-unavailable',
      message: expect.stringMatching(/no answer is recorded for this "answer"/),
    });
  });

  it('checks its answers like those of any model, with one repair', async () => {
    expect((await ask(recorded({ text: 'nonsense' }, { answer: { n: 2 } }), 'x')).value.n).toBe(2);
    await expect(ask(recorded({ text: 'nonsense' }, { answer: { n: 'a' } }), 'x')).rejects.toMatchObject({
      code: 'model-answer-unusable',
    });
  });

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort();
    const asking = recorded({ answer: { n: 1 } }).generate({ messages: [], schema: Answer, schemaName: 'a', signal });
    await expect(asking).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('is made from settings, with a path relative to the harness', async () => {
    const file = await temporaryFile(
      'answers.json',
      '{"schemaVersion": 1, "model": "m", "answers": [{"answer": {"n": 7}}]}',
    );
    const settings = { provider: 'recorded' as const, model: '', answers: 'answers.json' };
    const client = await createModelClient(settings, { env: {}, root: join(file, '..') });
    const answer = await ask(client, 'x');
    expect(answer).toEqual({
      value: { n: 7 },
      usage: { inputTokens: null, outputTokens: null },
      costUsd: null,
      model: 'recorded/m',
    });
    await expect(createModelClient({ provider: 'recorded', model: '' }, { env: {} })).rejects.toMatchObject({
      code: 'answers-unnamed',
    });
  });

  it('names the file and the place of a mistake', async () => {
    const file = await temporaryFile('answers.json', '{"schemaVersion": 1, "model": "m", "answers": [{"anwser": 1}]}');
    await expect(RecordedClient.open(file)).rejects.toThrow(/answers\.json cannot be read: answers\.0/);
    await expect(RecordedClient.open(`${file}.none`)).rejects.toThrow(/does not exist/);
    await writeFile(file, '{"schemaVersion": 1,');
    await expect(RecordedClient.open(file)).rejects.toMatchObject({ code: 'answers-unreadable', exitCode: 2 });
  });
});

describe('recordingClient', () => {
  it('writes what the inner client answered, so that it can be given again', async () => {
    const file = await temporaryFile('answers.json');
    const client = recordingClient(recorded({ answer: { n: 1 } }, { answer: { n: 2 } }, { answer: { n: 3 } }), file);
    await Promise.all([ask(client, 'a'), ask(client, 'b')]);
    await ask(client, 'a');
    const again = await RecordedClient.open(file);
    expect((await ask(again, 'b')).value.n).toBe(2);
    expect((await ask(again, 'a')).value.n).toBe(3);
    expect(JSON.parse(await readFile(file, 'utf8')).answers).toHaveLength(2);
  });
});
