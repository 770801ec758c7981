import { type ArtifactFacts, type GraphLists, linkArtifacts, remembered } from './artifacts';
import type { GraphCounts } from './indexStats';
import { joinLibraryLoops } from './linker/libraryLoops';
import type { LinkedFile } from './linker/link';
import type { CallCounts } from './linker/resolveCalls';
import { flat } from './lists';
import type { GraphData, GraphEdge, GraphFile, GraphNode } from './model';
import { NodeIndex } from './nodeIndex';

export interface Joined {
  data: GraphData;
  counts: GraphCounts;
  /** Edges that rest on all files together, and not on one. */
  made: GraphEdge[];
  /** Ids of keys, which several files may have. */
  keys: string[];
}

/**
 * Joins what single files gave to one graph.
 *
 * @param index is brought up to date; one that has the nodes of the graph before makes it quick
 */
export function joinFiles(
  root: string,
  files: readonly GraphFile[],
  linked: ReadonlyMap<string, LinkedFile>,
  artifacts: readonly ArtifactFacts[],
  index = new NodeIndex(),
): Joined {
  const code = [...linked.values()];
  const lists: GraphLists = {
    files: [...files],
    ids: index.ids,
    nodes: [...code.map(({ nodes }) => nodes[0]), ...code.map(({ nodes }) => nodes[1])],
    shared: sharedNodes(code),
    edges: [0, 1, 2].flatMap((part) => code.map(({ edges }) => edges[part]!)),
    literals: code.map(({ literals }) => literals),
    artifacts: { nodes: [], literals: artifacts.map(({ literals }) => literals) },
  };
  const fileNodes = files.map(fileNode);
  const indexed = () => index.update([fileNodes, ...lists.nodes, lists.shared, lists.artifacts.nodes]);
  indexed();
  const loops = joinLibraryLoops(lists, flat(code.map((file) => file.loops)));
  lists.edges.push(loops, ...artifacts.map(({ edges }) => edges));
  const own = artifacts.flatMap(({ edges }) => edges);
  lists.artifacts.nodes = nodesOfArtifacts(index, artifacts);
  indexed();
  const keys = keysIn([lists.shared, lists.artifacts.nodes]);
  const found = linkArtifacts(lists);
  lists.edges.push(found);
  const made = [...loops, ...own, ...found];
  dropEmptyFiles(lists, linked, made);
  const left = new Set(lists.files.map(({ path }) => path));
  const nodesOfFiles = fileNodes.filter(({ file }) => left.has(file));
  index.update([nodesOfFiles, ...lists.nodes, lists.shared, lists.artifacts.nodes]);
  const data: Required<GraphData> = {
    root,
    files: lists.files,
    nodes: flat([nodesOfFiles, ...lists.nodes, lists.shared, lists.artifacts.nodes]),
    edges: flat(lists.edges),
    literals: flat([...lists.literals, ...lists.artifacts.literals]),
    unresolved: flat(code.map(({ unresolved }) => unresolved)),
    libraryCalls: flat(code.map(({ libraryCalls }) => libraryCalls)),
  };
  return { data, counts: { ...callCounts(code), ...countsOf(lists) }, made, keys };
}

/** What several files have, such as a boundary: the first of them gives the node. */
function sharedNodes(linked: readonly LinkedFile[]): GraphNode[] {
  const shared = new Map<string, GraphNode>();
  for (const { nodes } of linked) for (const node of nodes[2]) if (!shared.has(node.id)) shared.set(node.id, node);
  return [...shared.values()];
}

/** Each node once; a key or tool that code names too keeps the node of the code. */
function nodesOfArtifacts({ ids }: NodeIndex, artifacts: readonly ArtifactFacts[]): GraphNode[] {
  const added = new Map<string, GraphNode>();
  for (const { nodes } of artifacts)
    for (const node of nodes) if (!added.has(node.id) && !ids.has(node.id)) added.set(node.id, node);
  return [...added.values()];
}

function fileNode({ path, lines }: GraphFile): GraphNode {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { id: path, kind: 'file', name, qualname: '', file: path, start: 1, end: Math.max(1, lines) };
}

const keysIn = remembered((nodes: readonly GraphNode[]) =>
  nodes.flatMap(({ kind, id }) => (kind === 'config' ? id : [])),
);

/** Text files of which nothing is left in the graph are no part of the harness. */
function dropEmptyFiles(lists: GraphLists, code: ReadonlyMap<string, unknown>, edges: readonly GraphEdge[]): void {
  const empty = new Set(lists.files.flatMap(({ path }) => (code.has(path) ? [] : path)));
  for (const { file } of [...lists.shared, ...lists.artifacts.nodes]) empty.delete(file);
  // A file that describes a tool another file describes too, or a script that runs one, has an edge but no other node.
  for (const { from, to } of edges) for (const end of [from, to]) empty.delete(end);
  if (empty.size > 0) lists.files = lists.files.filter(({ path }) => !empty.has(path));
}

function callCounts(code: readonly LinkedFile[]): CallCounts {
  const counts: CallCounts = { calls: 0, resolved: 0, external: 0, unresolved: 0 };
  for (const file of code)
    for (const kind of ['calls', 'resolved', 'external', 'unresolved'] as const) counts[kind] += file.counts[kind];
  return counts;
}

function countsOf(
  lists: GraphLists,
): Pick<GraphCounts, 'files' | 'functions' | 'classes' | 'filesWithErrors' | 'perLanguage'> {
  const perLanguage: GraphCounts['perLanguage'] = {};
  const languageOf = new Map(lists.files.map((file) => [file.path, file.language]));
  for (const { language, lines } of lists.files) {
    perLanguage[language] ??= { files: 0, functions: 0, lines: 0 };
    perLanguage[language].files += 1;
    perLanguage[language].lines += lines;
  }
  let functions = 0;
  let classes = 0;
  for (const counted of definitions([...lists.nodes, lists.shared, lists.artifacts.nodes])) {
    classes += counted.classes;
    functions += counted.functions;
    const language = languageOf.get(counted.file);
    if (language) perLanguage[language]!.functions += counted.functions;
  }
  const filesWithErrors = lists.files.filter((file) => file.parseErrors > 0).length;
  return { files: lists.files.length, functions, classes, filesWithErrors, perLanguage };
}

/** How many functions and classes a list has of each file. */
const definitions = remembered((nodes: readonly GraphNode[]) => {
  const found = new Map<string, { file: string; functions: number; classes: number }>();
  for (const { kind, file } of nodes) {
    if (kind !== 'class' && kind !== 'function' && kind !== 'method') continue;
    const counted = found.get(file) ?? { file, functions: 0, classes: 0 };
    counted[kind === 'class' ? 'classes' : 'functions'] += 1;
    found.set(file, counted);
  }
  return [...found.values()];
});
