import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean } from './moments';
import { normalCdf, normalQuantile } from './normal';

export interface BootstrapOptions {
  samples: number;
  /** The same seed gives the same interval on every machine. */
  seed: number;
  /** Two-sided coverage, 0.95 when absent. */
  confidence?: number;
}

/**
 * Percentile interval of the mean of paired task differences: tasks are drawn with replacement, because tasks are the
 * sample and repeats of one task are not independent (Miller 2024, arXiv 2411.00640).
 * @throws RangeError when there is nothing to draw from.
 */
export function pairedBootstrap(differences: readonly number[], options: BootstrapOptions): [number, number] {
  const means = bootstrapMeans(differences, options).sort();
  const tail = (1 - (options.confidence ?? 0.95)) / 2;
  return [quantile(means, tail), quantile(means, 1 - tail)];
}

/**
 * BCa interval (bias-corrected and accelerated, Efron 1987) of the mean of paired task differences. The percentiles are
 * moved by the median bias of the samples and by the skew that leaving out single tasks shows. Where all tasks differ
 * alike there is nothing to correct.
 */
export function biasCorrectedBootstrap(differences: readonly number[], options: BootstrapOptions): [number, number] {
  const means = bootstrapMeans(differences, options).sort();
  const middle = mean(differences);
  // Samples equal to the observed mean count half, so that lattice data are not called biased.
  const below = means.filter((value) => value < middle - 1e-12).length;
  const equal = means.filter((value) => Math.abs(value - middle) <= 1e-12).length;
  const share = (below + equal / 2) / means.length;
  const bias = normalQuantile(Math.min(1 - 0.5 / means.length, Math.max(0.5 / means.length, share)));
  const skew = acceleration(differences, middle);
  const tail = (1 - (options.confidence ?? 0.95)) / 2;
  const at = (probability: number) => {
    const z = bias + normalQuantile(probability);
    return quantile(means, normalCdf(bias + z / (1 - skew * z)));
  };
  return [at(tail), at(1 - tail)];
}

/** Sum of cubes over 6 (sum of squares)^1.5, which is what leaving out single values gives for a mean. */
function acceleration(values: readonly number[], middle: number): number {
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const cubes = values.reduce((sum, value) => sum + (value - middle) ** 3, 0);
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/** The means of all bootstrap samples, in the order drawn. */
export function bootstrapMeans(differences: readonly number[], options: BootstrapOptions): Float64Array {
  const count = differences.length;
  if (count === 0) throw new RangeError('a bootstrap needs at least one task');
  if (!(options.samples >= 1)) throw new RangeError('a bootstrap needs at least one sample');
  const random = xoroshiro128plus(options.seed);
  const means = new Float64Array(Math.floor(options.samples));
  for (let sample = 0; sample < means.length; sample++) {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn++) sum += differences[uniformInt(random, 0, count - 1)] ?? 0;
    means[sample] = sum / count;
  }
  return means;
}

/** Quantile of sorted values by linear interpolation between neighbours (type 7 of Hyndman and Fan). */
export function quantile(sorted: ArrayLike<number>, probability: number): number {
  const position = (sorted.length - 1) * Math.min(1, Math.max(0, probability));
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/**
 * All bootstrap sums of integer differences with their chances, smallest first: every one of the n^n equally likely
 * samples, counted by adding one draw after the other. What the drawn samples approach.
 * @throws RangeError when a difference is no integer or there is none.
 */
export function exactBootstrapSums(differences: readonly number[]): { sum: number; chance: number }[] {
  if (differences.length === 0) throw new RangeError('a bootstrap needs at least one task');
  for (const value of differences) {
    if (!Number.isSafeInteger(value)) throw new RangeError(`an exact bootstrap needs integers, not ${value}`);
  }
  let chances = new Map<number, number>([[0, 1]]);
  for (let drawn = 0; drawn < differences.length; drawn++) {
    const next = new Map<number, number>();
    for (const [sum, chance] of chances) {
      for (const value of differences)
        next.set(sum + value, (next.get(sum + value) ?? 0) + chance / differences.length);
    }
    chances = next;
  }
  return [...chances].map(([sum, chance]) => ({ sum, chance })).sort((one, other) => one.sum - other.sum);
}
