import type { TraceRun } from '../traces';
import type { UnitHead } from './detectors/detector';
import { idOf } from './diagnoseRun';
import { operatorsOf } from './labels';
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
  const records = [...groups.values()].map((group) => recordOf(group, runs, map));
  return records
    .sort((a, b) => b.weight - a.weight || a.record.id.localeCompare(b.record.id))
    .map(({ record }) => record);
}

/** A run or a replay that confirms a flaw, in words. */
export interface Confirmation {
  flaw: string;
  by: string;
}

/** The flaws with those confirmed that a measurement of a repair speaks for. Without one a flaw stays suspected. */
export function confirmFlaws(flaws: readonly FlawRecord[], confirmations: readonly Confirmation[]): FlawRecord[] {
  return flaws.map((flaw) => {
    const found = confirmations.find((one) => one.flaw === flaw.id);
    return found ? { ...flaw, state: 'confirmed' as const, confirmedBy: found.by } : flaw;
  });
}

const exemplarsShown = 8;
const counterExamplesShown = 5;

function recordOf(
  group: readonly Finding[],
  runs: readonly TraceRun[],
  map: { units: readonly UnitHead[] },
): { record: FlawRecord; weight: number } {
  const [first] = group;
  const { why } = first!;
  const whereTitle = titleOf(first!, map);
  const seen = new Set(group.map((finding) => finding.run));
  const of = (verdict: TraceRun['outcome']['verdict']) => runs.filter((run) => run.outcome.verdict === verdict);
  const [failing, passing] = [of('fail'), of('pass')];
  const tasks = [...new Set(group.flatMap((finding) => finding.task ?? []))].sort();
  const site = mostCommonSite(group);
  const best = group.reduce((one, other) => (other.confidence > one.confidence ? other : one));
  const party = mostCommon(group.map((finding) => finding.party ?? 'unclear'));
  const units = [
    ...new Set(group.flatMap(({ unit, alsoUnits = [] }) => [...(unit === null ? [] : [unit]), ...alsoUnits])),
  ];
  const record: FlawRecord = {
    id: idOf('f', whereOf(first!) ?? '', why),
    where: first!.unit,
    whereTitle,
    why,
    title: `${whyTitles[why]}: ${whereTitle}`,
    findings: group.map((finding) => finding.id),
    failingRuns: failing.filter((run) => seen.has(run.id)).length,
    passingRuns: passing.filter((run) => seen.has(run.id)).length,
    runsLookedAt: runs.length,
    failingRunsLookedAt: failing.length,
    passingRunsLookedAt: passing.length,
    tasks,
    site,
    state: 'suspected',
    party,
    ...pick('partyReason', group.find((finding) => finding.party === party)?.partyReason),
    ...pick('module', best.module),
    ...pick('component', best.component),
    ...pick('placeEvidence', best.placeEvidence),
    exemplars: exemplarsOf(group),
    counterExamples: passing
      .filter((run) => !seen.has(run.id) && run.task !== null && tasks.includes(run.task))
      .slice(0, counterExamplesShown)
      .map((run) => run.id),
    cost: costOf(failing.filter((run) => seen.has(run.id))),
    repair: {
      operators: party === 'harness' || party === 'unclear' ? [...operatorsOf[why]] : unlessNeeded(why),
      files: [...new Set(group.flatMap((finding) => finding.site?.file ?? []))].sort(),
      units: units.slice(0, 4),
    },
  };
  return { record, weight: weightOf(record, best.confidence) };
}

/** What another party caused can be left alone; what can help against it comes after. */
function unlessNeeded(why: WhyLabel): NonNullable<FlawRecord['repair']>['operators'] {
  return [...new Set(['no harness edit' as const, ...operatorsOf[why]])];
}

function pick<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]?: V });
}

/** Failing runs with a passing one to compare with first, then the surest; one of each task before a second of any. */
function exemplarsOf(group: readonly Finding[]): NonNullable<FlawRecord['exemplars']> {
  const ranked = [...group].sort(
    (a, b) =>
      Number(b.runFailed) - Number(a.runFailed) ||
      b.confidence - a.confidence ||
      Number(b.contrast !== undefined) - Number(a.contrast !== undefined) ||
      a.steps.length - b.steps.length,
  );
  const tasks = new Set<string | null>();
  const [fresh, more]: [Finding[], Finding[]] = [[], []];
  for (const finding of ranked) {
    (tasks.has(finding.task) ? more : fresh).push(finding);
    tasks.add(finding.task);
  }
  return [...fresh, ...more]
    .slice(0, exemplarsShown)
    .map(({ id, run, steps }) => ({ finding: id, run, step: steps[0]! }));
}

function costOf(runs: readonly TraceRun[]): NonNullable<FlawRecord['cost']> {
  const sum = (values: readonly (number | null)[]) =>
    values.every((value) => value === null) ? null : values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const tokens = runs.map(({ tokens: { input, output } }) =>
    input === null && output === null ? null : (input ?? 0) + (output ?? 0),
  );
  return { runs: runs.length, tokens: sum(tokens), usd: sum(runs.map((run) => run.costUsd)) };
}

function mostCommon<T>(values: readonly T[]): T {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]![0];
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

/** What the harness did counts more than what it can only guard against, and a place more than none. */
const partyWeights: Record<NonNullable<Finding['party']>, number> = {
  harness: 1,
  unclear: 0.6,
  model: 0.7,
  environment: 0.8,
  task: 0.5,
};

/** How much more often it is in a failing than in a passing run, as a difference of shares, by how sure and whose it is. */
function weightOf(record: FlawRecord, confidence: number): number {
  const failing = record.failingRuns / Math.max(1, record.failingRunsLookedAt ?? 0);
  const passing = record.passingRuns / Math.max(1, record.passingRunsLookedAt ?? 0);
  const placed = record.site === null ? 0.6 : 1;
  const surplus = failing - passing;
  return surplus <= 0 ? surplus : surplus * confidence * placed * partyWeights[record.party ?? 'unclear'];
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
