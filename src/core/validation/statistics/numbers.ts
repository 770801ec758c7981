/** @throws RangeError naming the argument unless it is an integer of at least 0. */
export function requireCount(value: number, name: string): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} must be a count, not ${value}`);
}

const logFactorials = [0];

/** Natural logarithm of n!, from a table that grows on demand. */
export function logFactorial(n: number): number {
  for (let next = logFactorials.length; next <= n; next++) {
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  }
  return logFactorials[n] ?? 0;
}

/** P(X = k) for X ~ Bin(n, p), computed through logarithms so that large n do not underflow midway. */
export function binomialProbability(n: number, k: number, p: number): number {
  if (p <= 0) return k === 0 ? 1 : 0;
  if (p >= 1) return k === n ? 1 : 0;
  const ways = logFactorial(n) - logFactorial(k) - logFactorial(n - k);
  return Math.exp(ways + k * Math.log(p) + (n - k) * Math.log1p(-p));
}

/**
 * P(X >= k) for X ~ Bin(n, p). Summed from k away from the mode, each term from the one before, so that a start too small
 * for a number can only mean a sum too small for one.
 */
export function binomialUpperTail(n: number, k: number, p: number): number {
  if (k <= 0) return 1;
  if (k > n || p <= 0) return 0;
  if (p >= 1) return 1;
  return k > n * p ? tailFrom(n, k, p) : 1 - tailFrom(n, n - k + 1, 1 - p);
}

/** P(X >= k) where k is beyond the mean, so that terms only fall. */
function tailFrom(n: number, k: number, p: number): number {
  const odds = p / (1 - p);
  let term = binomialProbability(n, k, p);
  let sum = term;
  for (let next = k + 1; next <= n && term > sum * Number.EPSILON; next++) {
    term *= ((n - next + 1) / next) * odds;
    sum += term;
  }
  return sum;
}
