import { createHash } from 'node:crypto';
import { InputError } from '../errors';
import type { SuiteConfig } from '../harness';
import { Split } from './model';

/**
 * The split of every task; undefined for a suite without splits. Shares deal tasks by a hash of seed and name: adding a
 * task moves no other one.
 * @throws InputError when tasks stand in two splits or in none, or when shares are above 1 together.
 */
export function splitsOf(
  suiteName: string,
  suite: Pick<SuiteConfig, 'splits'>,
  tasks: readonly string[],
): Record<string, Split> | undefined {
  const { splits } = suite;
  if (splits === undefined) return undefined;
  if ('seed' in splits) {
    const shares = Split.options.map((split) => splits[split]);
    if (shares.reduce((sum, share) => sum + share, 0) > 1 + 1e-9) {
      throw wrong(suiteName, 'its shares are above 1 together');
    }
    return Object.fromEntries(tasks.map((task) => [task, dealt(splits.seed, task, splits)]));
  }
  const found: Record<string, Split> = {};
  for (const split of Split.options) {
    for (const task of splits[split]) {
      if (!tasks.includes(task)) throw wrong(suiteName, `it names "${task}", which is no task of the suite`);
      if (found[task] !== undefined)
        throw wrong(suiteName, `the task "${task}" stands in ${found[task]} and in ${split}`);
      found[task] = split;
    }
  }
  const forgotten = tasks.filter((task) => found[task] === undefined);
  if (forgotten.length > 0) {
    throw wrong(
      suiteName,
      `${forgotten.length === 1 ? 'a task stands' : `${forgotten.length} tasks stand`} in no split: ${forgotten.slice(0, 5).join(', ')}`,
    );
  }
  return found;
}

/** What is left after search and sealed is selection, so that shares need not add up. */
function dealt(seed: number, task: string, shares: Record<Split, number>): Split {
  const hash = createHash('sha256').update(`${seed}\n${task}`).digest();
  const place = hash.readUIntBE(0, 6) / 2 ** 48;
  if (place < shares.search) return 'search';
  return place >= 1 - shares.sealed ? 'sealed' : 'selection';
}

function wrong(suiteName: string, what: string): InputError {
  return new InputError(`The splits of suite "${suiteName}" are wrong: ${what}.`, {
    code: 'splits-wrong',
    nextStep: 'Correct "splits" of the suite in harness.json.',
  });
}
