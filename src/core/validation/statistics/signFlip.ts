import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * Exact two-sided sign-flip (permutation) p of integer paired differences: the share of the 2^n sign patterns whose sum
 * is at least as far from zero as the observed one. Give differences of pass counts, not of rates, so that equal sums
 * are equal. Dynamic programming over the reachable sums, O(n * sum of absolute differences).
 * @throws RangeError when a difference is no integer.
 */
export function exactSignFlip(differences: readonly number[]): number {
  const { sizes, reach, observed } = measured(differences);
  // chance[reach + s] is the chance of sum s; halving is exact, so only the additions round.
  let chance = new Float64Array(2 * reach + 1);
  chance[reach] = 1;
  let span = 0;
  for (const size of sizes) {
    const next = new Float64Array(2 * reach + 1);
    for (let sum = -span; sum <= span; sum++) {
      const half = (chance[reach + sum] ?? 0) / 2;
      if (half === 0) continue;
      next[reach + sum + size] = (next[reach + sum + size] ?? 0) + half;
      next[reach + sum - size] = (next[reach + sum - size] ?? 0) + half;
    }
    chance = next;
    span += size;
  }
  let p = 0;
  for (let sum = -span; sum <= span; sum++) {
    if (Math.abs(sum) >= observed) p += chance[reach + sum] ?? 0;
  }
  return Math.min(1, p);
}

export interface SignFlipOptions {
  /** Of the drawn patterns; the same seed gives the same p. 1 when absent. */
  seed?: number;
  /** 99,999 when absent. */
  draws?: number;
  /** Beyond this many additions the exact count gives way to drawn patterns; 50 million when absent. */
  mostSteps?: number;
}

/**
 * Two-sided sign-flip p: exact where that is quick, otherwise from drawn sign patterns, the observed one counted among
 * them, so that the test still holds its level.
 * @throws RangeError when a difference is no integer.
 */
export function signFlip(
  differences: readonly number[],
  { seed = 1, draws = 99_999, mostSteps = 50_000_000 }: SignFlipOptions = {},
): number {
  const { sizes, reach, observed } = measured(differences);
  if (2 * reach * sizes.length <= mostSteps) return exactSignFlip(differences);
  const random = xoroshiro128plus(seed);
  let extreme = 0;
  for (let drawn = 0; drawn < draws; drawn++) {
    let sum = 0;
    let bits = 0;
    for (let index = 0; index < sizes.length; index++) {
      if (index % 30 === 0) bits = uniformInt(random, 0, 2 ** 30 - 1);
      sum += bits & 1 ? (sizes[index] ?? 0) : -(sizes[index] ?? 0);
      bits >>= 1;
    }
    if (Math.abs(sum) >= observed) extreme++;
  }
  return (extreme + 1) / (draws + 1);
}

function measured(differences: readonly number[]) {
  for (const value of differences) {
    if (!Number.isSafeInteger(value)) throw new RangeError(`sign-flip needs integer differences, not ${value}`);
  }
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const reach = sizes.reduce((sum, size) => sum + size, 0);
  return { sizes, reach, observed: Math.abs(differences.reduce((sum, value) => sum + value, 0)) };
}
