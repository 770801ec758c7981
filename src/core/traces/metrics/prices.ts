import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, readTextIfPresent, storePaths } from '../../store';

/** Prices of one model in US dollars for a million tokens. */
export const ModelPrice = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** Tokens read from a cache; `input` when it is left out. */
  cached: z.number().nonnegative().optional(),
  /** Tokens written to a cache; `input` when it is left out. */
  cacheWrite: z.number().nonnegative().optional(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

/** What `.harnessmith/prices.json` holds. Names are compared without provider, date and case. */
export const PriceFile = z.strictObject({
  schemaVersion: z.literal(1),
  /** Day the prices were looked up, as YYYY-MM-DD. */
  date: z.iso.date(),
  models: z.record(z.string(), ModelPrice),
});
export type PriceFile = z.infer<typeof PriceFile>;

/** Prices to compute costs with, and where they come from. */
export interface PriceTable {
  /** Said beside every computed cost, such as "built-in list prices of 2025-11-30". */
  origin: string;
  /** The price of a model; null when it is in no table. Names are never guessed. */
  priceOf(model: string): { price: ModelPrice; origin: string } | null;
}

/** Day of the built-in prices. They are public list prices without discounts; who pays others writes a price file. */
const BUILT_IN_DATE = '2025-11-30';

const sonnet = { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 };
const opus = { input: 15, output: 75, cached: 1.5, cacheWrite: 18.75 };
const BUILT_IN: Record<string, ModelPrice> = {
  'claude-3-5-haiku': { input: 0.8, output: 4, cached: 0.08, cacheWrite: 1 },
  'claude-3-5-sonnet': sonnet,
  'claude-3-7-sonnet': sonnet,
  'claude-haiku-4-5': { input: 1, output: 5, cached: 0.1, cacheWrite: 1.25 },
  'claude-opus-4': opus,
  'claude-opus-4-1': opus,
  'claude-opus-4-5': { input: 5, output: 25, cached: 0.5, cacheWrite: 6.25 },
  'claude-sonnet-4': sonnet,
  'claude-sonnet-4-5': sonnet,
  'gemini-2-5-flash': { input: 0.3, output: 2.5, cached: 0.03 },
  'gemini-2-5-flash-lite': { input: 0.1, output: 0.4, cached: 0.01 },
  'gpt-4-1': { input: 2, output: 8, cached: 0.5 },
  'gpt-4-1-mini': { input: 0.4, output: 1.6, cached: 0.1 },
  'gpt-4-1-nano': { input: 0.1, output: 0.4, cached: 0.025 },
  'gpt-4o': { input: 2.5, output: 10, cached: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cached: 0.075 },
  'gpt-5': { input: 1.25, output: 10, cached: 0.125 },
  'gpt-5-1': { input: 1.25, output: 10, cached: 0.125 },
  'gpt-5-codex': { input: 1.25, output: 10, cached: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cached: 0.005 },
  o3: { input: 2, output: 8, cached: 0.5 },
  'o4-mini': { input: 1.1, output: 4.4, cached: 0.275 },
};

/** Path of a harness's price file. */
export function priceFile(root: string): string {
  return join(storePaths(root).folder, 'prices.json');
}

/**
 * The prices of a harness: its own price file before the built-in ones.
 * @throws InputError when the price file is broken, naming the place.
 */
export async function loadPrices(root: string | null): Promise<PriceTable> {
  const file = root === null ? null : priceFile(root);
  if (file === null || (await readTextIfPresent(file)) === undefined) return priceTable(null);
  return priceTable(await readJsonFile(file, PriceFile));
}

/** A table of a price file's content before the built-in prices. */
export function priceTable(own: PriceFile | null): PriceTable {
  const builtIn = `built-in list prices of ${BUILT_IN_DATE}`;
  const ownOrigin = own === null ? null : `prices.json of ${own.date}`;
  const models = new Map<string, { price: ModelPrice; origin: string }>();
  for (const [name, price] of Object.entries(BUILT_IN)) models.set(name, { price, origin: builtIn });
  for (const [name, price] of Object.entries(own?.models ?? {}))
    models.set(modelKey(name), { price, origin: ownOrigin ?? builtIn });
  return {
    origin: ownOrigin === null ? builtIn : `${ownOrigin}, for other models ${builtIn}`,
    priceOf: (model) => models.get(modelKey(model)) ?? null,
  };
}

/**
 * The name of a model without what providers put around it: `us.anthropic.claude-sonnet-4-5-20250929-v1:0` and
 * `anthropic/claude-sonnet-4.5` are `claude-sonnet-4-5`. What follows a version is kept, since `-mini` costs less.
 */
export function modelKey(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*[/]/, '')
    .replace(/^(?:(?:us|eu|apac|global)\.)?(?:anthropic|openai|google|amazon|meta|mistral)\./, '')
    .replace(/-v\d+:\d+$/, '')
    .replace(/[@:-](?:\d{8}|\d{4}-\d\d-\d\d|latest)$/, '')
    .replaceAll('.', '-');
}
