import type { GraphEdge, GraphNode, ProgramGraph } from '../../graph';
import type { Entry } from './entries';
import type { FoundLoop } from './loops';
import { cheapestCosts, hopCost, type Reach } from './reach';
import type { Scope } from './scope';
import type { Sources } from './sources';

const roleWorth = { harness: 0, aside: -2.5, example: -4, interface: -2, outside: -9 } as const;
const farthest = 12;
/** Code of another program in the same repository. */
const otherProgramWorth = -2;

/** How much a place has to do with a run of the harness, from what surrounds it and not from what it is called. */
export interface Relevance {
  /** About -9 to 6; larger is nearer to the agent loop. */
  of(node: GraphNode): number;
  ofFile(file: string): number;
  /** Calls from the loop down to a function, weighted; undefined when it is not reached. */
  fromLoop(id: string): number | undefined;
  /** Calls from a function back to the loop, weighted; undefined when none lead there. */
  toLoop(id: string): number | undefined;
  /** Calls from the nearest entry point, weighted. */
  fromEntry(id: string): number | undefined;
  /** Id of the function of the first loop. */
  loop: string | undefined;
  /** Functions on the way from an entry point to the loop, the loop included. */
  onPath: ReadonlySet<string>;
}

export interface RelevanceInput {
  graph: ProgramGraph;
  reach: Reach;
  sources: Sources;
  scope: Scope;
  entries: readonly Entry[];
  loops: readonly FoundLoop[];
  /** Files of other programs of the repository. */
  isApart: (file: string) => boolean;
}

export function computeRelevance(input: RelevanceInput): Relevance {
  const { graph, reach, sources, scope, loops, entries } = input;
  const loop = loops[0]?.node;
  const costs = loop
    ? costsFrom([loop.id], reach)
    : costsFrom(
        entries.map((entry) => entry.id),
        reach,
      );
  const firstEntries = entries
    .slice(0, 2)
    .flatMap((entry) => [entry.id, ...graph.out(entry.id, 'calls').map((edge) => edge.to)]);
  const entryCosts = costsFrom(firstEntries, reach);
  const onPath = pathToLoop(input);
  const back = loop ? reach.leadingTo(loop.id) : new Map<string, number>();
  const fileWorth = new Map<string, number>();
  const pathFiles = new Set([...onPath].map((id) => graph.node(id)?.file ?? ''));
  const reachedBy = new Map<string, number>();
  for (const [id, cost] of costs) {
    const file = graph.node(id)?.file ?? '';
    reachedBy.set(file, Math.min(reachedBy.get(file) ?? farthest, cost));
  }
  const defaults = defaultWords(graph, sources);
  const ofFile = (file: string): number => {
    const known = fileWorth.get(file);
    if (known !== undefined) return known;
    let worth: number = roleWorth[scope.role(file)];
    if (loop) worth += nearness(file, loop.file);
    if (input.isApart(file)) worth += otherProgramWorth;
    if (pathFiles.has(file)) worth += 1;
    worth += Math.max(0, 1.6 - 0.25 * (reachedBy.get(file) ?? farthest));
    fileWorth.set(file, worth);
    return worth;
  };
  return {
    ofFile,
    loop: loop?.id,
    onPath,
    fromEntry: (id) => entryCosts.get(id),
    fromLoop: (id) => costs.get(id),
    toLoop: (id) => back.get(id),
    of: (node) => {
      let worth = ofFile(node.file);
      const cost = costs.get(node.id);
      if (cost !== undefined) worth += Math.max(0, 2 - 0.25 * cost);
      if (onPath.has(node.id)) worth += 0.5;
      worth += bodyWorth(node, sources);
      worth += Math.min(0.6, 0.15 * graph.in(node.id, 'calls').length);
      const owner = node.qualname.slice(0, Math.max(0, node.qualname.lastIndexOf('.')));
      if (owner && graph.in(`${node.file}#${owner}`, 'inherits').length > 0) worth += 0.4;
      if (isDefault(node, defaults)) worth += 0.8;
      return worth;
    },
  };
}

/** Cheapest cost over calls from some functions, as far as it matters. */
function costsFrom(starts: readonly string[], reach: Reach): Map<string, number> {
  // A closure runs as part of the function around it.
  const hop = (edge: GraphEdge) => (edge.kind === 'contains' ? 0.5 : hopCost(edge));
  return cheapestCosts(new Map(starts.map((id) => [id, 0])), farthest, (id) =>
    reach.calls(id).map((edge) => ({ to: edge.to, cost: hop(edge) })),
  );
}

/** Same file, folder or package as the loop. */
function nearness(file: string, loop: string): number {
  if (file === loop) return 2;
  const [a, b] = [file.split('/'), loop.split('/')];
  let shared = 0;
  while (shared < Math.min(a.length, b.length) - 1 && a[shared] === b[shared]) shared++;
  const folder = b.length - 1;
  if (shared === folder && a.length === b.length) return 1;
  return folder === 0 ? 0 : (0.8 * shared) / folder;
}

/** What a body says about itself: stubs and one-liners explain little. */
function bodyWorth(node: GraphNode, sources: Sources): number {
  const size = node.end - node.start + 1;
  if (size <= 12) {
    const text = sources.text(node.file, node.start, node.end);
    if (/raise NotImplementedError|^\s*(?:\.\.\.|pass)\s*$|throw new Error\(['"`]not implemented/im.test(text))
      return -2.5;
  }
  if (size <= 3) return -0.6;
  return Math.min(0.8, Math.log2(size / 8) * 0.25);
}

/** Words of names that code or configuration calls the default: the variant that runs when nobody chooses. */
function defaultWords(graph: ProgramGraph, sources: Sources): Set<string> {
  const words = new Set<string>();
  for (const file of graph.data.files) {
    for (const line of sources.lines(file.path)) {
      if (line.length > 240 || !/default/i.test(line)) continue;
      for (const match of line.matchAll(/default\w*\s*(?:[:=(]|\?\?|\|\|)\s*['"]?([A-Za-z_][\w.-]{2,40})/gi))
        words.add(normal(match[1] as string));
    }
  }
  for (const plain of [
    'none',
    'null',
    'undefined',
    'true',
    'false',
    'str',
    'string',
    'list',
    'dict',
    'field',
    'lambda',
  ])
    words.delete(plain);
  return words;
}

function isDefault(node: GraphNode, defaults: ReadonlySet<string>): boolean {
  const stem = node.file.slice(node.file.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const owner = node.qualname.split('.')[0] ?? '';
  const folder = node.file.split('/').at(-2) ?? '';
  return [owner, stem, folder].some((name) => defaults.has(normal(name))) || /^_?default[A-Z_]/.test(owner);
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Functions on the shortest way of calls from an entry point to the first loop, the loop included. */
function pathToLoop({ entries, loops, reach, graph }: RelevanceInput): Set<string> {
  const goal = loops[0]?.node.id;
  if (!goal) return new Set();
  const cameFrom = new Map<string, string>();
  const queue: string[] = [];
  const starts = new Set<string>();
  for (const entry of entries) {
    for (const id of [entry.id, ...graph.out(entry.id, 'calls').map((edge) => edge.to)]) {
      if (!starts.has(id)) queue.push(id);
      starts.add(id);
    }
  }
  for (let at = 0; at < queue.length; at++) {
    const id = queue[at] as string;
    if (id === goal) break;
    for (const edge of reach.calls(id)) {
      if (starts.has(edge.to) || cameFrom.has(edge.to)) continue;
      cameFrom.set(edge.to, id);
      queue.push(edge.to);
    }
  }
  const path = new Set<string>([goal]);
  for (let id = cameFrom.get(goal); id !== undefined; id = cameFrom.get(id)) path.add(id);
  return path;
}
