import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocateAnswer, locate, locateWithModel } from '../../../src/core/locate';
import { tokensOf, within } from '../../../src/core/locate/withModel/levels';
import { createModelClient, type ModelClient, ModelTimeoutError } from '../../../src/core/models';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';
import { type Reply, startModelServer } from '../models/modelServer';

let pebble: BuiltHarness;
beforeAll(async () => {
  pebble = await builtFixture('pebble');
});
afterAll(() => pebble.remove());

const request = 'show the head and tail of long output';

/** A model that picks from what it is shown; what it is asked is kept. */
function scripted(answer: (schemaName: string, shown: string) => unknown) {
  const asked: { schemaName: string; shown: string }[] = [];
  const client: ModelClient = {
    id: 'scripted',
    label: 'scripted',
    generate: async ({ schemaName, messages, schema }) => {
      const shown = messages.map(({ content }) => content).join('\n');
      asked.push({ schemaName, shown });
      const value = schema.parse(answer(schemaName, shown));
      return { value, usage: { inputTokens: 100, outputTokens: 10 }, costUsd: 0.01, model: 'scripted' };
    },
  };
  return { client, asked };
}

const idOf = (shown: string, text: RegExp): string =>
  new RegExp(`\\[(\\w+)\\] [^\\n]*${text.source}`).exec(shown)?.[1] ?? '';

/** Goes to a definition by its file and its name. */
const honest = (name: string, file: RegExp) => (schemaName: string, shown: string) => {
  if (schemaName === 'overview_choice') return { ids: [idOf(shown, file)] };
  const id = idOf(shown, new RegExp(` ${name}`));
  return schemaName === 'definition_choice' ? { ids: [id] } : { sites: [{ id, reason: 'it shortens the output' }] };
};

describe('locating with a model', () => {
  it('goes from the overview to the source and puts what it chose first', async () => {
    const { client, asked } = scripted(honest('truncate_output', /pebble\/environment\.py: /));
    const answer = await locateWithModel(request, { ...pebble, client, limit: 5 });
    expect(asked.map(({ schemaName }) => schemaName)).toEqual(['overview_choice', 'definition_choice', 'site_choice']);
    expect(answer.sites).toHaveLength(5);
    expect(LocateAnswer.safeParse(answer).success).toBe(true);
    expect(answer.model).toMatchObject({
      levels: 3,
      sentTokens: 300,
      receivedTokens: 30,
      dropped: 0,
    });
    expect(answer.model?.costUsd).toBeCloseTo(0.03);
    expect(answer.model?.wholeCodeTokens).toBeGreaterThan(1_000);
  });

  it('shows the source only of what was chosen', async () => {
    const { client, asked } = scripted(honest('truncate_output', /pebble\/environment\.py: /));
    const { sites } = await locateWithModel(request, { ...pebble, client });
    expect(sites[0]).toMatchObject({
      file: 'pebble/environment.py',
      symbol: 'truncate_output',
      by: 'model',
      state: 'fresh',
    });
    expect(asked[1]?.shown).not.toContain('[output was cut here]');
    expect(asked[2]?.shown).toContain('[output was cut here]');
    expect(asked[2]?.shown).not.toContain('def compact_history');
  });

  it('drops ids that were not offered, and what it names twice', async () => {
    const { client } = scripted((schemaName, shown) => {
      if (schemaName === 'overview_choice') return { ids: ['u999', 'f999', 'nonsense'] };
      const id = idOf(shown, / truncate_output/);
      if (schemaName === 'definition_choice') return { ids: [id, 'd99999'] };
      return { sites: ['d99999', 'u1', id, id].map((one) => ({ id: one, reason: 'so' })) };
    });
    const { sites, model } = await locateWithModel(request, { ...pebble, client });
    expect(sites.filter((site) => site.by === 'model').map((site) => site.symbol)).toEqual(['truncate_output']);
    expect(model?.dropped).toBe(3 + 1 + 3);
  });

  it('never shows what changed since the index was made', async () => {
    const own = await builtFixture('pebble');
    await locate(request, own);
    const { client } = scripted(honest('truncate_output', /pebble\/environment\.py: /));
    await writeFile(join(own.folder, 'pebble', 'environment.py'), 'def other():\n    return 1\n');
    const { sites, model } = await locateWithModel(request, { ...own, client });
    expect(sites.some((site) => site.by === 'model')).toBe(false);
    expect(model?.dropped).toBe(1);
    await own.remove();
  });

  it('keeps to its budget', async () => {
    const { client, asked } = scripted(honest('truncate_output', /pebble\/environment\.py: /));
    await locateWithModel(request, { ...pebble, client, budget: 2_000 });
    for (const { shown } of asked) expect(tokensOf(shown)).toBeLessThan(1_500);
    const greedy = scripted(honest('truncate_output', /pebble\/environment\.py: /));
    const { model } = await locateWithModel(request, { ...pebble, client: greedy.client, budget: 110 });
    expect(model?.levels).toBeLessThan(3);
    expect(model?.notes.join()).toMatch(/budget of 110 tokens/);
  });

  it('answers without the model when the model fails, and says so', async () => {
    const plain = await locate(request, pebble);
    const { client } = scripted(() => {
      throw new ModelTimeoutError('scripted', 3);
    });
    const answer = await locateWithModel(request, { ...pebble, client });
    expect(answer.sites).toEqual(plain.sites);
    expect(answer.model?.notes).toEqual([expect.stringMatching(/no complete answer within 3 s.*found without it/)]);
  });

  it('stops when it is cancelled while the model is asked', async () => {
    const controller = new AbortController();
    const { client } = scripted(() => {
      controller.abort();
      throw new Error('stopped');
    });
    await expect(locateWithModel(request, { ...pebble, client, signal: controller.signal })).rejects.toThrow('stopped');
  });
});

describe('a real endpoint that misbehaves', () => {
  const against = async (...replies: Reply[]) => {
    const { baseUrl } = await startModelServer(...replies);
    const settings = { provider: 'openai-compatible' as const, model: 'm', baseUrl, timeoutSeconds: 1 };
    const client = await createModelClient(settings, { env: {}, retryPauseSeconds: 0 });
    return locateWithModel(request, { ...pebble, client });
  };

  it.each([
    ['an error as text', [{ text: 'Error: the model is overloaded' }]],
    ['an error as JSON', [{ text: '{"error": {"message": "quota exceeded"}}' }]],
    ['prose', [{ text: 'I would look into the environment module.' }]],
    ['another schema', [{ text: '{"sites": []}' }]],
    ['no end', ['hang']],
    ['a refusal', [{ status: 403, body: '{}' }]],
  ] as [string, Reply[]][])('%s: the answer without a model stands', async (_, replies) => {
    const { sites, model } = await against(...replies);
    expect(sites.map((site) => site.symbol)).toEqual((await locate(request, pebble)).sites.map((site) => site.symbol));
    expect(model?.levels).toBe(0);
    expect(model?.notes[0]).toMatch(/found without it/);
  });
});

it('keeps as many offers as fit, and skips one that is too long', () => {
  const offers = [
    { id: 'a', text: 'x'.repeat(40) },
    { id: 'b', text: 'x'.repeat(4_000) },
    { id: 'c', text: 'x'.repeat(40) },
  ];
  expect(within(offers, 60).map(({ id }) => id)).toEqual(['a', 'c']);
  expect(within(offers, 0)).toEqual([]);
});
