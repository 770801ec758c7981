import { normalQuantile } from './normal';
import { binomialUpperTail, requireCount } from './numbers';

/**
 * Wilson score interval (95 %) of `passed` out of `total`; [0, 1] when nothing was measured.
 * (p + z^2/2n +- z sqrt(pq/n + z^2/4n^2)) / (1 + z^2/n)
 */
export function wilson(passed: number, total: number): [number, number] {
  requireProportion(passed, total);
  if (total === 0) return [0, 1];
  const z = normalQuantile(0.975);
  const rate = passed / total;
  const scale = 1 + z ** 2 / total;
  const centre = (rate + z ** 2 / (2 * total)) / scale;
  const half = (z * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2))) / scale;
  // At the ends the formula meets 0 and 1 exactly; floating point does not.
  return [passed === 0 ? 0 : centre - half, passed === total ? 1 : centre + half];
}

/**
 * Clopper-Pearson (exact) interval of `passed` out of `total`: all rates whose one-sided binomial tails are above half of
 * the level. Never covers less than stated; [0, 1] when nothing was measured.
 */
export function clopperPearson(passed: number, total: number, confidence = 0.95): [number, number] {
  requireProportion(passed, total);
  const tail = (1 - confidence) / 2;
  const low = passed === 0 ? 0 : rateWhere((rate) => binomialUpperTail(total, passed, rate) >= tail);
  const high = passed === total ? 1 : rateWhere((rate) => binomialUpperTail(total, passed + 1, rate) >= 1 - tail);
  return [low, high];
}

/** The smallest rate for which a condition holds that holds for all larger ones. */
function rateWhere(holds: (rate: number) => boolean): number {
  let below = 0;
  let above = 1;
  for (;;) {
    const middle = (below + above) / 2;
    if (middle <= below || middle >= above) return above;
    if (holds(middle)) above = middle;
    else below = middle;
  }
}

function requireProportion(passed: number, total: number): void {
  requireCount(passed, 'passed');
  requireCount(total, 'total');
  if (passed > total) throw new RangeError(`${passed} of ${total} is no proportion`);
}
