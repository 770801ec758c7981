import type { GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import { type Claim, claimsOf } from './classify';
import { signalsOf } from './kindSignals';
import type { Reach } from './reach';
import type { Relevance } from './relevance';
import type { Scope } from './scope';
import type { Sources } from './sources';

/** A function that may be a behaviour, with what speaks for it and where it stands put together. */
export interface Candidate {
  node: GraphNode;
  kind: UnitKind;
  score: number;
  reason: string;
}

/** How much nearness to the loop says about a kind; configuration and instructions are read far from it. */
const placeWeight: Partial<Record<UnitKind, number>> = {
  config_load: 0.35,
  memory_files: 0.5,
  tool_registry: 0.6,
  trajectory: 0.6,
};

/** Score below which a candidate is not worth naming, where a kind has no own least. */
export const leastScore = 3.2;

export interface CandidateInput {
  graph: ProgramGraph;
  reach: Reach;
  sources: Sources;
  scope: Scope;
}

/** What every function says of itself; made once, before the loop is known. */
export function allClaims({ graph, reach, sources, scope }: CandidateInput): Map<string, Claim[]> {
  const claims = new Map<string, Claim[]>();
  for (const node of graph.functions()) {
    if (!scope.isInside(node.file) || node.test || isDeclaration(node, sources)) continue;
    const own = claimsOf(node, graph, reach, sources);
    if (own.length > 0) claims.set(node.id, own);
  }
  return claims;
}

/** A method of a trait without a body: whoever implements it does the work. */
function isDeclaration(node: GraphNode, sources: Sources): boolean {
  if (!node.file.endsWith('.rs')) return false;
  const text = sources.text(node.file, node.start, node.end);
  return !text.includes('{') && text.trimEnd().endsWith(';');
}

/** Candidates of every kind, best first: claims weighed by where the function stands. */
export function rankCandidates(
  claims: ReadonlyMap<string, readonly Claim[]>,
  relevance: Relevance,
  { graph, reach }: CandidateInput,
): Map<UnitKind, Candidate[]> {
  const ranked = new Map<UnitKind, Candidate[]>();
  for (const [id, own] of claims) {
    // The loop as a whole is itself; other behaviours are regions of it.
    if (id === relevance.loop) continue;
    const node = graph.node(id) as GraphNode;
    const worth = relevance.of(node);
    for (const claim of own) {
      // What hardly anything speaks for is not made a behaviour by its neighbours.
      const weight = (placeWeight[claim.kind] ?? 0.7) * (claim.score < 2 && worth > 0 ? 0.6 : 1);
      const score = claim.score + weight * worth + situation(claim.kind, node, graph, reach, relevance);
      if (score < (signalsOf.get(claim.kind)?.least ?? leastScore)) continue;
      const list = ranked.get(claim.kind) ?? [];
      list.push({ node, kind: claim.kind, score, reason: claim.reason });
      ranked.set(claim.kind, list);
    }
  }
  for (const list of ranked.values()) list.sort((a, b) => b.score - a.score || (a.node.id < b.node.id ? -1 : 1));
  return ranked;
}

/** What the graph around a function says for or against one kind. */
function situation(kind: UnitKind, node: GraphNode, graph: ProgramGraph, reach: Reach, relevance: Relevance): number {
  const toModel = reach.model.get(node.id);
  switch (kind) {
    case 'exec_boundary':
      return relevance.fromLoop(node.id) === undefined ? -1 : 0.5;
    case 'model_call':
      // Where nothing turns, whoever asks a model is what the repository is about.
      return relevance.fromLoop(node.id) === undefined && relevance.loop !== undefined ? -1.5 : 0.5;
    case 'retry':
    case 'accounting':
      // Around the request or in its answer: where a call of the model is near.
      return (toModel !== undefined && toModel <= 3 ? 0.6 : 0) + variantLoss(node);
    case 'compaction':
      return toModel !== undefined && toModel <= 4 ? 0.6 : 0;
    case 'trajectory':
      return writesFiles(node, graph) ? 0.5 : 0;
    case 'config_load':
      return (
        (readsFiles(node, graph) ? 0.5 : 0) +
        ((relevance.fromEntry(node.id) ?? 9) <= 3 ? 1 : 0) -
        (isAccessor(node, graph) ? 1.5 : 0)
      );
    case 'subagents':
      // What the loop runs and what runs the loop again is an agent inside an agent.
      return relevance.fromLoop(node.id) !== undefined && relevance.toLoop(node.id) !== undefined ? 1.5 : 0;
    case 'tool_dispatch':
      return (reach.execution.get(node.id) === undefined ? -1.5 : 0.3) + variantLoss(node);
    default:
      return variantLoss(node);
  }
}

/** One of many variants of a client speaks for itself only. */
function variantLoss(node: GraphNode): number {
  return /(^|\/)_?(?:providers?|llms?|backends?|vendors?|integrations?|adapters?|oauth)\//.test(node.file) ? -1 : 0;
}

/** A short getter, which hands out what something else has read. */
function isAccessor(node: GraphNode, graph: ProgramGraph): boolean {
  return /^_?get(?:_|[A-Z])/.test(node.name) && node.end - node.start < 10 && !readsFiles(node, graph);
}

function writesFiles(node: GraphNode, graph: ProgramGraph): boolean {
  return graph
    .out(node.id, 'calls')
    .some((edge) => graph.node(edge.to)?.boundary === 'filesystem' && /write|append|dump|open/i.test(edge.text ?? ''));
}

function readsFiles(node: GraphNode, graph: ProgramGraph): boolean {
  return graph.out(node.id, 'calls').some((edge) => graph.node(edge.to)?.boundary === 'filesystem');
}

/** The kind a function is taken for where one has to do: its best claim, weighed like a candidate. */
export interface Classified {
  kind: UnitKind;
  strength: number;
  reason: string;
}

/** Best kind of every function that has a claim. */
export function bestKinds(claims: ReadonlyMap<string, readonly Claim[]>): Map<string, Classified> {
  const kinds = new Map<string, Classified>();
  for (const [id, [first]] of claims) {
    if (first) kinds.set(id, { kind: first.kind, strength: first.score >= 2 ? 2 : 1, reason: first.reason });
  }
  return kinds;
}
