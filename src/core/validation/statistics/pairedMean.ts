import { meanWithError } from './moments';
import { studentCdf, studentQuantile, studentTwoSided } from './studentT';

/** A paired t analysis of task differences; the unit is the task. */
export interface PairedMean {
  mean: number;
  standardError: number;
  degrees: number;
  /** mean / standardError; infinite where all tasks differ alike, NaN where none differs. */
  t: number;
  p: number;
}

/**
 * Paired t test of task differences, n - 1 degrees of freedom. Null below two tasks, where nothing can be said.
 * Without any difference p is 1.
 */
export function pairedMean(differences: readonly number[]): PairedMean | null {
  const { mean, standardError } = meanWithError(differences);
  if (standardError === null) return null;
  const degrees = differences.length - 1;
  const t = mean / standardError;
  return { mean, standardError, degrees, t, p: Number.isNaN(t) ? 1 : studentTwoSided(t, degrees) };
}

/** Two-sided t interval of the mean of task differences. */
export function pairedInterval({ mean, standardError, degrees }: PairedMean, confidence = 0.95): [number, number] {
  const half = studentQuantile((1 + confidence) / 2, degrees) * standardError;
  return [mean - half, mean + half];
}

/**
 * One-sided p for "the mean is above -margin": t = (mean + margin) / error. Small p means: not worse by the margin.
 * A spread of zero leaves no doubt, so p is 0 or 1 there.
 */
export function nonInferiorityP({ mean, standardError, degrees }: PairedMean, margin: number): number {
  const distance = mean + margin;
  if (standardError === 0) return distance > 0 ? 0 : 1;
  return studentCdf(-distance / standardError, degrees);
}

/** Two one-sided tests (TOST): the larger p of "above -margin" and "below margin". Small p means: equal within it. */
export function equivalenceP(paired: PairedMean, margin: number): number {
  return Math.max(nonInferiorityP(paired, margin), nonInferiorityP({ ...paired, mean: -paired.mean }, margin));
}
