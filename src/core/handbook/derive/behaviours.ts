import type { ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import type { Candidate } from './candidates';
import type { Draft, Drafts } from './drafts';
import { withModelChain } from './modelChain';
import { byScore, type Cluster, clustersOf, draftOf, giveHomes, homeOf, type Part, settle } from './parts';
import type { Reach } from './reach';
import type { Relevance } from './relevance';
import type { Sources } from './sources';
import type { Step } from './steps';

export interface BehaviourInput {
  graph: ProgramGraph;
  reach: Reach;
  sources: Sources;
  relevance: Relevance;
  ranked: ReadonlyMap<UnitKind, readonly Candidate[]>;
  steps: readonly Step[];
  /** Regions outside the steps: limits, retries and handlers of functions the loop may run. */
  regions: readonly Part[];
}

/** Units of one kind; what comes after is filed with the rest of its class or file. */
const maximumUnits = 3;
/** How far below the best unit of a kind another one may be. */
const farBelow = 4;
/** Candidates of a kind that are looked at. */
const looked = 60;

/** Kinds about tools that are no tool. */
const plainTools = new Set<UnitKind>(['tool_registry', 'tool_dispatch']);

/** Weight of a region by its own text: limits and ends are regions nearly always, other kinds rarely are the answer. */
const regionWeight: Partial<Record<UnitKind, number>> = {
  limits: 3,
  termination: 3.4,
  stop: 2.6,
  format_error: 2.8,
  observation: 1.6,
  retry: 3,
  model_call: 2,
  truncation: 2,
  prompt_assembly: 0.2,
  subagents: 0.4,
  tool_dispatch: 1,
};

/**
 * Units of every behaviour except entry points, tools and texts: best places of each kind, joined along calls. Returns the
 * unit of every step.
 */
export function gatherBehaviours(drafts: Drafts, input: BehaviourInput): Map<Step, string> {
  const unitOf = new Map<Step, string>();
  const chosen: { draft: Draft; cluster: Cluster }[] = [];
  const kinds = new Set<UnitKind>([
    ...input.ranked.keys(),
    ...input.steps.map((step) => step.kind),
    ...input.regions.map((region) => region.kind),
  ]);
  for (const kind of [...kinds].sort()) {
    if (
      kind === 'main_loop' ||
      kind === 'entry' ||
      kind === 'other' ||
      (kind.startsWith('tool_') && !plainTools.has(kind))
    )
      continue;
    for (const cluster of choose(kind, input)) {
      const draft = draftOf(cluster, drafts, input.sources);
      chosen.push({ draft, cluster });
      for (const part of cluster.parts) {
        const step = part.order === undefined ? undefined : input.steps[part.order - 1];
        if (step) unitOf.set(step, draft.id);
      }
    }
  }
  gatherAround(drafts, input, unitOf);
  giveHomes(drafts, chosen);
  return unitOf;
}

/** What the loop's function does before the first round and after the last one, where it is no behaviour of its own. */
function gatherAround(drafts: Drafts, { steps, sources }: BehaviourInput, unitOf: Map<Step, string>): void {
  for (const step of steps) {
    if (step.kind !== 'loop_step' || step.phase === 'loop') continue;
    const { home, subject } = homeOf(step.node);
    const [title, stage] =
      step.phase === 'before' ? (['Before the loop', 'onset'] as const) : (['After the loop', 'finish'] as const);
    const draft = drafts.open('other', `${home}/${step.phase}`, subject, {
      title: `${title}: ${step.whole ? subject : step.node.qualname}`,
      stage,
      region: true,
    });
    draft.sites.push(sources.site(step.node.file, step.node.qualname, step.start, step.end));
    if (draft.reasons.length < 6) draft.reasons.push(step.reason);
    if (step.whole) drafts.adoptQuietly(draft, step.node.id);
    unitOf.set(step, draft.id);
  }
}

function choose(kind: UnitKind, input: BehaviourInput): Cluster[] {
  const parts: Part[] = (input.ranked.get(kind) ?? []).slice(0, looked).map(({ node, score, reason }) => ({
    kind,
    node,
    score,
    reason,
  }));
  parts.push(...input.regions.filter((region) => region.kind === kind));
  for (const part of stepParts(kind, input)) {
    const known = part.region ? undefined : parts.find((other) => !other.region && other.node === part.node);
    if (known) Object.assign(known, { order: part.order, stage: part.stage });
    else parts.push(part);
  }
  let clusters = clustersOf(kind, parts);
  if (kind === 'model_call') clusters = withModelChain(clusters, parts, input.ranked.get('model_call') ?? [], input);
  joinAlongCalls(clusters, input.graph);
  clusters.sort(byScore);
  const best = clusters[0]?.score ?? 0;
  return clusters.filter(
    (cluster, index) => (index < maximumUnits && cluster.score >= best - farBelow) || hasStep(cluster),
  );
}

function hasStep(cluster: Cluster): boolean {
  return cluster.parts.some((part) => part.order !== undefined);
}

function stepParts(kind: UnitKind, { steps, relevance }: BehaviourInput): Part[] {
  return steps.flatMap((step, index): Part[] => {
    if (step.kind !== kind || (kind === 'loop_step' && step.phase !== 'loop')) return [];
    const stage = step.phase === 'before' ? 'onset' : step.phase === 'after' ? 'finish' : 'loop';
    // Before the first round and after the last one nothing is limited or carried out.
    const weight = (regionWeight[kind] ?? 1.2) - (step.phase === 'loop' ? 0 : kind === 'prompt_assembly' ? -1.6 : 2);
    const shared = { kind, node: step.node, reason: step.reason, order: index + 1, stage } as const;
    if (step.whole) return [{ ...shared, score: 2 + 0.7 * relevance.of(step.node) }];
    const region = { start: step.start, end: step.end, detail: step.detail };
    return [{ ...shared, region, score: weight + 0.7 * relevance.of(step.node) }];
  });
}

function calleesOf(parts: readonly Part[], graph: ProgramGraph): Set<string> {
  return new Set(
    parts.flatMap(({ node, region }) =>
      graph
        .out(node.id, 'calls')
        .filter((edge) => !region || (edge.line >= region.start && edge.line <= region.end))
        .map((edge) => edge.to),
    ),
  );
}

/** A place that hands on to another place of its kind is one behaviour with it: `parse` and the parser it calls. */
function joinAlongCalls(clusters: Cluster[], graph: ProgramGraph): void {
  for (let index = 0; index < Math.min(clusters.length, 4); index++) {
    const cluster = clusters[index] as Cluster;
    const callees = calleesOf(cluster.parts.slice(0, 4), graph);
    const called = clusters.find(
      (other, at) =>
        at > index &&
        at < 12 &&
        cluster.parts.length + other.parts.length <= 10 &&
        other.parts.some((part) => !part.region && callees.has(part.node.id)),
    );
    if (!called) continue;
    cluster.parts.push(...called.parts.filter((part) => part.region || callees.has(part.node.id)).slice(0, 3));
    called.parts = called.parts.filter((part) => !cluster.parts.includes(part));
    if (called.parts.length === 0) clusters.splice(clusters.indexOf(called), 1);
    else settle(called);
    const { score } = cluster;
    cluster.score = Math.max(score, ...cluster.parts.map((part) => part.score));
  }
}
