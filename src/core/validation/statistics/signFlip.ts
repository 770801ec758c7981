/**
 * Exact two-sided sign-flip (permutation) p of integer paired differences: the share of the 2^n sign patterns whose sum
 * is at least as far from zero as the observed one. Give differences of pass counts, not of rates, so that equal sums
 * are equal. Dynamic programming over the reachable sums, O(n * sum of absolute differences).
 * @throws RangeError when a difference is no integer.
 */
export function exactSignFlip(differences: readonly number[]): number {
  for (const value of differences) {
    if (!Number.isSafeInteger(value)) throw new RangeError(`sign-flip needs integer differences, not ${value}`);
  }
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const reach = sizes.reduce((sum, size) => sum + size, 0);
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));

  // probability[reach + s] is the chance of sum s; halving is exact, so only the additions round.
  let probability = new Float64Array(2 * reach + 1);
  probability[reach] = 1;
  let span = 0;
  for (const size of sizes) {
    const next = new Float64Array(2 * reach + 1);
    for (let sum = -span; sum <= span; sum++) {
      const half = (probability[reach + sum] ?? 0) / 2;
      if (half === 0) continue;
      next[reach + sum + size] = (next[reach + sum + size] ?? 0) + half;
      next[reach + sum - size] = (next[reach + sum - size] ?? 0) + half;
    }
    probability = next;
    span += size;
  }
  let p = 0;
  for (let sum = -span; sum <= span; sum++) {
    if (Math.abs(sum) >= observed) p += probability[reach + sum] ?? 0;
  }
  return Math.min(1, p);
}
