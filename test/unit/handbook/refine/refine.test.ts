import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkHandbook,
  estimateRefinement,
  loadOverlay,
  type RefineOptions,
  refineHandbook,
  removeModelWords,
  renameUnit,
  renderPages,
  unitPagePath,
  writePages,
} from '../../../../src/core/handbook';
import type { ModelClient } from '../../../../src/core/models';
import { type BuiltHarness, builtFixture } from '../../../fixtureHarness';
import { honest, nothing, type Offered, readRequest, type Said, scriptedModel, writes } from './scriptedModel';

let pebble: BuiltHarness;
beforeEach(async () => {
  pebble = await builtFixture('pebble');
});
afterEach(() => pebble.remove());

const loop = 'unit:main_loop:pebble/agent.py#Agent.run';
const retry = 'unit:retry:pebble/model.py#ChatModel';

function refine(client: ModelClient, options: RefineOptions = {}) {
  const { harness, map, graph } = pebble;
  return refineHandbook({ harness, map, graph, client }, options);
}

/** What a model said about one unit only, the loop; everything else it leaves as it is. */
function aboutLoop(say: (unit: Offered) => Partial<Said>) {
  return (unit: Offered): Said => ({
    ...nothing(unit.alias),
    ...(unit.title.startsWith('Agent loop') ? say(unit) : {}),
  });
}

const sentence = (text: string, evidence: string[]) => ({ sentences: [{ text, evidence }] });

async function droppedFor(say: (unit: Offered) => Partial<Said>): Promise<string[]> {
  const { client } = await scriptedModel([writes(aboutLoop(say))]);
  const { units } = await refine(client, { mostUnits: 1, rounds: 1 });
  expect((await loadOverlay(pebble.harness)).units).toEqual({});
  expect(units).toEqual([expect.objectContaining({ id: loop, outcome: 'nothing kept', sentences: [] })]);
  return units.flatMap((unit) => unit.dropped.map((one) => one.reason));
}

describe('a model that tells the truth', () => {
  it('describes units; the pages say whose words they are and what they cite, and the check holds', async () => {
    const { client } = await scriptedModel([writes(honest)]);
    const result = await refine(client);
    expect(result.stopped).toBeNull();
    expect(result.units.length).toBeGreaterThan(10);
    expect(result.units.every((unit) => unit.outcome === 'written')).toBe(true);
    const { map, graph, harness } = await pebble.rebuild();
    const page = renderPages(map, graph).find((one) => one.path === unitPagePath(loop))?.markdown ?? '';
    expect(page).toMatch(
      /Written by the model openai-compatible\/scripted \(\d{4}-\d\d-\d\d\), not derived: description\./,
    );
    expect(page).toMatch(/It cites \[pebble\/agent\.py:21-33\]\(/);
    expect(page).toContain('This part holds the line `def run(');
    const folder = join(pebble.folder, 'out');
    await writePages(renderPages(map, graph, folder), map, folder);
    expect((await checkHandbook(harness, folder)).problems).toEqual([]);
  });

  it('counts tokens and money, and says before what it may come to', async () => {
    const price = { inputUsd: 2, outputUsd: 10 };
    const { client, server } = await scriptedModel([writes(honest)]);
    const { harness, map, graph } = pebble;
    const estimate = await estimateRefinement({ harness, map, graph, client }, { price });
    expect(server.requests).toHaveLength(0);
    const { cost } = await refine(client, { price });
    expect(cost).toMatchObject({ calls: server.requests.length, unknownCalls: 0 });
    expect(cost.calls).toBe(2 * estimate.batches);
    expect(cost.inputTokens).toBe(11 * cost.calls);
    expect(cost.costUsd).toBeCloseTo((cost.inputTokens * 2 + cost.outputTokens * 10) / 1e6, 10);
    expect(estimate.tokens.most).toBe(2 * estimate.tokens.least);
    expect(estimate.costUsd?.most).toBeGreaterThan(estimate.costUsd?.least ?? 0);
    // The messages that were really sent, at four characters a token, and the answers.
    const sent = server.requests.reduce((sum, request) => sum + readRequest(request).text.length / 4, 0);
    expect(estimate.tokens.least).toBeGreaterThan(sent * 0.8);
  });

  it('asks nothing twice, until the text of a unit changes', async () => {
    const { client, server } = await scriptedModel([writes(honest)]);
    await refine(client);
    const asked = server.requests.length;
    pebble = await pebble.rebuild();
    expect(await refine(client)).toMatchObject({ units: [], cost: { calls: 0 } });
    expect(server.requests).toHaveLength(asked);
    const file = join(pebble.folder, 'pebble', 'model.py');
    await writeFile(file, (await readFile(file, 'utf8')).replace('def _with_retry(', 'def _with_retry(  '));
    pebble = await pebble.rebuild();
    // What was said about the older text is left out at once.
    expect(pebble.map.units.find((unit) => unit.id === retry)?.words?.outdated).toBe(true);
    const { units } = await refine(client);
    expect(units.map((unit) => unit.id)).toContain(retry);
    expect(units.map((unit) => unit.id)).not.toContain(loop);
    expect((await refine(client, { again: true })).units.length).toBeGreaterThan(10);
  });

  it('renames, moves and merges where the code bears it out', async () => {
    const say = (unit: Offered, units: Offered[]): Said => {
      if (unit.title.startsWith('Truncation')) return { ...nothing(unit.alias), title: 'Cut long output' };
      if (!unit.title.startsWith('Retry')) return nothing(unit.alias);
      const into = units.find((other) => other.title.startsWith('Model call: ChatModel'));
      return { ...nothing(unit.alias), mergeInto: into?.alias ?? null };
    };
    const { client } = await scriptedModel([
      (request) => {
        const { units } = readRequest(request);
        return writes((unit) => say(unit, units))(request);
      },
    ]);
    const result = await refine(client);
    const { map } = await pebble.rebuild();
    const cut = map.units.find((unit) => unit.title === 'Cut long output');
    expect(cut).toMatchObject({ edited: 'model', words: { title: 'model' } });
    const merged = result.units.find((unit) => unit.id === retry && unit.moved !== undefined);
    if (merged) expect(map.overlay?.merged[retry]).toBe(merged.moved);
    expect(await removeModelWords(pebble.folder)).toBeGreaterThan(0);
    expect((await loadOverlay(pebble.harness)).units).toEqual({});
  });
});

describe('words of a person', () => {
  it('win over those of a model, before and after', async () => {
    await renameUnit({ root: pebble.folder, map: pebble.map }, loop, 'The round');
    pebble = await pebble.rebuild();
    const { client } = await scriptedModel([
      writes((unit) => ({ ...honest(unit), title: unit.title === 'The round' ? 'Turn loop' : null })),
    ]);
    await refine(client);
    pebble = await pebble.rebuild();
    const unit = () => pebble.map.units.find((one) => one.id === loop);
    expect(unit()).toMatchObject({ title: 'The round', words: { title: 'person', summary: 'model' } });
    await renameUnit({ root: pebble.folder, map: pebble.map }, retry, 'Mine');
    pebble = await pebble.rebuild();
    expect(pebble.map.units.find((one) => one.id === retry)?.title).toBe('Mine');
    await refine(client, { again: true });
    const { units } = await loadOverlay(pebble.harness);
    expect([units[loop]?.title, units[retry]?.title]).toEqual(['The round', 'Mine']);
  });
});

describe('a model that lies', () => {
  it.each<[string, (unit: Offered) => Partial<Said>, RegExp]>([
    [
      'cites evidence that was not given',
      () => sentence('It runs the agent.', ['e999']),
      /cites e999, which was not given/,
    ],
    ['cites nothing', () => sentence('It runs the agent.', []), /cites no evidence/],
    [
      'quotes a marker that is nowhere',
      (unit) => sentence('It appends `[output truncated]` at the end.', [unit.evidence[0]?.id ?? '']),
      /quotes "\[output truncated\]"/,
    ],
    [
      'names a function that is not there',
      (unit) => sentence('It calls compact_history before each turn.', [unit.evidence[0]?.id ?? '']),
      /names compact_history/,
    ],
    [
      'states a number that is not there',
      (unit) => sentence('It stops after 77 turns.', [unit.evidence[0]?.id ?? '']),
      /states 77/,
    ],
    [
      'writes markup',
      (unit) => sentence('It runs <img src=x onerror=alert(1)> the agent.', [unit.evidence[0]?.id ?? '']),
      /markup/,
    ],
    [
      'hands on the failure of a service',
      (unit) => sentence('API Error: 529 overloaded_error, request id none.', [unit.evidence[0]?.id ?? '']),
      /failure of a service/,
    ],
    [
      'apologises',
      (unit) => sentence("I'm sorry, but I cannot help with that.", [unit.evidence[0]?.id ?? '']),
      /failure of a service/,
    ],
    [
      'writes without end',
      (unit) => sentence(`It runs ${'and runs '.repeat(30)}.`, [unit.evidence[0]?.id ?? '']),
      /63 words; 40 are allowed/,
    ],
    ['gives a title with markup', () => ({ title: '<b>Loop</b>' }), /markup/],
    ['gives a title that is too long', () => ({ title: 'x'.repeat(61) }), /61 characters/],
    ['moves the agent loop', () => ({ stage: 'finish' }), /stays where it is/],
    ['merges with itself', (unit) => ({ mergeInto: unit.alias }), /agent loop stays/],
  ])('%s: nothing of it is kept, and the reason is told', async (_name, say, reason) => {
    expect(await droppedFor(say)).toEqual([expect.stringMatching(reason)]);
  });

  it('does not get more on a card than fits', async () => {
    const say = aboutLoop((unit) => ({
      sentences: Array.from({ length: 12 }, (_, index) => ({
        text: `It is ${'really '.repeat(index + 8)}the loop.`,
        evidence: [unit.evidence[0]?.id ?? ''],
      })),
    }));
    const { client } = await scriptedModel([writes(say)]);
    const { units } = await refine(client, { mostUnits: 1, rounds: 1 });
    expect(units[0]?.sentences.length).toBeLessThanOrEqual(6);
    expect(units[0]?.sentences.join(' ').split(' ').length).toBeLessThanOrEqual(120);
    expect(units[0]?.dropped.some((one) => one.reason.includes('is full'))).toBe(true);
  });

  it('cannot file a helper under a stage that none of its callers is in', async () => {
    const say = (unit: Offered): Said => ({
      ...nothing(unit.alias),
      stage: unit.title.startsWith('Truncation') ? 'configure' : null,
    });
    const { client } = await scriptedModel([writes(say)]);
    const { units } = await refine(client);
    const reasons = units.flatMap((unit) => unit.dropped.map((one) => one.reason));
    expect(reasons).toContain('none of its callers is in the stage configure');
  });
});

describe('the reviewer', () => {
  it('leaves out what it does not pass, and asks again with the reason, for at most so many rounds', async () => {
    const { client, server } = await scriptedModel([writes(honest, () => 'says nothing about failures')]);
    const { units } = await refine(client, { mostUnits: 1, rounds: 3 });
    expect(server.requests).toHaveLength(6);
    expect(server.requests[2]?.said).toContain('says nothing about failures');
    expect(units[0]).toMatchObject({ outcome: 'nothing kept' });
    expect((await loadOverlay(pebble.harness)).units).toEqual({});
  });

  it('drops what it does not mention', async () => {
    const { client } = await scriptedModel([
      (request) => (readRequest(request).isReview ? { text: '{"verdicts": []}' } : writes(honest)(request)),
    ]);
    const { units } = await refine(client, { mostUnits: 1, rounds: 1 });
    expect(units[0]?.dropped).toEqual([expect.objectContaining({ reason: 'the reviewer did not pass it' })]);
  });
});
