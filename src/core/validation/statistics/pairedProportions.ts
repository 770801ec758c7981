import { normalQuantile } from './normal';
import { requireCount } from './numbers';

/** Difference of two paired pass rates, up minus down, with its standard error. */
export interface PairedProportions {
  difference: number;
  standardError: number;
  interval: [number, number];
}

/**
 * Wald interval of the paired difference: (up - down) / n +- z sqrt(up + down - (up - down)^2 / n) / n. For comparison
 * with other tools; too narrow for small n.
 * @throws RangeError unless the counts are counts and fit into at least one pair.
 */
export function waldPaired(down: number, up: number, pairs: number, confidence = 0.95): PairedProportions {
  requirePairs(down, up, pairs);
  const difference = (up - down) / pairs;
  const standardError = Math.sqrt(up + down - (up - down) ** 2 / pairs) / pairs;
  return { difference, standardError, interval: around(difference, standardError, confidence) };
}

/**
 * Bonett and Price 2012: the Wald interval after adding one pair of each discordant kind. Holds its level for small n and
 * never has the width zero. Clipped to [-1, 1].
 * @throws RangeError like `waldPaired`.
 */
export function bonettPrice(down: number, up: number, pairs: number, confidence = 0.95): [number, number] {
  requirePairs(down, up, pairs);
  const worse = (down + 1) / (pairs + 2);
  const better = (up + 1) / (pairs + 2);
  const shift = better - worse;
  const error = Math.sqrt((worse + better - shift ** 2) / (pairs + 2));
  return around(shift, error, confidence);
}

function around(middle: number, error: number, confidence: number): [number, number] {
  const half = normalQuantile((1 + confidence) / 2) * error;
  return [Math.max(-1, middle - half), Math.min(1, middle + half)];
}

function requirePairs(down: number, up: number, pairs: number): void {
  requireCount(down, 'down');
  requireCount(up, 'up');
  requireCount(pairs, 'pairs');
  if (pairs < 1 || down + up > pairs) throw new RangeError(`${down} down and ${up} up do not fit into ${pairs} pairs`);
}
