import type { Tokens } from '../model';
import type { PriceTable } from './prices';

export interface Cost {
  usd: number;
  /** `recorded` when the trace says it, else the prices it was computed with. */
  origin: string;
}

/**
 * What tokens cost by a price table, in US dollars. Null when the model or its price is unknown, when input or output was
 * not recorded, or when it is not known whether the input includes the cached tokens: a cost is never guessed.
 */
export function costOf(tokens: Tokens | undefined, model: string | null | undefined, prices: PriceTable): Cost | null {
  const known = model === null || model === undefined ? null : prices.priceOf(model);
  if (tokens === undefined || known === null || tokens.input === null || tokens.output === null) return null;
  const { price, origin } = known;
  const cached = tokens.cached ?? 0;
  const written = tokens.cacheWrite ?? 0;
  if (cached + written > 0 && tokens.inputIncludesCached === null) return null;
  const plain = tokens.inputIncludesCached ? Math.max(0, tokens.input - cached - written) : tokens.input;
  const million =
    plain * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    tokens.output * price.output;
  return { usd: million / 1_000_000, origin };
}
