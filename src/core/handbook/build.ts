import { throwIfCancelled } from '../errors';
import type { GraphNode, ProgramGraph } from '../graph';
import type { Harness } from '../harness';
import type { WorkOptions } from '../progress';
import { type Classified, classify } from './derive/classify';
import { measureCoverage } from './derive/coverage';
import { type Draft, Drafts } from './derive/drafts';
import { distances, findEntries } from './derive/entries';
import { gatherArtifacts, gatherFlow, gatherKinds, gatherRest, gatherTools } from './derive/gather';
import { gatherHiddenRegions } from './derive/hiddenRegions';
import { findLoops, leastScore } from './derive/loops';
import { missingFacts } from './derive/notFound';
import { computeReach, type Reach } from './derive/reach';
import { findRegisters, reachedFrom } from './derive/registers';
import { type Relations, relate } from './derive/relations';
import { loadSources, type Sources } from './derive/sources';
import { loopSteps, type Step } from './derive/steps';
import { summaryOf } from './derive/words';
import { failuresOf } from './failures';
import type { BehaviourMap, Register, Stage, Unit } from './model';
import { type HandbookOverlay, loadOverlay, placeOverlay, withWords } from './overlay';
import { isForeignFile, isTestFile, stageOrder, stageTitles } from './vocabulary';

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
  work.progress?.({ message: 'Finding the agent loop' });
  const reach = computeReach(graph, sources);
  const entries = await findEntries(graph, harness, sources);
  const candidates = findLoops(graph, reach, sources, distances(entries, reach, graph));
  const loops = candidates.filter((loop) => loop.score >= leastScore);
  const inLoop = reachedFrom(loops.slice(0, 1), reach);
  const kinds = classifyAll(graph, reach, inLoop);
  const steps = loops[0] ? loopSteps(loops[0], { graph, reach, sources, kinds }) : [];
  const registers = findRegisters(loops, steps, graph, reach, sources);

  throwIfCancelled(work.signal, 'Building the handbook');
  work.progress?.({ message: 'Gathering units' });
  const drafts = new Drafts(sources);
  const input = { graph, reach, sources, entries, loops, steps, kinds, inLoop };
  const loopIds = gatherFlow(drafts, input);
  gatherTools(drafts, input);
  gatherKinds(drafts, input);
  gatherHiddenRegions(drafts, graph, sources, inLoop, steps, loops[0]?.node.id);
  gatherArtifacts(drafts, input);
  gatherRest(drafts, input);
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
      },
      words.get(draft.id),
      moved.has(draft.id),
    ),
  );
  const stages = orderStages(kept, units);
  const coverage = measureCoverage(
    graph,
    sources,
    kept.flatMap((draft) => draft.sites),
  );
  return {
    schemaVersion: 1,
    harness: harness.name,
    loops: loopIds,
    stages,
    units,
    registers: keepUsed(registers),
    unassigned: coverage.unassigned,
    // A unit that was merged into another one was found all the same.
    notFound: await missingFacts({
      graph,
      reach,
      loops,
      candidates,
      entries,
      units: [...units, ...absorbed],
      harness,
      sources,
    }),
    ...(isEmpty(overlay) ? {} : { overlay: placement }),
    counts: counts(graph, coverage),
  };
}

function classifyAll(graph: ProgramGraph, reach: Reach, inLoop: ReadonlySet<string>): Map<string, Classified> {
  const kinds = new Map<string, Classified>();
  for (const node of graph.functions()) {
    if (isTestFile(node.file) || isForeignFile(node.file)) continue;
    const found = classify(node, graph, reach, inLoop);
    if (found) kinds.set(node.id, found);
  }
  for (const node of graph.functions()) if (!kinds.has(node.id)) addModelWrapper(node, kinds, graph, reach);
  return kinds;
}

/** A method that calls the model call of its own class belongs to it: the public side of the same behaviour. */
function addModelWrapper(node: GraphNode, kinds: Map<string, Classified>, graph: ProgramGraph, reach: Reach): void {
  const owner = node.qualname.slice(0, Math.max(0, node.qualname.lastIndexOf('.')));
  if (owner === '') return;
  for (const edge of reach.calls(node.id)) {
    const callee = graph.node(edge.to);
    const inner = kinds.get(edge.to);
    if (inner?.kind !== 'model_call' || inner.strength < 3 || callee?.file !== node.file) continue;
    if (!callee.qualname.startsWith(`${owner}.`)) continue;
    kinds.set(node.id, {
      kind: 'model_call',
      strength: 2,
      reason: `calls the model call of its class: \`${callee.name}\` (${edge.file}:${edge.line})`,
    });
    return;
  }
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
