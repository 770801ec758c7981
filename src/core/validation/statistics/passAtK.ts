import { requireCount } from './numbers';

function requireDraws(total: number, passed: number, draws: number): void {
  requireCount(total, 'trials');
  requireCount(passed, 'passed');
  requireCount(draws, 'k');
  if (passed > total || draws < 1)
    throw new RangeError(`pass@k is undefined for ${passed} of ${total} and k = ${draws}`);
}

/**
 * Chance that at least one of `draws` trials passes, estimated without bias from `passed` of `total` trials:
 * 1 - C(n - c, k) / C(n, k) (Chen 2021, arXiv 2107.03374). Null where k > n: it is unknown there, not 0.
 * @throws RangeError for what are no counts.
 */
export function passAtK(total: number, passed: number, draws: number): number | null {
  requireDraws(total, passed, draws);
  return draws > total ? null : 1 - shareOfDraws(total, total - passed, draws);
}

/** Chance that all of `draws` trials pass: C(c, k) / C(n, k). Null where k > n. @throws RangeError like `passAtK`. */
export function passHatK(total: number, passed: number, draws: number): number | null {
  requireDraws(total, passed, draws);
  return draws > total ? null : shareOfDraws(total, passed, draws);
}

/** C(kind, draws) / C(total, draws): the chance that all draws are of one kind. */
function shareOfDraws(total: number, kind: number, draws: number): number {
  let share = 1;
  for (let drawn = 0; drawn < draws; drawn++) share *= Math.max(0, kind - drawn) / (total - drawn);
  return share;
}
