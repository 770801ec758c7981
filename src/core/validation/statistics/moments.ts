/** Arithmetic mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sample variance with n - 1 below; null for fewer than two values. */
export function sampleVariance(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

/** A mean over tasks and its standard error; the error is null below two tasks. */
export interface MeanWithError {
  mean: number;
  standardError: number | null;
}

/**
 * Mean over tasks with its standard error sqrt(variance / n). Given the mean of each task this is the cluster-robust
 * error with tasks as clusters and the CR1 correction (Miller 2024, arXiv 2411.00640).
 */
export function meanWithError(values: readonly number[]): MeanWithError {
  const variance = sampleVariance(values);
  return { mean: mean(values), standardError: variance === null ? null : Math.sqrt(variance / values.length) };
}

/** What the repeats of each task say about where the spread of task means comes from. */
export interface VarianceSplit {
  /** Variance of the true task scores; never below 0. */
  between: number;
  /** Mean variance of repeats within a task. */
  within: number;
}

/**
 * Splits the spread of task means: Var(mean of a task) = between + within / repeats, `within` being the mean of the sample
 * variances of the tasks. Null unless at least two tasks have at least two repeats each.
 */
export function varianceSplit(tasks: readonly (readonly number[])[]): VarianceSplit | null {
  const repeated = tasks.filter((outcomes) => outcomes.length >= 2);
  const total = sampleVariance(repeated.map(mean));
  if (total === null) return null;
  const within = mean(repeated.map((outcomes) => sampleVariance(outcomes) ?? 0));
  const noise = mean(repeated.map((outcomes) => (sampleVariance(outcomes) ?? 0) / outcomes.length));
  return { between: Math.max(0, total - noise), within };
}
