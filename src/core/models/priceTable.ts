import type { TokenPrice } from './prices';

/** Day on which the prices below stood on the public price pages of the providers. They change: see `PriceFile`. */
export const listedOn = '2025-11-01';

const opus4: TokenPrice = { input: 15, output: 75, cachedInput: 1.5, cacheWrite: 18.75 };
const sonnet: TokenPrice = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };
const gpt5: TokenPrice = { input: 1.25, output: 10, cachedInput: 0.125 };

/**
 * List prices in US dollars for one million tokens, for requests of usual length at the usual speed. Names are without
 * provider and date. Models with several prices by length of the request have the lowest.
 */
export const listPrices: Readonly<Record<string, TokenPrice>> = {
  'claude-opus-4-5': { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-1': opus4,
  'claude-opus-4': opus4,
  'claude-opus-4-0': opus4,
  'claude-3-opus': opus4,
  'claude-sonnet-4-5': sonnet,
  'claude-sonnet-4': sonnet,
  'claude-sonnet-4-0': sonnet,
  'claude-3-7-sonnet': sonnet,
  'claude-3-5-sonnet': sonnet,
  'claude-haiku-4-5': { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
  'claude-3-5-haiku': { input: 0.8, output: 4, cachedInput: 0.08, cacheWrite: 1 },
  'claude-3-haiku': { input: 0.25, output: 1.25, cachedInput: 0.03, cacheWrite: 0.3 },

  'gpt-5': gpt5,
  'gpt-5.1': gpt5,
  'gpt-5-codex': gpt5,
  'gpt-5-chat': gpt5,
  'gpt-5-mini': { input: 0.25, output: 2, cachedInput: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cachedInput: 0.005 },
  'gpt-4.1': { input: 2, output: 8, cachedInput: 0.5 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cachedInput: 0.1 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4, cachedInput: 0.025 },
  'gpt-4o': { input: 2.5, output: 10, cachedInput: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
  'gpt-4-turbo': { input: 10, output: 30 },
  'gpt-4': { input: 30, output: 60 },
  'gpt-3.5-turbo': { input: 0.5, output: 1.5 },
  o1: { input: 15, output: 60, cachedInput: 7.5 },
  o3: { input: 2, output: 8, cachedInput: 0.5 },
  'o3-mini': { input: 1.1, output: 4.4, cachedInput: 0.55 },
  'o4-mini': { input: 1.1, output: 4.4, cachedInput: 0.275 },

  'gemini-2.5-pro': { input: 1.25, output: 10, cachedInput: 0.125 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cachedInput: 0.03 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cachedInput: 0.01 },
  'gemini-2.0-flash': { input: 0.1, output: 0.4, cachedInput: 0.025 },

  'deepseek-chat': { input: 0.28, output: 0.42, cachedInput: 0.028 },
  'deepseek-reasoner': { input: 0.28, output: 0.42, cachedInput: 0.028 },
};
