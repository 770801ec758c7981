import type { GraphEdge, GraphNode, ProgramGraph } from '../../graph';
import { wordsOf } from '../vocabulary';
import type { Candidate } from './candidates';
import { type Cluster, homeOf, type Part, settle } from './parts';
import type { Reach } from './reach';
import type { Relevance } from './relevance';

export interface ChainInput {
  graph: ProgramGraph;
  reach: Reach;
  relevance: Relevance;
}

/** Longest way from the loop to the place that leaves the harness that is told step by step. */
const longest = 8;
/** Names of the way the turn goes. */
const asks =
  /\b(?:send|ask|query|chat|complete|completion|generate\w*|stream\w*|sample|infer\w*|call (?:model|llm|api)|api call|turn|message stream|request)\b/;
/** Names of what also asks a model, for something else than the next turn. */
const asksAside =
  /\b(?:rout(?:e|er|ing)|classif\w*|summar\w*|compact\w*|compress\w*|condens\w*|titles?|count|counter|embed\w*|recover\w*|check|checker|detect\w*|loop|judge|review|validat\w*|title|correct\w*|fix|fixer|hook|cost|json|usage)\b/;
const asideCost = 3;

/** The way of the request from the loop to the place that leaves the harness is one behaviour. */
export function withModelChain(
  clusters: Cluster[],
  parts: readonly Part[],
  candidates: readonly Candidate[],
  input: ChainInput,
): Cluster[] {
  const steps = parts.filter((part) => part.order !== undefined && part.stage === 'loop');
  const named = new Set(candidates.map((candidate) => candidate.node.id));
  const chain = bestChain(steps, named, input);
  const last = chain.at(-1);
  if (!last) return clusters;
  const home = homeOf(last);
  const cluster = clusters.find((other) => other.home === home.home) ?? {
    kind: 'model_call',
    ...home,
    parts: [],
    score: 0,
  };
  const rest = clusters.filter((other) => other !== cluster && !other.parts.some((part) => steps.includes(part)));
  const joined = [cluster, ...clusters.filter((other) => other !== cluster && !rest.includes(other))];
  const all = joined.flatMap((other) => other.parts);
  for (const [index, node] of chain.entries()) {
    if (all.some((part) => !part.region && part.node === node)) continue;
    const reason = `on the way from the loop to the model (${node.file}:${node.start})`;
    all.push({ kind: 'model_call', node, score: 5 + index * 0.2, reason });
  }
  const top = Math.max(...all.map((part) => part.score));
  for (const part of all) if (part.node === last && !part.region) part.score = top + 0.5;
  const whole: Cluster = { ...cluster, parts: all, score: 0 };
  settle(whole);
  return [whole, ...rest];
}

/** The way that starts at the step which asks for the next turn: of several, the one that no other purpose is named for. */
function bestChain(steps: readonly Part[], named: ReadonlySet<string>, input: ChainInput): GraphNode[] {
  let best: { chain: GraphNode[]; aside: number } | undefined;
  for (const step of steps) {
    const chain = chainFrom(step, named, input);
    if (chain.length === 0) continue;
    const aside = [step.node, ...chain].filter((node) => isAside(node)).length;
    if (!best || aside < best.aside) best = { chain, aside };
  }
  return best?.chain ?? [];
}

function chainFrom(step: Part, named: ReadonlySet<string>, input: ChainInput): GraphNode[] {
  const chain: GraphNode[] = [];
  const seen = new Set<string>();
  let next = nearestToModel(step.node.id, input, seen, named, step.region ?? step.node);
  while (next && chain.length < longest) {
    seen.add(next.id);
    chain.push(next);
    next = nearestToModel(next.id, input, seen, named);
  }
  return chain;
}

function isAside(node: GraphNode): boolean {
  const owner = node.qualname.split('.').slice(-2).join(' ');
  return asksAside.test(wordsOf(owner).join(' '));
}

function nearestToModel(
  from: string,
  { reach, graph, relevance }: ChainInput,
  seen: ReadonlySet<string>,
  named: ReadonlySet<string>,
  range?: { start: number; end: number },
): GraphNode | undefined {
  if (!range && reach.modelSites.has(from)) return undefined;
  let best: { node: GraphNode; cost: number } | undefined;
  for (const edge of reach.calls(from)) {
    if (range && (edge.line < range.start || edge.line > range.end)) continue;
    const node = graph.node(edge.to);
    const far = reach.model.get(edge.to);
    if (!node || far === undefined || seen.has(edge.to)) continue;
    const cost = far - 0.5 * relevance.of(node) - (named.has(edge.to) ? 1.5 : 0) + purposeCost(node, edge);
    if (!best || cost < best.cost) best = { node, cost };
  }
  // A client behind a property asks here; what is called from here too may ask for something else.
  const asksHere = !range && reach.suspects.get(from)?.some((call) => call.kind === 'model') === true;
  return best && asksHere && isAside(best.node) ? undefined : best?.node;
}

function purposeCost(node: GraphNode, edge: GraphEdge): number {
  if (edge.kind === 'contains') return 0.5;
  if (isAside(node)) return asideCost;
  return asks.test(wordsOf(node.name).join(' ')) ? -1 : 0;
}
