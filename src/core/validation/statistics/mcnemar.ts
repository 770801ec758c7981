import { normalCdf } from './normal';
import { requireCount } from './numbers';

/**
 * Exact two-sided McNemar p for `down` and `up` discordant pairs: min(1, 2 P(Bin(down + up, 1/2) <= min(down, up))).
 * The tail is summed in integers, so the only rounding is the last division. Without discordant pairs p is 1 by definition.
 * @throws RangeError for counts that are negative or no integers.
 */
export function exactMcNemar(down: number, up: number): number {
  requireCount(down, 'down');
  requireCount(up, 'up');
  const pairs = down + up;
  return Math.min(1, ratioOfPowerOfTwo(2n * lowerTail(pairs, Math.min(down, up)).sum, pairs));
}

/**
 * The mid-p variant: half of the probability of the observed table is left out. Less conservative than the exact test,
 * and no longer guaranteed to stay at its level. Source: Fagerland, Lydersen and Laake 2013.
 */
export function midPMcNemar(down: number, up: number): number {
  requireCount(down, 'down');
  requireCount(up, 'up');
  if (down === up) return 1;
  const pairs = down + up;
  const { sum, last } = lowerTail(pairs, Math.min(down, up));
  return ratioOfPowerOfTwo(2n * sum - last, pairs);
}

/** Sum of the binomial coefficients C(pairs, 0..upTo), and the last of them. */
function lowerTail(pairs: number, upTo: number): { sum: bigint; last: bigint } {
  let last = 1n;
  let sum = 1n;
  for (let chosen = 1; chosen <= upTo; chosen++) {
    last = (last * BigInt(pairs - chosen + 1)) / BigInt(chosen);
    sum += last;
  }
  return { sum, last };
}

/** `value / 2^exponent` as a number, also where `value` is far above the largest number. */
function ratioOfPowerOfTwo(value: bigint, exponent: number): number {
  const dropped = Math.max(0, value.toString(16).length * 4 - 64);
  return Number(value >> BigInt(dropped)) * 2 ** (dropped - exponent);
}

/**
 * McNemar's chi-squared p, (up - down)^2 / (up + down) with one degree of freedom; with the continuity correction
 * (|up - down| - 1)^2 instead. For comparison with other tools: neither holds its level for few pairs.
 */
export function chiSquaredMcNemar(down: number, up: number, corrected = false): number {
  requireCount(down, 'down');
  requireCount(up, 'up');
  if (down + up === 0) return 1;
  const apart = corrected ? Math.max(0, Math.abs(up - down) - 1) : Math.abs(up - down);
  return 2 * normalCdf(-apart / Math.sqrt(down + up));
}
