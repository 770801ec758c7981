import type { Finding, FlawRecord } from '../diagnosis';
import { InputError } from '../errors';
import { type ProgramGraph, syntaxErrors } from '../graph';
import { type BehaviourMap, renderPages, unitAt, unitPagePath } from '../handbook';
import type { Harness } from '../harness';
import { locate } from '../locate';
import type { WorkOptions } from '../progress';
import { openTrace, type TraceRun } from '../traces';
import type { UnsavedTexts } from './editPaths';
import { listProposals } from './list';
import { passingContrast } from './passingContrast';
import type { ProposeInput } from './propose';
import { reviewOf } from './review';
import { stepText } from './stepText';

export interface GatherSources {
  harness: Harness;
  graph: ProgramGraph;
  map: BehaviourMap;
  /** Runs the findings speak of; their steps are the evidence. */
  runs: readonly TraceRun[];
  /** Texts that stand unsaved in an editor. */
  unsaved?: UnsavedTexts;
  /** Tasks whose steps must not be shown to a model. */
  withheldTasks?: readonly string[];
  /** The only path below which files may change. */
  module?: string;
}

/** What a proposal is asked for: a flaw, a handbook unit, lines that a person selected, or words alone. */
export type GatherSubject =
  | { flaw: FlawRecord; findings: readonly Finding[]; request?: string }
  | { flaw?: undefined; request: string; unit?: string; selection?: { file: string; start: number; end: number } };

/** More steps cost tokens and say little new: a flaw record counts the rest. */
const exemplarRuns = 3;
const stepsPerRun = 2;
const sitesShown = 6;
const pagesShown = 3;

/**
 * Collects what a proposer is shown: for a flaw its unit, site and exemplar steps; for a request in words the units and
 * sites that `locate` finds and the premises it checked; for both the earlier proposals that people rejected.
 */
export async function gatherProposal(
  sources: GatherSources,
  subject: GatherSubject,
  work: WorkOptions = {},
): Promise<ProposeInput> {
  const { harness, map, graph, unsaved, withheldTasks, module } = sources;
  const base: ProposeInput = {
    harness,
    unsaved,
    withheldTasks,
    module,
    syntaxErrors,
    request: subject.request,
    rejected: await rejectedBefore(harness.root),
  };
  if (subject.flaw) {
    const { flaw, findings } = subject;
    const own = findings.filter((finding) => flaw.findings.includes(finding.id) && !isWithheld(finding, withheldTasks));
    const steps = [
      ...(await exemplarSteps(own, sources.runs, work)),
      ...(await passingContrast(own, sources.runs, work)),
    ];
    const units = withPages(map, graph, flaw.where ? [flaw.where] : []);
    return { ...base, flaw, map: { units }, steps, sites: otherSites(own, flaw) };
  }
  const { unit, selection } = subject;
  if (selection) {
    const at = unitAt(map, selection.file, selection.start);
    const ids = at ? [at.id] : [];
    const site = { ...selection, symbol: '' };
    return { ...base, map: { units: withPages(map, graph, ids) }, unitIds: ids, sites: [site] };
  }
  if (unit) {
    const units = withPages(map, graph, [unit]);
    if (units.length > 0) return { ...base, map: { units }, unitIds: [unit] };
    throw new InputError(`There is no handbook unit ${unit}.`, {
      code: 'unit-unknown',
      nextStep: 'Take an id of `harnessmith locate --json`, or leave --unit out.',
    });
  }
  const answer = await locate(subject.request, { ...sources, limit: sitesShown });
  if (answer.sites.length === 0) {
    throw new InputError('Nothing in the harness fits the request.', {
      code: 'request-unplaced',
      nextStep: 'Use words of the code, or name a flaw with --flaw.',
    });
  }
  const unitIds = answer.units.map(({ unit: found }) => found.id);
  return {
    ...base,
    map: { units: withPages(map, graph, unitIds.slice(0, pagesShown)) },
    unitIds,
    sites: answer.sites.filter((site) => site.state !== 'stale'),
    premises: answer.premises,
  };
}

/** The units with the text of their handbook pages. */
function withPages(map: BehaviourMap, graph: ProgramGraph, ids: readonly string[]) {
  const pages = ids.length > 0 ? renderPages(map, graph) : [];
  return ids.flatMap((id) => {
    const unit = map.units.find((one) => one.id === id);
    if (!unit) return [];
    return [{ ...unit, page: pages.find((page) => page.path === unitPagePath(id))?.markdown }];
  });
}

function isWithheld(finding: Finding, withheldTasks: readonly string[] = []): boolean {
  return finding.task !== null && withheldTasks.includes(finding.task);
}

/** Where the findings of a flaw point to beside its own site. */
function otherSites(findings: readonly Finding[], flaw: FlawRecord): NonNullable<ProposeInput['sites']> {
  const sites = new Map(findings.flatMap(({ site }) => (site ? [[`${site.file}:${site.start}`, site] as const] : [])));
  if (flaw.site) sites.delete(`${flaw.site.file}:${flaw.site.start}`);
  return [...sites.values()].slice(0, sitesShown);
}

/** The first steps of the surest findings, failing runs first, a few runs of different tasks. */
async function exemplarSteps(findings: readonly Finding[], runs: readonly TraceRun[], work: WorkOptions) {
  const ranked = [...findings].sort((a, b) => Number(b.runFailed) - Number(a.runFailed) || b.confidence - a.confidence);
  const tasks = new Set<string | null>();
  const steps: NonNullable<ProposeInput['steps']>[number][] = [];
  for (const finding of ranked) {
    if (tasks.size === exemplarRuns) break;
    const run = runs.find((one) => one.id === finding.run);
    if (!run || tasks.has(finding.task)) continue;
    tasks.add(finding.task);
    work.signal?.throwIfAborted();
    const reader = await openTrace(run);
    try {
      for (const n of finding.steps.slice(0, stepsPerRun)) {
        steps.push({ run: run.id, step: n, task: run.task, text: stepText(await reader.step(n)) });
      }
    } finally {
      await reader.close();
    }
  }
  return steps;
}

/** Decisions that people rejected with a reason, newest first. */
async function rejectedBefore(root: string): Promise<{ title: string; reason: string }[]> {
  const rejected: { title: string; reason: string }[] = [];
  for (const proposal of (await listProposals(root)).proposals.slice(0, 10)) {
    const review = await reviewOf(root, proposal.id);
    const reasons = new Set(
      Object.values(review.hunks).flatMap(({ state, reason }) => (state === 'rejected' && reason ? [reason] : [])),
    );
    for (const reason of reasons) rejected.push({ title: proposal.title, reason });
  }
  return rejected;
}
