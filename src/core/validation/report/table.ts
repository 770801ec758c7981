import type { TaskComparison } from '../model';

const groupOrder: readonly TaskComparison['group'][] = [
  'flipped down',
  'flipped up',
  'flaky',
  'stable fail',
  'stable pass',
  'not measured',
];

/** Tasks as people read them: regressions first, then improvements, then what changes by chance. */
export function orderedTasks(verdict: { tasks: readonly TaskComparison[] }): TaskComparison[] {
  return [...verdict.tasks].sort(
    (one, other) =>
      groupOrder.indexOf(one.group) - groupOrder.indexOf(other.group) || one.task.localeCompare(other.task),
  );
}

/** "2 of 3 (1 missing)". */
export function shareWords({ passed, of, missing }: TaskComparison['baseline']): string {
  return `${passed} of ${of}${missing > 0 ? ` (${missing} missing)` : ''}`;
}
