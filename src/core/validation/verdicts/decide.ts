import type { CostChange, RunManifest, TaskComparison, Verdict } from '../model';
import { clearSaving } from './costs';

/** Everything a decision rests on. */
export interface Seen {
  difference: number;
  p: number;
  level: number;
  up: number;
  down: number;
  noiseFloor: number | null;
  equivalenceP: number | null;
  notWorseP: number | null;
  costs: readonly CostChange[];
}

/**
 * The decision, in this order: not measured where an arm lacks coverage; accept or reject where p is within the level and
 * the difference is no smaller than the noise floor; then, because the score is unresolved, adopt for cost where a loss
 * beyond the margin is excluded and tokens or price clearly fall; equal where both directions beyond the margin are
 * excluded; undecided otherwise. Later steps are tried only when the earlier ones said nothing, each at the same level.
 */
export function decide(manifest: RunManifest, tasks: readonly TaskComparison[], seen: Seen): Verdict['verdict'] {
  if (!isCovered(manifest, tasks)) return 'not measured';
  if (manifest.screening && seen.difference >= 0) return 'undecided'; // chosen tasks may drop a candidate, never admit one
  if (seen.p <= seen.level && Math.abs(seen.difference) >= (seen.noiseFloor ?? 0)) {
    if (seen.difference > 0 && agrees(manifest, seen.up - seen.down)) return 'accept';
    if (seen.difference < 0 && agrees(manifest, seen.down - seen.up)) return 'reject';
  }
  if (seen.level === 0) return 'undecided';
  const { minimumSaving = 0.1 } = manifest.rule;
  if (seen.notWorseP !== null && seen.notWorseP <= seen.level && clearSaving(seen.costs, seen.level, minimumSaving)) {
    return 'adopt for cost';
  }
  return seen.equivalenceP !== null && seen.equivalenceP <= seen.level ? 'equal' : 'undecided';
}

/** Where majorities are tested, they must point the same way as the pass rates. */
function agrees(manifest: RunManifest, majorities: number): boolean {
  return manifest.rule.test === 'exact sign-flip on task means' || majorities > 0;
}

function isCovered(manifest: RunManifest, tasks: readonly TaskComparison[]): boolean {
  const covered = (['baseline', 'candidate'] as const).every((arm) => {
    const trials = tasks.reduce((sum, task) => sum + task[arm].of, 0);
    return trials > 0 && trials >= manifest.rule.minimumCoverage * tasks.length * manifest.trials;
  });
  return covered && tasks.some((task) => task.group !== 'not measured');
}
