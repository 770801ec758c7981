import type { TraceRun } from '../traces';
import type { Finding } from './model';

/** Fewer failures of a task may be chance. */
const fewestRuns = 3;

/**
 * Lays to the task what every run of one task shows and no run of another, when no run of that task ever passed although
 * others did: the model and the harness are the same there. Everything else stays as its detector said.
 */
export function settleParties(findings: readonly Finding[], runs: readonly TraceRun[]): Finding[] {
  const judged = runs.filter(({ outcome }) => outcome.verdict === 'pass' || outcome.verdict === 'fail');
  if (!judged.some(({ outcome }) => outcome.verdict === 'pass')) return [...findings];
  const byTask = new Map<string, TraceRun[]>();
  for (const run of judged) if (run.task !== null) byTask.set(run.task, [...(byTask.get(run.task) ?? []), run]);
  const neverPassed = [...byTask].filter(
    ([, of]) => of.length >= fewestRuns && of.every(({ outcome }) => outcome.verdict === 'fail'),
  );
  const hopeless = new Map(neverPassed.map(([task, of]) => [task, of.length]));
  const seen = new Map<string, Set<string>>();
  for (const finding of findings) {
    const key = keyOf(finding);
    seen.set(key, (seen.get(key) ?? new Set()).add(`${finding.task}\n${finding.run}`));
  }
  return findings.map((finding) => {
    const failed = finding.task === null ? undefined : hopeless.get(finding.task);
    const runsOf = seen.get(keyOf(finding))!;
    const onlyHere = [...runsOf].every((one) => one.startsWith(`${finding.task}\n`));
    if (failed === undefined || !onlyHere || runsOf.size < failed || finding.party === 'harness') return finding;
    return {
      ...finding,
      party: 'task' as const,
      partyReason: `all ${failed} runs of this task show it and failed, and no run of another task does`,
    };
  });
}

function keyOf({ unit, site, why }: Finding): string {
  return `${unit ?? site?.file ?? ''}\n${why}`;
}
