import { storeFolderName } from '../core/store';
import {
  type Candidate,
  factLines,
  isNoiseRun,
  orderedTasks,
  points,
  type RunManifest,
  ruleWords,
  shareWords,
  type TaskComparison,
  type Trial,
  type Verdict,
} from '../core/validation';
import { counted } from './words';

/**
 * The verdict sentence, then regressions, then the task table: k of n in both arms, flips first. With the trials, one
 * example says for each kind of missing verdict what went wrong and where its output lies.
 */
export function verdictText(verdict: Verdict, trials: readonly Trial[] = [], manifest?: RunManifest): string {
  const lines = [verdict.sentence, ''];
  // A baseline against itself has no regressions.
  const lead = manifest && isNoiseRun(manifest) ? 'Flipped down by chance' : 'Regressions';
  if (verdict.regressions.length > 0) lines.push(`${lead}: ${verdict.regressions.join(', ')}`, '');
  lines.push(...taskTable(verdict.tasks));
  const { measured, planned } = verdict.coverage;
  lines.push('', `${measured} of ${planned} planned trials have a verdict.`);
  for (const { arm, reason, trials: count } of verdict.missing ?? [])
    lines.push(`  ${arm}: ${count} without a verdict, ${reason}`);
  lines.push(...examples(trials));
  if (manifest) lines.push('', ...factLines({ manifest, verdict, trials }));
  if (verdict.bounds && measured < planned) {
    lines.push(
      `  If the missing trials went against or for the candidate: ${points(verdict.bounds[0])} to ${points(verdict.bounds[1])}.`,
    );
  }
  return lines.join('\n');
}

function examples(trials: readonly Trial[]): string[] {
  const first = new Map<string, string>();
  for (const { verdict, exception, run, task, arm, output } of trials) {
    if (verdict !== 'missing' || !exception || first.has(exception.type)) continue;
    const place = output ? ` Output: ${storeFolderName}/runs/${run}/${output}` : '';
    first.set(exception.type, `  ${exception.type}, for example ${task} (${arm}): ${exception.message}${place}`);
  }
  return [...first.values()];
}

function taskTable(tasks: readonly TaskComparison[]): string[] {
  const width = Math.max(4, ...tasks.map((task) => task.task.length));
  const rows = orderedTasks({ tasks });
  return [
    `${'task'.padEnd(width)}  baseline  candidate  group`,
    ...rows.map(
      ({ task, baseline, candidate, group }) =>
        `${task.padEnd(width)}  ${shareWords(baseline).padEnd(8)}  ${shareWords(candidate).padEnd(9)}  ${group}`,
    ),
  ];
}

/** What a run will do, before it starts: arms, tasks, trials, rule. */
export function planText(manifest: RunManifest): string {
  const trials = manifest.tasks.length * manifest.trials * manifest.arms.length;
  const arm = ({ arm, label, commit }: Candidate) => `  ${arm}: ${label} (${commit.slice(0, 12)})`;
  return [
    `Run ${manifest.id}: ${counted(manifest.tasks.length, 'task')} x ${counted(manifest.trials, 'trial')} x ${manifest.arms.length} arms = ${trials} trials of suite "${manifest.suiteName}".`,
    ...manifest.arms.map(arm),
    `  rule, declared before the run: ${ruleWords(manifest.rule)}`,
    ...splitLines(manifest),
    ...(manifest.warnings ?? []).map((warning) => `  note: ${warning}`),
  ].join('\n');
}

/** Which split the run looks at, and how often it was looked at before. */
function splitLines({ split, earlierLooks }: RunManifest): string[] {
  if (!split) return [];
  return [`  split: ${split}, looked at by ${counted(earlierLooks ?? 0, 'earlier run')}`];
}
