import type { Difference } from './model';
import type { Turn } from './turns';

/** Turns less alike than this never stand in one row. */
export const ALIKE_ENOUGH = 0.4;

/**
 * How alike two turns are, 0 to 1: the tool 0.35, the words of the arguments 0.45 (Jaccard), the class of the result 0.1,
 * its text 0.1. Turns with other tools have nothing in common; what the model said is not looked at.
 */
export function similarity(first: Turn, second: Turn): number {
  if (first.tools !== second.tools) return 0;
  const args = first.argumentsKey === second.argumentsKey ? 1 : jaccard(first.words, second.words);
  const sameClass = first.summary.result.class === second.summary.result.class ? 1 : 0;
  return 0.35 + 0.45 * args + 0.1 * sameClass + 0.1 * (first.resultKey === second.resultKey ? 1 : 0);
}

/** What differs, the strongest first; empty for turns that are the same but for wording. */
export function differences(first: Turn, second: Turn): Difference[] {
  if (first.tools !== second.tools) return ['tool'];
  const found: Difference[] = [];
  if (first.argumentsKey !== second.argumentsKey) found.push('arguments');
  if (first.summary.result.class !== second.summary.result.class) found.push('resultClass');
  else if (first.resultKey !== second.resultKey) found.push('result');
  return found;
}

function jaccard(first: ReadonlySet<number>, second: ReadonlySet<number>): number {
  if (first.size === 0 && second.size === 0) return 1;
  let common = 0;
  for (const word of first) if (second.has(word)) common += 1;
  return common / (first.size + second.size - common);
}
