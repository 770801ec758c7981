import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean } from './numbers';

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

/** Mean and standard error of paired differences; the error is null below two tasks. */
export function pairedError(differences: readonly number[]): { mean: number; standardError: number | null } {
  const middle = mean(differences);
  const count = differences.length;
  if (count < 2) return { mean: middle, standardError: null };
  const squares = differences.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return { mean: middle, standardError: Math.sqrt(squares / (count - 1) / count) };
}
