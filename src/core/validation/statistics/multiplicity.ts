/**
 * Holm's adjusted p values, in the order given: max over j <= i of (m - j + 1) p_(j), at most 1. Holds the chance of any
 * false claim in a family of confirmatory ones. @throws RangeError for what is no probability.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = ascending(pValues);
  const adjusted: number[] = [];
  let highest = 0;
  order.forEach((index, rank) => {
    highest = Math.max(highest, Math.min(1, (order.length - rank) * (pValues[index] ?? 1)));
    adjusted[index] = highest;
  });
  return adjusted;
}

/**
 * Benjamini and Hochberg's adjusted p values (q), in the order given: min over j >= i of (m / j) p_(j), at most 1. Holds
 * the share of false entries in an exploratory list. @throws RangeError for what is no probability.
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = ascending(pValues);
  const adjusted: number[] = [];
  let lowest = 1;
  for (let rank = order.length; rank >= 1; rank--) {
    const index = order[rank - 1] ?? 0;
    lowest = Math.min(lowest, (order.length / rank) * (pValues[index] ?? 1));
    adjusted[index] = lowest;
  }
  return adjusted;
}

/** Positions of the values from the smallest to the largest. */
function ascending(pValues: readonly number[]): number[] {
  for (const p of pValues) if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is no p value`);
  return pValues.map((_, index) => index).sort((one, other) => (pValues[one] ?? 0) - (pValues[other] ?? 0));
}

/** Chance of at least one false hit in independent tests, each at `alpha`: 1 - (1 - alpha)^tests. */
export function anyFalseHit(tests: number, alpha: number): number {
  return -Math.expm1(tests * Math.log1p(-alpha));
}
