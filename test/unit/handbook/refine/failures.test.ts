import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  loadOverlay,
  type RefineOptions,
  refineHandbook,
  renameUnit,
  undoOverlay,
} from '../../../../src/core/handbook';
import type { ModelClient } from '../../../../src/core/models';
import { type BuiltHarness, builtFixture } from '../../../fixtureHarness';
import { honest, scriptedModel, writes } from './scriptedModel';

let pebble: BuiltHarness;
beforeEach(async () => {
  pebble = await builtFixture('pebble');
});
afterEach(() => pebble.remove());

function refine(client: ModelClient, options: RefineOptions = {}) {
  const { harness, map, graph } = pebble;
  return refineHandbook({ harness, map, graph, client }, options);
}

const words = async () => Object.keys((await loadOverlay(pebble.harness)).units).length;

describe('a model that fails', () => {
  it('with an error as text and status 200: no word of it is kept', async () => {
    const { client, server } = await scriptedModel([{ text: 'API Error: 529 {"type":"overloaded_error"}' }]);
    const result = await refine(client);
    expect(result.stopped).toMatchObject({ why: 'model' });
    expect(result.units.every((unit) => unit.outcome === 'failed')).toBe(true);
    expect(await words()).toBe(0);
    // Three batches, each asked and asked to correct itself once; then it is left alone.
    expect(server.requests.length).toBeLessThanOrEqual(6);
  });

  it('with an error object and status 200: it stops and says why', async () => {
    const { client } = await scriptedModel([{ json: { error: { message: 'no credit left' } } }]);
    const { stopped } = await refine(client);
    expect(stopped?.message).toContain('no credit left');
    expect(await words()).toBe(0);
  });

  it('with too many requests, and is asked again after a pause', async () => {
    const { client } = await scriptedModel([
      { status: 429, body: '{"error":{"message":"slow down"}}' },
      writes(honest),
    ]);
    const { stopped, units } = await refine(client, { mostUnits: 1 });
    expect(stopped).toBeNull();
    expect(units[0]?.outcome).toBe('written');
  });

  it('with broken JSON, and is told once', async () => {
    const repaired = await scriptedModel([{ text: '{"units": [' }, writes(honest)]);
    expect((await refine(repaired.client, { mostUnits: 1 })).units[0]?.outcome).toBe('written');
  });

  it('with JSON that stays broken: the next batch goes on', async () => {
    const broken = await scriptedModel([{ text: '{"units": [' }, { text: 'no' }, writes(honest)]);
    const result = await refine(broken.client);
    expect(result.stopped).toBeNull();
    const outcomes = new Set(result.units.map((unit) => unit.outcome));
    expect(outcomes).toEqual(new Set(['failed', 'written']));
    expect(result.cost.unknownCalls).toBe(1);
    // What failed is asked about the next time, and only that.
    const failed = result.units.filter((unit) => unit.outcome === 'failed').map((unit) => unit.id);
    pebble = await pebble.rebuild();
    const again = await refine(broken.client);
    expect(again.units.map((unit) => unit.id).sort()).toEqual(failed.sort());
  });

  it('by not answering in time', async () => {
    const { client } = await scriptedModel(['hang'], { timeoutSeconds: 0.1 });
    const { units, stopped } = await refine(client, { mostUnits: 1 });
    expect(units[0]).toMatchObject({ outcome: 'failed' });
    expect(units[0]?.dropped[0]?.reason).toContain('within 0.1 s');
    expect(stopped).toBeNull();
  });

  it('by refusing the key: it stops after one request', async () => {
    const { client, server } = await scriptedModel([{ status: 401, body: '{"error":{"message":"not allowed"}}' }]);
    const { stopped } = await refine(client);
    expect(stopped).toMatchObject({ why: 'model', message: expect.stringContaining('not allowed') });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a run that ends early', () => {
  it('keeps what is done when it is cancelled, and goes on from there', async () => {
    const cancel = new AbortController();
    const { client, server } = await scriptedModel([
      writes(honest),
      writes(honest),
      () => {
        setTimeout(() => cancel.abort(), 5);
        return 'hang';
      },
      writes(honest),
    ]);
    const first = await refine(client, { signal: cancel.signal });
    expect(first.stopped).toMatchObject({ why: 'cancelled' });
    expect(first.units.length).toBeGreaterThan(0);
    expect(first.stopped?.left).toBeGreaterThan(0);
    expect(await words()).toBe(first.units.length);
    await server.closed;
    pebble = await pebble.rebuild();
    const second = await refine(client);
    expect(second.stopped).toBeNull();
    expect(second.skipped).toBe(first.units.length);
    const done = new Set(first.units.map((unit) => unit.id));
    expect(second.units.some((unit) => done.has(unit.id))).toBe(false);
    expect(second.units).toHaveLength(first.stopped?.left ?? 0);
  });

  it('makes no request that would go over the budget', async () => {
    const { client, server } = await scriptedModel([writes(honest)]);
    const { stopped, cost } = await refine(client, { tokenBudget: 500 });
    expect(stopped).toMatchObject({ why: 'budget', message: expect.stringContaining('500') });
    expect(cost.calls).toBe(0);
    expect(server.requests).toHaveLength(0);
    await expect(refine(client, { rounds: 0 })).rejects.toThrow('Rounds are 1 to 5');
  });

  it('is the only one: a second run at the same time is refused before it costs anything', async () => {
    const { client, server } = await scriptedModel([writes(honest)]);
    const runs = await Promise.allSettled([refine(client, { mostUnits: 1 }), refine(client, { mostUnits: 1 })]);
    expect(runs.map((run) => run.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(server.requests).toHaveLength(2);
    expect((await refine(client, { mostUnits: 1, again: true })).units).toHaveLength(1);
  });

  it('does not disturb the edits of people and their undo', async () => {
    const { client } = await scriptedModel([writes(honest)]);
    await refine(client, { mostUnits: 2 });
    expect(await undoOverlay(pebble.folder)).toBeNull();
    expect(await words()).toBe(2);
    const loop = pebble.map.loops[0] ?? '';
    await renameUnit({ root: pebble.folder, map: pebble.map }, loop, 'Mine');
    pebble = await pebble.rebuild();
    await refine(client, { mostUnits: 2, again: true });
    expect(await undoOverlay(pebble.folder)).toContain('Rename');
    expect((await loadOverlay(pebble.harness)).units[loop]).toMatchObject({ model: { model: client.id } });
    expect((await loadOverlay(pebble.harness)).units[loop]?.title).toBeUndefined();
  });
});
