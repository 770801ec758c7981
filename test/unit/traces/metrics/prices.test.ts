import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadPrices, priceTable } from '../../../../src/core/traces';
import { costOf } from '../../../../src/core/traces/metrics/cost';
import { temporaryFolders, writeFiles } from '../helpers';

const folder = temporaryFolders();
const tokens = (input: number | null, output: number | null, more: object = {}) => ({
  input,
  output,
  cached: null,
  inputIncludesCached: null,
  ...more,
});

describe('names of models', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['openrouter/openai/gpt-4o-2024-08-06', 'gpt-4o'],
    ['GPT-4o-mini', 'gpt-4o-mini'],
    ['claude-sonnet-4@20250514', 'claude-sonnet-4'],
    ['gpt-5-latest', 'gpt-5'],
  ])('%s is %s', (name, key) => {
    const table = priceTable({ schemaVersion: 1, models: { [key]: { input: 123, output: 456 } } });
    expect(table.priceOf(name)).toEqual({ price: { input: 123, output: 456 }, origin: 'prices.json' });
  });

  it('a name that is only alike has no price', () => {
    const table = priceTable(null);
    for (const name of ['gpt-4o-realtime-preview', 'claude-sonnet-9', 'my-model', '', 'constructor'])
      expect(table.priceOf(name)).toBeNull();
    expect(table.priceOf('openai/gpt-4o')?.origin).toMatch(/^built-in list prices of \d{4}-\d\d-\d\d$/);
  });
});

describe('a price file', () => {
  const own = { schemaVersion: 1, date: '2026-01-02', models: { 'My-Model': { input: 2, output: 8 } } };

  it('adds models and goes before the built-in prices', async () => {
    const root = await folder('prices');
    const models = { ...own.models, 'gpt-4o': { input: 1, output: 1 } };
    await writeFiles(root, { '.harnessmith/prices.json': { ...own, models } });
    const table = await loadPrices(root);
    expect(table.priceOf('provider/my-model')).toEqual({
      price: { input: 2, output: 8 },
      origin: 'prices.json of 2026-01-02',
    });
    expect(table.priceOf('gpt-4o')?.price.input).toBe(1);
    expect(table.priceOf('gpt-5')?.origin).toContain('built-in');
    expect((await loadPrices(await folder('none'))).priceOf('my-model')).toBeNull();
  });

  it.each<[string, object]>([
    ['a negative price', { ...own, models: { m: { input: -1, output: 1 } } }],
    ['a date that is none', { ...own, date: '2026-13-40' }],
    ['another version', { ...own, schemaVersion: 2 }],
    ['a key that is misspelled', { ...own, models: { m: { input: 1, output: 1, cache: 1 } } }],
  ])('%s is refused, naming the file', async (_, content) => {
    const root = await folder('prices');
    await writeFiles(root, { '.harnessmith/prices.json': content });
    await expect(loadPrices(root)).rejects.toThrow(join('.harnessmith', 'prices.json'));
  });
});

describe('cost of tokens', () => {
  const table = priceTable({
    schemaVersion: 1,
    date: '2026-01-02',
    models: { m: { input: 10, output: 100, cachedInput: 1, cacheWrite: 12 }, plain: { input: 10, output: 100 } },
  });
  const usd = (...[used, model]: Parameters<typeof costOf> extends [infer T, infer M, ...unknown[]] ? [T, M] : never) =>
    costOf(used, model, table)?.usd ?? null;

  it('cached tokens cost less, inside the input or beside it', () => {
    expect(usd(tokens(1_000_000, 0), 'm')).toBe(10);
    expect(usd(tokens(0, 1_000_000), 'm')).toBe(100);
    expect(usd(tokens(1_000_000, 0, { cached: 400_000, inputIncludesCached: true }), 'm')).toBeCloseTo(6.4);
    expect(usd(tokens(600_000, 0, { cached: 400_000, inputIncludesCached: false }), 'm')).toBeCloseTo(6.4);
    expect(usd(tokens(0, 0, { cached: 0, cacheWrite: 1_000_000, inputIncludesCached: false }), 'm')).toBe(12);
    expect(usd(tokens(0, 0, { cached: 1_000_000, inputIncludesCached: false }), 'plain')).toBe(10);
  });

  it('is null where anything is unknown', () => {
    expect(usd(tokens(1, 1), 'other')).toBeNull();
    expect(usd(tokens(1, 1), null)).toBeNull();
    expect(usd(tokens(null, 1), 'm')).toBeNull();
    expect(usd(tokens(1, null), 'm')).toBeNull();
    expect(usd(undefined, 'm')).toBeNull();
    expect(usd(tokens(5, 1, { cached: 3 }), 'm')).toBeNull();
  });

  it('never falls when tokens are added', () => {
    const count = fc.nat(1_000_000);
    fc.assert(
      fc.property(count, count, count, count, fc.boolean(), (input, output, cached, more, inputIncludesCached) => {
        const used = tokens(input + cached, output, { cached, inputIncludesCached });
        const before = usd(used, 'm') ?? Number.NaN;
        expect(usd({ ...used, output: output + more }, 'm')).toBeGreaterThanOrEqual(before);
        expect(usd({ ...used, input: input + cached + more }, 'm')).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});
