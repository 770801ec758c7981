/** Wilcoxon's signed-rank statistic with its exact p. */
export interface SignedRank {
  /** The smaller of the rank sums of positive and negative differences; halves come from ties. */
  statistic: number;
  p: number;
}

/**
 * Exact two-sided Wilcoxon signed-rank test. Zeros are dropped, ties share their mean rank. Integers only: pass counts tie
 * often, and ranking rounded rates would break the ties by chance.
 * @throws RangeError when a difference is no integer.
 */
export function signedRank(differences: readonly number[]): SignedRank {
  for (const value of differences) {
    if (!Number.isSafeInteger(value)) throw new RangeError(`ranks need integer differences, not ${value}`);
  }
  const moved = differences.filter((value) => value !== 0).sort((one, other) => Math.abs(one) - Math.abs(other));
  const ranks = doubledRanks(moved.map(Math.abs));
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const positive = ranks.reduce((sum, rank, index) => sum + ((moved[index] ?? 0) > 0 ? rank : 0), 0);
  const smaller = Math.min(positive, total - positive);
  return { statistic: smaller / 2, p: Math.min(1, 2 * shareUpTo(ranks, total, smaller)) };
}

/** Twice the mean ranks of sorted sizes, which are integers also where sizes tie. */
function doubledRanks(sizes: readonly number[]): number[] {
  return sizes.map((size) => sizes.indexOf(size) + sizes.lastIndexOf(size) + 2);
}

/** Chance that the sum of ranks that get a plus is at most `limit`, each sign being a fair coin. */
function shareUpTo(ranks: readonly number[], total: number, limit: number): number {
  const chance = new Float64Array(total + 1);
  chance[0] = 1;
  for (const rank of ranks) {
    for (let sum = total; sum >= 0; sum--) {
      chance[sum] = ((chance[sum] ?? 0) + (sum >= rank ? (chance[sum - rank] ?? 0) : 0)) / 2;
    }
  }
  return chance.subarray(0, limit + 1).reduce((sum, each) => sum + each, 0);
}
