import { normalCdf, normalDensity, normalQuantile } from './normal';

/** How strict earlier looks are: Pocock's are all alike, O'Brien and Fleming's first ones are very strict. */
export type Boundary = 'Pocock' | "O'Brien-Fleming";

/**
 * Chance that a true null is rejected at any of several equally spaced looks with these two-sided critical values, one a
 * look, counted from the first. Numerical integration over the running sum (Armitage, McPherson and Rowe 1969).
 */
export function repeatedLooksError(critical: readonly number[]): number {
  let density = (x: number) => normalDensity(x);
  let error = 0;
  critical.forEach((value, index) => {
    const bound = value * Math.sqrt(index + 1);
    if (index === 0) {
      error = 2 * normalCdf(-bound);
      density = normalDensity;
      return;
    }
    const before = (critical[index - 1] ?? 0) * Math.sqrt(index);
    const grid = simpson(-before, before);
    const weights = grid.map(({ x, weight }) => ({ x, weight: weight * density(x) }));
    error += weights.reduce((sum, { x, weight }) => sum + weight * (normalCdf(x - bound) + normalCdf(-bound - x)), 0);
    density = (x) => weights.reduce((sum, node) => sum + node.weight * normalDensity(x - node.x), 0);
  });
  return error;
}

const steps = 80;

/** Nodes and weights of Simpson's rule. */
function simpson(from: number, to: number): { x: number; weight: number }[] {
  const step = (to - from) / steps;
  return Array.from({ length: steps + 1 }, (_, index) => {
    const factor = index === 0 || index === steps ? 1 : index % 2 === 1 ? 4 : 2;
    return { x: from + index * step, weight: (factor * step) / 3 };
  });
}

const known = new Map<string, number[]>();

/**
 * Two-sided level of each of `looks` equally spaced looks, so that all together falsely reject with chance `alpha`.
 * @throws RangeError unless there are 1 to 20 looks and 0 < alpha < 1.
 */
export function lookLevels(looks: number, alpha: number, boundary: Boundary = "O'Brien-Fleming"): number[] {
  if (!(Number.isInteger(looks) && looks >= 1 && looks <= 20)) throw new RangeError(`${looks} looks cannot be planned`);
  const key = `${looks} ${alpha} ${boundary}`;
  const kept = known.get(key);
  if (kept) return kept;
  const shape = (look: number) => (boundary === 'Pocock' ? 1 : Math.sqrt(looks / look));
  const critical = (constant: number) => Array.from({ length: looks }, (_, index) => constant * shape(index + 1));
  let below = normalQuantile(1 - alpha / 2);
  let above = below + 2;
  while (above - below > 1e-8) {
    const middle = (below + above) / 2;
    if (repeatedLooksError(critical(middle)) > alpha) below = middle;
    else above = middle;
  }
  const levels = critical(above).map((value) => 2 * normalCdf(-value));
  known.set(key, levels);
  return levels;
}

/**
 * A p that stays valid however often one looks and whenever one stops: 1 / e-value, the e-value being the likelihood
 * ratio of a fair coin against all coins alike (a uniform mixture) for `down` and `up` flips:
 * 2^n * down! up! / (n + 1)!. Take the smallest value seen so far.
 */
export function anytimeP(down: number, up: number): number {
  let logEvidence = 0;
  // (n + 1)! / (down! up!) = (n + 1) C(n, up), one factor at a time
  for (let step = 1; step <= up; step++) logEvidence += Math.log(2 * step) - Math.log(down + step);
  logEvidence += down * Math.LN2 - Math.log(down + up + 1);
  return Math.min(1, Math.exp(-logEvidence));
}
