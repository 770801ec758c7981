import { loadPrices as loadList, type PriceFile, PriceList, type TokenPrice } from '../../models';

/** Prices to compute costs with, and where they come from. */
export interface PriceTable {
  /** Said beside every computed cost, such as "built-in list prices of 2025-11-01". */
  origin: string;
  /** The price of a model; null when it is in no table. Names are never guessed. */
  priceOf(model: string): { price: TokenPrice; origin: string } | null;
}

/**
 * The prices of a harness: its own price file before the built-in ones.
 * @throws InputError when the price file is broken, naming the place.
 */
export async function loadPrices(root: string | null): Promise<PriceTable> {
  return root === null ? priceTable(null) : tableOf(await loadList(root), true);
}

/** A table of a price file's content before the built-in prices. */
export function priceTable(own: PriceFile | null): PriceTable {
  return tableOf(own === null ? new PriceList() : new PriceList(own.models, own.date), own !== null);
}

function tableOf(list: PriceList, hasOwn: boolean): PriceTable {
  const builtIn = `built-in list prices of ${list.listedOn}`;
  const own = list.ownDate === null ? 'prices.json' : `prices.json of ${list.ownDate}`;
  return {
    origin: hasOwn && list.ownDate !== null ? `${own}, for other models ${builtIn}` : builtIn,
    priceOf(model) {
      const price = list.ownPriceOf(model);
      if (price) return { price, origin: own };
      const listed = list.priceOf(model);
      return listed && { price: listed, origin: builtIn };
    },
  };
}
