import type { GraphEdge, GraphNode, ProgramGraph } from '../../graph';
import type { Sources } from './sources';
import { findSuspects, isRequest, type SuspectCall } from './suspects';

/** Cost of one hop: a call that several candidates may answer counts double. */
const certainHop = 1;
const uncertainHop = 2;
const nestedHop = 1.5;
/** A call that only looks like a boundary (nothing resolved it) counts as this far away. */
export const looksLikeHop = 1.5;
const maximumCost = 14;
/** A hook starts programs of the user's own around an action; it does not carry the action out. */
const hookCost = 5;
const hookName = /hook/i;

/** How far every function is, over calls, from the model and from the place where actions are carried out. */
export interface Reach {
  model: ReadonlyMap<string, number>;
  execution: ReadonlyMap<string, number>;
  /** Functions that themselves cross the boundary (certain), and where. */
  modelSites: ReadonlyMap<string, GraphEdge[]>;
  executionSites: ReadonlyMap<string, GraphEdge[]>;
  /** Calls of a function: resolved ones to functions of the harness. */
  calls(id: string): readonly GraphEdge[];
  /** What leads to a function over calls, with the cost of the way. */
  leadingTo(id: string): ReadonlyMap<string, number>;
  /** Calls that look like a boundary, by function. */
  suspects: ReadonlyMap<string, readonly SuspectCall[]>;
}

/** Distances to both boundaries; the source text helps where the graph could not resolve a call. */
export function computeReach(graph: ProgramGraph, sources: Sources): Reach {
  const modelSites = new Map<string, GraphEdge[]>();
  const executionSites = new Map<string, GraphEdge[]>();
  const modelStart = new Map<string, number>();
  const executionStart = new Map<string, number>();
  for (const edge of graph.data.edges) {
    const target = graph.node(edge.to);
    if (target?.kind !== 'boundary') continue;
    if (target.boundary === 'model') append(modelSites, modelStart, edge);
    else if (target.boundary === 'process') append(executionSites, executionStart, edge);
  }
  for (const id of executionStart.keys()) {
    const node = graph.node(id);
    if (node && hookName.test(`${node.file}#${node.qualname}`)) executionStart.set(id, hookCost);
  }
  for (const edge of graph.data.edges) {
    // A tool's implementation is where an action is carried out, also when it only touches files.
    if (edge.kind === 'implements-tool') executionStart.set(edge.to, Math.min(executionStart.get(edge.to) ?? 9, 0.5));
  }
  const calls = callIndex(graph);
  const suspects = findSuspects(graph, sources);
  for (const [from, list] of suspects) {
    for (const call of list) {
      const starts =
        call.kind === 'agent' ? [modelStart, executionStart] : [call.kind === 'model' ? modelStart : executionStart];
      for (const start of starts) if (!start.has(from)) start.set(from, looksLikeHop);
    }
  }
  const callers = callersOf(calls);
  addHiddenRequests(calls, spread(modelStart, callers), modelStart, suspects);
  return {
    model: spread(modelStart, callers),
    execution: spread(executionStart, callers),
    modelSites,
    executionSites,
    calls: (id) => calls.get(id) ?? [],
    leadingTo: (id) => spread(new Map([[id, 0]]), callers),
    suspects,
  };
}

/**
 * Requests to an interface of which only wrappers are in the repository, as the client that sends them comes from a library:
 * none of the implementations leads to a model, but the call says what it is.
 */
function addHiddenRequests(
  calls: ReadonlyMap<string, readonly GraphEdge[]>,
  model: ReadonlyMap<string, number>,
  start: Map<string, number>,
  suspects: Map<string, SuspectCall[]>,
): void {
  for (const [from, edges] of calls) {
    for (const edge of edges) {
      if (edge.certain !== false || start.has(from) || !isRequest(edge.text ?? '')) continue;
      if (edges.some((other) => other.line === edge.line && model.has(other.to))) continue;
      start.set(from, looksLikeHop);
      const call: SuspectCall = { kind: 'model', file: edge.file, line: edge.line, text: edge.text ?? '' };
      suspects.set(from, [...(suspects.get(from) ?? []), call]);
    }
  }
}

function append(sites: Map<string, GraphEdge[]>, start: Map<string, number>, edge: GraphEdge): void {
  sites.set(edge.from, [...(sites.get(edge.from) ?? []), edge]);
  start.set(edge.from, 0);
}

/** Calls and constructor calls between functions, and nested functions, in source order. */
function callIndex(graph: ProgramGraph): Map<string, GraphEdge[]> {
  const calls = new Map<string, GraphEdge[]>();
  for (const edge of graph.data.edges) {
    if (edge.kind !== 'calls' && !(edge.kind === 'contains' && isFunction(graph.node(edge.from)))) continue;
    const target = graph.node(edge.to);
    if (!isFunction(target) || edge.from === edge.to) continue;
    const list = calls.get(edge.from);
    if (list) list.push(edge);
    else calls.set(edge.from, [edge]);
  }
  for (const list of calls.values()) list.sort((a, b) => a.line - b.line);
  return calls;
}

/** A node that has a body of statements. */
export type FunctionNode = GraphNode & { kind: 'function' | 'method' };

export function isFunction(node: GraphNode | undefined): node is FunctionNode {
  return node?.kind === 'function' || node?.kind === 'method';
}

/** Cost of following a call edge. */
export function hopCost(edge: GraphEdge): number {
  if (edge.kind === 'contains') return nestedHop;
  return edge.certain === false ? uncertainHop : certainHop;
}

function callersOf(calls: ReadonlyMap<string, readonly GraphEdge[]>): Map<string, GraphEdge[]> {
  const callers = new Map<string, GraphEdge[]>();
  for (const list of calls.values()) {
    for (const edge of list) {
      const known = callers.get(edge.to);
      if (known) known.push(edge);
      else callers.set(edge.to, [edge]);
    }
  }
  return callers;
}

/** Cheapest cost to a start, against the direction of calls. */
function spread(
  starts: ReadonlyMap<string, number>,
  callers: ReadonlyMap<string, readonly GraphEdge[]>,
): Map<string, number> {
  return cheapestCosts(starts, maximumCost, (id) =>
    (callers.get(id) ?? []).map((edge) => ({ to: edge.from, cost: hopCost(edge) })),
  );
}

/** Cheapest cost of everything within `most` of the starts (Dijkstra with buckets of half steps). */
export function cheapestCosts(
  starts: ReadonlyMap<string, number>,
  most: number,
  hopsFrom: (id: string) => readonly { to: string; cost: number }[],
): Map<string, number> {
  const costs = new Map<string, number>();
  const buckets: string[][] = Array.from({ length: most * 2 + 1 }, () => []);
  for (const [id, cost] of starts) buckets[Math.round(cost * 2)]?.push(id);
  for (let step = 0; step < buckets.length; step++) {
    const bucket = buckets[step] as string[];
    for (let at = 0; at < bucket.length; at++) {
      const id = bucket[at] as string;
      if (costs.has(id)) continue;
      costs.set(id, step / 2);
      for (const { to, cost } of hopsFrom(id)) if (!costs.has(to)) buckets[step + Math.round(cost * 2)]?.push(to);
    }
  }
  return costs;
}

/** Functions that some functions may run, themselves included, with no limit on depth. */
export function reachedFrom(starts: readonly string[], reach: Reach): Set<string> {
  const reached = new Set(starts);
  const queue = [...reached];
  for (let at = 0; at < queue.length; at++) {
    for (const edge of reach.calls(queue[at] as string)) {
      if (reached.has(edge.to)) continue;
      reached.add(edge.to);
      queue.push(edge.to);
    }
  }
  return reached;
}
