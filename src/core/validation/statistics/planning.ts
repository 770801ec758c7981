import { normalQuantile } from './normal';

export interface PlanningOptions {
  /** Two-sided level, 0.05 when absent. */
  alpha?: number;
  /** 0.8 when absent. */
  power?: number;
}

/** z(alpha/2) + z(power): the gap in standard errors that is found with this power; 2.80 for 5 % and 80 %. */
export function planningFactor({ alpha = 0.05, power = 0.8 }: PlanningOptions = {}): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power);
}

/** Smallest true difference that a paired design with this standard error finds. */
export function resolvableGap(standardError: number, options?: PlanningOptions): number {
  return planningFactor(options) * standardError;
}

/** Where the variance of a task difference comes from (Miller 2024, arXiv 2411.00640). */
export interface PairedVariance {
  /** Variance of the true task differences. */
  effect: number;
  /** Variance of repeats within a task, of each arm. */
  withinBaseline: number;
  withinCandidate: number;
}

/** Variance of one task difference with this many repeats an arm. */
export function differenceVariance(variance: PairedVariance, repeats: number): number {
  return variance.effect + (variance.withinBaseline + variance.withinCandidate) / repeats;
}

/**
 * Tasks that resolve `gap`: factor^2 * variance of a task difference / gap^2, rounded up; null for a gap of zero, which no
 * number resolves.
 */
export function tasksFor(gap: number, taskVariance: number, options?: PlanningOptions): number | null {
  if (gap === 0) return null;
  return Math.max(1, Math.ceil((planningFactor(options) ** 2 * taskVariance) / gap ** 2));
}

/**
 * Repeats a task and arm that resolve `gap` on the same tasks. Null where no number does: repeats shrink the noise within
 * tasks, never the difference between tasks.
 */
export function repeatsFor(
  gap: number,
  tasks: number,
  variance: PairedVariance,
  options?: PlanningOptions,
): number | null {
  const allowed = (tasks * gap ** 2) / planningFactor(options) ** 2 - variance.effect;
  if (!(allowed > 0)) return null;
  return Math.max(1, Math.ceil((variance.withinBaseline + variance.withinCandidate) / allowed));
}
