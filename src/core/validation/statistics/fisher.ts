import { logFactorial, requireCount } from './numbers';

/**
 * Fisher's exact two-sided p for `passedBefore` of `before` trials against `passedAfter` of `after`: the chance, with both
 * margins fixed, of a table at most as likely as the one seen. 1 when an arm has no trial.
 * @throws RangeError for what are no counts.
 */
export function fisherExact(passedBefore: number, before: number, passedAfter: number, after: number): number {
  for (const count of [passedBefore, before, passedAfter, after]) requireCount(count, 'trials');
  if (passedBefore > before || passedAfter > after) throw new RangeError('more trials passed than were made');
  const passed = passedBefore + passedAfter;
  const logChance = (first: number) =>
    logChoose(before, first) + logChoose(after, passed - first) - logChoose(before + after, passed);
  // Tables that are equally likely differ by rounding only, so equality has a tolerance.
  const limit = logChance(passedBefore) + 1e-9;
  let p = 0;
  for (let first = Math.max(0, passed - after); first <= Math.min(before, passed); first++) {
    const chance = logChance(first);
    if (chance <= limit) p += Math.exp(chance);
  }
  return Math.min(1, p);
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}
