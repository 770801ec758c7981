import { throwIfCancelled } from '../errors';
import type { ProgramGraph } from '../graph';
import type { Harness } from '../harness';
import type { WorkOptions } from '../progress';
import { measureCoverage } from './derive/coverage';
import { deriveDrafts } from './derive/derive';
import type { Draft } from './derive/drafts';
import { missingFacts } from './derive/notFound';
import { type Relations, relate } from './derive/relations';
import { loadSources, type Sources } from './derive/sources';
import { groupsOf } from './derive/stageGroups';
import type { Step } from './derive/steps';
import { summaryOf } from './derive/words';
import { failuresOf } from './failures';
import type { BehaviourMap, Register, RunStep, Site, Stage, Unit } from './model';
import { type HandbookOverlay, loadOverlay, placeOverlay, withWords } from './overlay';
import { stageOrder, stageTitles } from './vocabulary';

/**
 * The behaviour map of a harness: derived from the graph and the source text, then overlaid with `handbook.json`.
 * The same input gives the same map, byte for byte.
 * @throws InputError when `handbook.json` is wrong, naming the place; CancelledError.
 */
export async function buildHandbook(
  graph: ProgramGraph,
  harness: Harness,
  work: WorkOptions = {},
): Promise<BehaviourMap> {
  return deriveMap(graph, harness, work, await loadOverlay(harness));
}

/** The map without what people and models added, or with the given overlay. */
export async function deriveMap(
  graph: ProgramGraph,
  harness: Harness,
  work: WorkOptions = {},
  overlay: HandbookOverlay = { schemaVersion: 1, units: {} },
): Promise<BehaviourMap> {
  work.progress?.({ message: 'Reading sources' });
  const sources = await loadSources(graph, harness, work);
  throwIfCancelled(work.signal, 'Building the handbook');
  const derived = await deriveDrafts(graph, harness, sources, work);
  const { drafts, scope, steps, unitOf, loopIds, registers, modelTools, found } = derived;
  const { placement, entries: words, absorbed } = placeOverlay(drafts, overlay, graph, sources);
  const moved = new Set(Object.values(placement.moved));
  const kept = drafts.all().filter((draft) => draft.sites.length > 0);
  const relations = relate(drafts, graph, registers);
  const titles = new Map(kept.map((draft) => [draft.id, draft.title]));
  const units = kept.map((draft) =>
    withWords(
      {
        ...finish(draft, relations.get(draft.id), graph, titles, draft.id === loopIds[0] ? steps : []),
        ...failuresIn(draft, sources),
        ...(draft.sites.every((site) => derived.isApart(site.file)) ? { apart: true } : {}),
      },
      words.get(draft.id),
      moved.has(draft.id),
    ),
  );
  const stages = orderStages(kept, units);
  nameGroups(stages, units);
  const coverage = measureCoverage(
    graph,
    sources,
    scope,
    kept.flatMap((draft) => draft.sites),
  );
  return {
    schemaVersion: 1,
    harness: harness.name,
    loops: loopIds,
    stages,
    units,
    ...(steps.length === 0 ? {} : { steps: runSteps(steps, unitOf, units, sources) }),
    registers: keepUsed(registers),
    ...(modelTools.length === 0 ? {} : { modelTools }),
    unassigned: coverage.unassigned,
    // A unit that was merged into another one was found all the same.
    notFound: await missingFacts({ ...found, graph, units: [...units, ...absorbed], harness, sources }),
    ...(isEmpty(overlay) ? {} : { overlay: placement }),
    counts: counts(graph, coverage),
  };
}

function finish(
  draft: Draft,
  relations: Relations | undefined,
  graph: ProgramGraph,
  titles: ReadonlyMap<string, string>,
  steps: readonly Step[],
): Unit {
  const related = relations as Relations;
  const known = (id: string): boolean => titles.has(id);
  return {
    id: draft.id,
    kind: draft.kind,
    title: draft.title,
    summary: summaryOf(draft, related, graph, titles, steps),
    stage: stageId(draft),
    ...(draft.order === undefined ? {} : { order: draft.order }),
    ...(draft.area === undefined ? {} : { area: draft.area }),
    sites: draft.sites,
    members: draft.members,
    prompts: related.prompts,
    tools: related.tools,
    config: related.config,
    registers: related.registers,
    calls: related.calls.filter(known),
    callers: related.callers.filter(known),
    mayCall: related.mayCall.filter(known),
    mayBeCalledBy: related.mayBeCalledBy.filter(known),
    reasons: draft.reasons,
  };
}

function nameGroups(stages: readonly Stage[], units: readonly Unit[]): void {
  for (const stage of stages) {
    const own = units.filter((unit) => unit.stage === stage.id);
    for (const [id, group] of groupsOf(own)) {
      const unit = own.find((candidate) => candidate.id === id);
      if (unit) unit.group = group;
    }
  }
}

function failuresIn(draft: Draft, sources: Sources): Pick<Unit, 'failures'> {
  const failures = failuresOf(draft.sites, sources);
  return failures.length > 0 ? { failures } : {};
}

function isEmpty({ units, members = {} }: HandbookOverlay): boolean {
  return Object.keys(units).length + Object.keys(members).length === 0;
}

function stageId(draft: Draft): string {
  return draft.stage === 'subsystem' ? `subsystem:${draft.folder ?? '.'}` : draft.stage;
}

function orderStages(drafts: readonly Draft[], units: readonly Unit[]): Stage[] {
  const stages = new Map<string, Stage>();
  for (const [index, draft] of drafts.entries()) {
    const id = stageId(draft);
    const title =
      draft.stage === 'subsystem' ? `${stageTitles.subsystem} ${draft.folder ?? '.'}` : stageTitles[draft.stage];
    const stage = stages.get(id) ?? { id, kind: draft.stage, title, units: [] };
    stage.units.push((units[index] as Unit).id);
    stages.set(id, stage);
  }
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const rank = (id: string): number => {
    const unit = byId.get(id) as Unit;
    if (unit.kind === 'main_loop') return -1;
    return unit.order ?? (unit.pinned ? 900 : 1000);
  };
  for (const stage of stages.values()) stage.units.sort((a, b) => rank(a) - rank(b));
  return [...stages.values()].sort(
    (a, b) => stageOrder.indexOf(a.kind) - stageOrder.indexOf(b.kind) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}

/** Steps with the unit they belong to, also where a person merged it into another. */
function runSteps(
  steps: readonly Step[],
  unitOf: ReadonlyMap<Step, string>,
  units: readonly Unit[],
  sources: Sources,
): RunStep[] {
  const known = new Set(units.map((unit) => unit.id));
  return steps.flatMap((step): RunStep[] => {
    const site = sources.site(step.node.file, step.node.qualname, step.start, step.end);
    const own = unitOf.get(step);
    const unit =
      own && known.has(own) ? own : units.find((other) => other.sites.some((held) => isSame(held, site)))?.id;
    return unit ? [{ unit, kind: step.kind, site, phase: step.phase }] : [];
  });
}

function isSame(a: Site, b: Site): boolean {
  return a.file === b.file && a.start === b.start && a.end === b.end;
}

/** Registers with more than one place; one place alone crosses nothing. */
function keepUsed(registers: readonly Register[]): Register[] {
  return registers.filter((register) => register.sites.length > 1);
}

function counts(graph: ProgramGraph, coverage: { codeLines: number; assignedLines: number }): BehaviourMap['counts'] {
  const ofKind = (kind: string): number => graph.data.nodes.filter((node) => node.kind === kind).length;
  return {
    files: graph.data.files.length,
    functions: graph.functions().length,
    codeLines: coverage.codeLines,
    assignedLines: coverage.assignedLines,
    prompts: ofKind('prompt'),
    tools: ofKind('tool'),
    config: ofKind('config'),
    unresolvedCalls: graph.data.unresolved.length,
    resolvedCalls: graph.data.edges.filter((edge) => edge.kind === 'calls' || edge.kind === 'constructs').length,
  };
}
