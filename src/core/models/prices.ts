import { join } from 'node:path';
import { z } from 'zod';
import { parseJson, readTextIfPresent, storePaths } from '../store';
import { listedOn, listPrices } from './priceTable';

/** US dollars for one million tokens. */
export const TokenPrice = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** For input read from the provider's cache; the price of input when absent. */
  cachedInput: z.number().nonnegative().optional(),
  /** For input written to the provider's cache; the price of input when absent. */
  cacheWrite: z.number().nonnegative().optional(),
});
export type TokenPrice = z.infer<typeof TokenPrice>;

/** `.harnessmith/prices.json`: what a person pays, by model name. Wins over the built-in table. */
export const PriceFile = z.strictObject({
  schemaVersion: z.literal(1),
  /** Day the prices were looked up, as YYYY-MM-DD; said beside the costs. */
  date: z.iso.date().optional(),
  models: z.record(z.string(), TokenPrice),
});
export type PriceFile = z.infer<typeof PriceFile>;

/** Tokens of one or more calls. `inputTokens` counts all input, also what was read from or written to a cache. */
export interface PricedUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedInputTokens?: number | null;
  cacheWriteTokens?: number | null;
}

/** Prices of models: what the person wrote down, then list prices. */
export class PriceList {
  /** Day of the built-in list prices, such as `2025-11-01`. */
  readonly listedOn = listedOn;

  constructor(
    private readonly own: Readonly<Record<string, TokenPrice>> = {},
    /** Day of the person's own prices, where it is told. */
    readonly ownDate: string | null = null,
  ) {}

  /** The price of a model by any usual spelling of its name; null when it is not known. */
  priceOf(model: string): TokenPrice | null {
    return this.ownPriceOf(model) ?? lookUp(listPrices, model) ?? null;
  }

  /** The price the person wrote down, and no list price: for models that are served at an own address. */
  ownPriceOf(model: string): TokenPrice | null {
    return lookUp(this.own, model) ?? null;
  }

  /** US dollars for the tokens of a model; null when price or tokens are not known. */
  costOf(model: string, usage: PricedUsage): number | null {
    const price = this.priceOf(model);
    return price && costAt(price, usage);
  }
}

/** US dollars for tokens at a price; null when the tokens are not known. */
export function costAt(price: TokenPrice, usage: PricedUsage): number | null {
  if (usage.inputTokens === null || usage.outputTokens === null) return null;
  const read = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - read);
  const plain = usage.inputTokens - read - written;
  const input =
    plain * price.input + read * (price.cachedInput ?? price.input) + written * (price.cacheWrite ?? price.input);
  return (input + usage.outputTokens * price.output) / 1e6;
}

/** Where a person may write down prices, for a harness. */
export function pricesFile(root: string): string {
  return join(storePaths(root).folder, 'prices.json');
}

/** The prices for a harness; the built-in ones alone when it has no `prices.json`. @throws InputError naming file and place. */
export async function loadPrices(root: string): Promise<PriceList> {
  const file = pricesFile(root);
  const text = await readTextIfPresent(file);
  if (text === undefined) return new PriceList();
  const { models, date } = parseJson(text, PriceFile, file);
  return new PriceList(models, date);
}

function lookUp(prices: Readonly<Record<string, TokenPrice>>, model: string): TokenPrice | undefined {
  const known = new Map(Object.entries(prices).map(([name, price]) => [name.toLowerCase(), price]));
  for (const name of spellings(model)) {
    const price = known.get(name.toLowerCase());
    if (price) return price;
  }
  return undefined;
}

/**
 * The names a model may be listed under, most exact first. Gateways put a provider in front (`openrouter/openai/gpt-5`),
 * Bedrock a region and a version behind (`us.anthropic.claude-sonnet-4-5-20250929-v1:0`), and OpenRouter writes versions
 * with a dot.
 */
function* spellings(model: string): Generator<string> {
  yield model;
  let name = model.toLowerCase();
  yield name;
  name = name.slice(name.lastIndexOf('/') + 1);
  yield name;
  name = name
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|amazon|meta|mistral|openai)\./, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/:[a-z-]+$/, '');
  yield name;
  name = name.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|\d{4}|latest)$/, '');
  yield name;
  if (name.startsWith('claude-')) yield name.replaceAll('.', '-');
}
