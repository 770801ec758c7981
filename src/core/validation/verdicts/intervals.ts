import type { VerdictRule } from '../model';
import { biasCorrectedBootstrap, bonettPrice, pairedBootstrap, pairedInterval, pairedMean } from '../statistics';

/**
 * The interval that the rule declares, of the mean of task differences. Where all tasks differ alike a t interval or a
 * bootstrap has no width, which is no certainty; there, and for a single task, one imagined task is added in each
 * direction, which is what Bonett and Price do for single trials.
 */
export function intervalOf(differences: readonly number[], rule: VerdictRule): [number, number] {
  if (differences.length === 0) return [-1, 1]; // nothing is known
  if (rule.interval === 'Bonett-Price, 95 %' && differences.every(Number.isInteger)) {
    const count = (kind: number) => differences.filter((each) => each === kind).length;
    return bonettPrice(count(-1), count(1), differences.length);
  }
  const paired = pairedMean(differences);
  if (paired === null || paired.standardError < 1e-12) return widened(differences);
  const options = { samples: rule.bootstrapSamples, seed: rule.bootstrapSeed };
  if (rule.interval === 'paired bootstrap over tasks, 95 %') return pairedBootstrap(differences, options);
  if (rule.interval === 'BCa bootstrap over tasks, 95 %') return biasCorrectedBootstrap(differences, options);
  return clipped(pairedInterval(paired));
}

function widened(differences: readonly number[]): [number, number] {
  const paired = pairedMean([...differences, -1, 1]);
  return paired === null ? [-1, 1] : clipped(pairedInterval(paired));
}

/** A difference of shares lies between -1 and 1. */
function clipped([low, high]: [number, number]): [number, number] {
  return [Math.max(-1, low), Math.min(1, high)];
}
