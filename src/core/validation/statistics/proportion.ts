import { normalQuantile, requireCount } from './numbers';

/**
 * Wilson score interval (95 %) of `passed` out of `total`; [0, 1] when nothing was measured.
 * (p + z^2/2n +- z sqrt(pq/n + z^2/4n^2)) / (1 + z^2/n)
 */
export function wilson(passed: number, total: number): [number, number] {
  requireCount(passed, 'passed');
  requireCount(total, 'total');
  if (passed > total) throw new RangeError(`${passed} of ${total} is no proportion`);
  if (total === 0) return [0, 1];
  const z = normalQuantile.p975;
  const rate = passed / total;
  const scale = 1 + z ** 2 / total;
  const centre = (rate + z ** 2 / (2 * total)) / scale;
  const half = (z * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2))) / scale;
  // At the ends the formula meets 0 and 1 exactly; floating point does not.
  return [passed === 0 ? 0 : centre - half, passed === total ? 1 : centre + half];
}
