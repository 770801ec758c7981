import type { TraceRun } from '../traces';
import type { UnitHead } from './detectors/detector';
import { idOf } from './diagnoseRun';
import type { Finding, FlawRecord, WhyLabel } from './model';

/**
 * Findings that recur, keyed by where and why and not by the tasks they touch, so that nobody repairs one task. The
 * most telling come first: those in many failing and few passing runs. Ids depend on where and why alone.
 */
export function consolidate(
  findings: readonly Finding[],
  runs: readonly TraceRun[],
  map: { units: readonly UnitHead[] },
): FlawRecord[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${whereOf(finding) ?? ''}\n${finding.why}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const verdicts = new Map(runs.map((run) => [run.id, run.outcome.verdict]));
  const records = [...groups.values()].map((group) => recordOf(group, verdicts, map));
  return records.sort((a, b) => surplus(b) - surplus(a) || b.failingRuns - a.failingRuns || a.id.localeCompare(b.id));
}

function recordOf(
  group: readonly Finding[],
  verdicts: ReadonlyMap<string, TraceRun['outcome']['verdict']>,
  map: { units: readonly UnitHead[] },
): FlawRecord {
  const [first] = group;
  const { why } = first!;
  const whereTitle = titleOf(first!, map);
  const runsWith = (verdict: string) =>
    new Set(group.map((finding) => finding.run).filter((run) => verdicts.get(run) === verdict)).size;
  const all = [...verdicts.values()];
  return {
    id: idOf('f', whereOf(first!) ?? '', why),
    where: first!.unit,
    whereTitle,
    why,
    title: `${whyTitles[why]}: ${whereTitle}`,
    findings: group.map((finding) => finding.id),
    failingRuns: runsWith('fail'),
    passingRuns: runsWith('pass'),
    runsLookedAt: verdicts.size,
    failingRunsLookedAt: all.filter((verdict) => verdict === 'fail').length,
    passingRunsLookedAt: all.filter((verdict) => verdict === 'pass').length,
    tasks: [...new Set(group.flatMap((finding) => finding.task ?? []))].sort(),
    site: mostCommonSite(group),
    state: 'suspected',
  };
}

function whereOf(finding: Finding): string | null {
  return finding.unit ?? (finding.site ? `${finding.site.file}#${finding.site.symbol}` : null);
}

function titleOf({ unit, site }: Finding, map: { units: readonly UnitHead[] }): string {
  if (unit !== null) return map.units.find((one) => one.id === unit)?.title ?? unit;
  if (site) return site.symbol ? `${site.symbol} in ${site.file}` : site.file;
  return 'no place in the harness known';
}

function mostCommonSite(group: readonly Finding[]): FlawRecord['site'] {
  const counts = new Map<string, { site: FlawRecord['site']; count: number }>();
  for (const { site } of group) {
    if (!site) continue;
    const key = JSON.stringify(site);
    const entry = counts.get(key) ?? { site, count: 0 };
    entry.count++;
    counts.set(key, entry);
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.site ?? null;
}

/** How much more often it is in a failing than in a passing run, as a difference of shares. */
function surplus(record: FlawRecord): number {
  const failing = record.failingRuns / Math.max(1, record.failingRunsLookedAt ?? 0);
  const passing = record.passingRuns / Math.max(1, record.passingRunsLookedAt ?? 0);
  return failing - passing;
}

const whyTitles: Record<WhyLabel, string> = {
  format_violation: 'Replies that cannot be read',
  wrong_tool_or_arguments: 'Wrong tool or arguments',
  tool_affordance_missing: 'A tool is missing',
  parser_rejects_valid_output: 'The parser refuses valid replies',
  observation_truncated: 'Results are cut',
  evidence_absent: 'Needed facts are not in the context',
  evidence_unused: 'Facts in the context are not used',
  instruction_not_activated: 'An instruction is not shown',
  instruction_not_followed: 'An instruction is not followed',
  context_overflow: 'The context overflows',
  lost_in_compaction: 'Facts are lost when the context is shortened',
  loop_or_stagnation: 'The run goes in circles',
  no_action_turn: 'Turns without an action',
  premature_completion: 'Ended too early',
  missing_verification: 'Submitted without a check',
  completion_without_effect: 'Completed without an effect',
  limit_or_timeout: 'Ended by a limit',
  recovery_missing: 'No recovery after an error',
  state_corruption: 'State is corrupted',
  orchestration_error: 'The harness broke off',
  permission_block: 'Blocked by a permission',
  environment_fault: 'The environment failed',
  wrong_file: 'Work on the wrong file',
  reasoning_error: 'Mistake of the model',
};
