import type { RunManifest, TaskComparison, Verdict } from '../model';
import { holm, mean, signFlip } from '../statistics';
import { integerDifferences, type TaskOutcomes, taskDifferences } from './differences';
import { intervalOf } from './intervals';

/**
 * The decision on each split apart, where a run has tasks of several. The p values are one family of confirmatory claims,
 * so they are adjusted by Holm.
 */
export function splitVerdicts(
  manifest: RunManifest,
  tasks: readonly TaskComparison[],
  outcomes: readonly TaskOutcomes[],
): NonNullable<Verdict['splits']> {
  const splitOf = manifest.taskSplits ?? {};
  const names = [...new Set(tasks.flatMap((task) => splitOf[task.task] ?? []))].sort();
  if (names.length < 2) return [];
  const parts = names.flatMap((split) => {
    const own = outcomes.filter((task) => splitOf[task.task] === split);
    if (own.length === 0) return [];
    const differences = taskDifferences(own);
    return [
      {
        split,
        tasks: own.length,
        difference: mean(differences),
        interval: intervalOf(differences, manifest.rule),
        p: signFlip(integerDifferences(own)),
        regressions: tasks
          .filter((task) => task.group === 'flipped down' && splitOf[task.task] === split)
          .map((task) => task.task),
      },
    ];
  });
  const adjusted = holm(parts.map((part) => part.p));
  return parts.map((part, index) => ({ ...part, adjustedP: adjusted[index] ?? part.p }));
}
