import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A measured task of a sample, with the chance it had to be in the sample. */
export interface SampledValue {
  value: number;
  /** Inclusion probability, above 0 and at most 1. */
  inclusion: number;
}

/** Estimates of a population from a sample whose members had unequal chances. */
export interface SampleEstimate {
  /** Horvitz-Thompson total: the sum of value / inclusion. Unbiased. */
  total: number;
  /** total / size of the population. */
  mean: number;
  /** Hajek: sum(value / inclusion) / sum(1 / inclusion). Slightly biased, far steadier; exact for equal values. */
  hajek: number;
  /** Standard error of `mean` under independent (Poisson) draws, estimated without bias. */
  standardError: number;
}

/**
 * Horvitz and Thompson 1952. Poisson variance estimate: 1/N^2 * sum (1 - pi) / pi^2 * y^2.
 * @throws RangeError for an empty sample, a population smaller than it, or an impossible inclusion probability.
 */
export function estimateFromSample(sample: readonly SampledValue[], population: number): SampleEstimate {
  if (sample.length === 0 || !(population >= sample.length)) {
    throw new RangeError(`a sample of ${sample.length} cannot stand for ${population}`);
  }
  let total = 0;
  let weights = 0;
  let variance = 0;
  for (const { value, inclusion } of sample) {
    if (!(inclusion > 0 && inclusion <= 1)) throw new RangeError(`${inclusion} is no inclusion probability`);
    total += value / inclusion;
    weights += 1 / inclusion;
    variance += ((1 - inclusion) / inclusion ** 2) * value ** 2;
  }
  return { total, mean: total / population, hajek: total / weights, standardError: Math.sqrt(variance) / population };
}

/**
 * Inclusion probabilities proportional to the weights that sum to `size`, none above 1: whoever would get more is taken
 * for certain and the rest is shared anew. Weights of 0 are raised to a hundredth of the mean weight, so that every task
 * keeps a chance; without one no estimate of the whole is possible.
 * @throws RangeError for negative weights or a size outside 1..n.
 */
export function inclusionProbabilities(weights: readonly number[], size: number): number[] {
  if (!(size >= 1 && size <= weights.length)) throw new RangeError(`no sample of ${size} out of ${weights.length}`);
  if (weights.some((weight) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY))) {
    throw new RangeError('weights must be numbers of at least 0');
  }
  // By the largest, because the hundredth of a tiny weight is no number above 0, and a sum of huge ones is infinite.
  const largest = Math.max(...weights);
  const shares = weights.map((weight) => (largest === 0 ? 1 : weight / largest));
  const floor = shares.reduce((total, share) => total + share, 0) / weights.length / 100;
  const raised = shares.map((share) => Math.max(share, floor));
  const certain = new Set<number>();
  for (;;) {
    const rest = raised.reduce((total, weight, index) => total + (certain.has(index) ? 0 : weight), 0);
    const scale = (size - certain.size) / rest;
    const over = raised.findIndex((weight, index) => !certain.has(index) && weight * scale > 1);
    if (over < 0) return raised.map((weight, index) => (certain.has(index) ? 1 : weight * scale));
    certain.add(over);
  }
}

/** Draws each position independently with its probability (Poisson sampling); the same seed draws the same. */
export function poissonSample(inclusion: readonly number[], seed: number): number[] {
  const random = xoroshiro128plus(seed);
  return inclusion.flatMap((probability, index) => (uniformFloat64(random) < probability ? [index] : []));
}
