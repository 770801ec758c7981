import type { Harness } from '../harness';
import { splitsOf } from './splits';
import { listTasks, suiteNames } from './suites';

/**
 * Tasks that verdicts are made on: the selection and sealed splits of all suites. What happened in them must not be shown
 * to a model that proposes changes. @throws what `splitsOf` and `listTasks` throw.
 */
export async function withheldTasks(harness: Harness): Promise<string[]> {
  const withheld = new Set<string>();
  for (const name of suiteNames(harness)) {
    const suite = harness.config.suites[name];
    if (suite?.splits === undefined) continue;
    const splits = splitsOf(name, suite, await listTasks(harness.root, name, suite)) ?? {};
    for (const [task, split] of Object.entries(splits)) if (split !== 'search') withheld.add(task);
  }
  return [...withheld];
}
