import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { costAt, loadPrices, PriceList, pricesFile } from '../../../src/core/models';

async function rootWith(text?: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'harnessmith-prices-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  if (text !== undefined) {
    await mkdir(dirname(pricesFile(root)), { recursive: true });
    await writeFile(pricesFile(root), text);
  }
  return root;
}

describe('the price of a model', () => {
  const prices = new PriceList();

  it('is found under every usual spelling of its name', () => {
    const sonnet = prices.priceOf('claude-sonnet-4-5');
    expect(sonnet).toMatchObject({ input: 3, output: 15 });
    for (const name of [
      'claude-sonnet-4-5-20250929',
      'anthropic/claude-sonnet-4-5',
      'openrouter/anthropic/claude-sonnet-4.5',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
      'claude-sonnet-4-5@20250929',
      'Claude-Sonnet-4-5',
    ]) {
      expect(prices.priceOf(name), name).toBe(sonnet);
    }
    expect(prices.priceOf('gpt-4o-2024-08-06')).toBe(prices.priceOf('gpt-4o'));
    expect(prices.priceOf('openai/gpt-4.1')).toBe(prices.priceOf('gpt-4.1'));
    expect(prices.priceOf('gpt-4-0613')).toBe(prices.priceOf('gpt-4'));
  });

  it('is null for what is not listed, also when the name only begins like a listed one', () => {
    for (const name of ['', 'llama-3-8b', 'gpt-5-supreme', 'gpt-4o-audio', 'constructor', '__proto__', 'toString']) {
      expect(prices.priceOf(name), name).toBeNull();
      expect(prices.costOf(name, { inputTokens: 1, outputTokens: 1 })).toBeNull();
    }
  });
});

describe('cost', () => {
  const price = { input: 2, output: 8, cachedInput: 0.5, cacheWrite: 3 };

  it('counts each kind of token at its price', () => {
    const usage = {
      inputTokens: 1_000_000,
      outputTokens: 100_000,
      cachedInputTokens: 400_000,
      cacheWriteTokens: 100_000,
    };
    expect(costAt(price, usage)).toBeCloseTo(0.5 * 2 + 0.4 * 0.5 + 0.1 * 3 + 0.1 * 8, 10);
    expect(costAt(price, { inputTokens: 500_000, outputTokens: 0 })).toBe(1);
  });

  it('takes cached input at the full price where no other is known', () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cachedInputTokens: 1_000_000 };
    expect(costAt({ input: 2, output: 8 }, usage)).toBe(2);
  });

  it('is never negative when a provider counts the cache beside the input', () => {
    expect(costAt(price, { inputTokens: 10, outputTokens: 0, cachedInputTokens: 50, cacheWriteTokens: 50 })).toBe(5e-6);
  });

  it('is null when tokens are not known', () => {
    expect(costAt(price, { inputTokens: null, outputTokens: 3 })).toBeNull();
    expect(costAt(price, { inputTokens: 3, outputTokens: null })).toBeNull();
  });
});

describe('prices.json', () => {
  it('wins over the list and adds to it', async () => {
    const models = { 'my-model': { input: 1, output: 2 }, 'gpt-4o': { input: 0, output: 0 } };
    const prices = await loadPrices(await rootWith(JSON.stringify({ schemaVersion: 1, models })));
    expect(prices.costOf('my-model', { inputTokens: 1_000_000, outputTokens: 1_000_000 })).toBe(3);
    expect(prices.costOf('openai/gpt-4o', { inputTokens: 5, outputTokens: 5 })).toBe(0);
    expect(prices.priceOf('gpt-4.1')).toMatchObject({ input: 2 });
    expect(prices.ownPriceOf('gpt-4.1')).toBeNull();
  });

  it('may be missing', async () => {
    expect((await loadPrices(await rootWith())).priceOf('gpt-4o')).toMatchObject({ input: 2.5 });
  });

  it.each([
    ['{', /prices\.json is not valid JSON/],
    ['{"schemaVersion":1,"models":{"m":{"input":-1,"output":1}}}', /models\.m\.input/],
    ['{"schemaVersion":1,"models":{"m":{"input":1}}}', /models\.m\.output/],
  ])('names the place that is wrong in %s', async (text, message) => {
    await expect(loadPrices(await rootWith(text))).rejects.toThrow(message);
  });
});
