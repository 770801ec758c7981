import { type ArtifactFacts, linkArtifacts } from './artifacts';
import type { GraphCounts } from './indexStats';
import { joinLibraryLoops } from './linker/libraryLoops';
import type { LinkedFile } from './linker/link';
import type { CallCounts } from './linker/resolveCalls';
import type { GraphData, GraphEdge, GraphFile, GraphNode, LiteralFact } from './model';

export interface Joined {
  data: GraphData;
  counts: GraphCounts;
  /** Edges that rest on all files together, and not on one. */
  made: GraphEdge[];
}

/** Joins what single files gave to one graph. */
export function joinFiles(
  root: string,
  files: readonly GraphFile[],
  linked: ReadonlyMap<string, LinkedFile>,
  artifacts: readonly ArtifactFacts[],
): Joined {
  const data: Required<GraphData> = {
    root,
    files: [...files],
    nodes: files.map(fileNode),
    edges: [],
    literals: [],
    unresolved: [],
    libraryCalls: [],
  };
  const lists: { nodes: GraphNode[][]; edges: GraphEdge[][]; literals: LiteralFact[][] } = {
    nodes: [],
    edges: [],
    literals: [],
  };
  const counts: CallCounts = { calls: 0, resolved: 0, external: 0, unresolved: 0 };
  for (const part of [0, 1, 2] as const) {
    for (const { nodes, edges } of linked.values()) {
      if (part < 2) lists.nodes.push(nodes[part]);
      lists.edges.push(edges[part]);
    }
  }
  lists.nodes.push(sharedNodes(linked));
  for (const list of lists.nodes) appendAll(data.nodes, list);
  for (const list of lists.edges) appendAll(data.edges, list);
  for (const file of linked.values()) {
    lists.literals.push(file.literals);
    appendAll(data.literals, file.literals);
    appendAll(data.unresolved, file.unresolved);
    appendAll(data.libraryCalls, file.libraryCalls);
    for (const kind of ['calls', 'resolved', 'external', 'unresolved'] as const) counts[kind] += file.counts[kind];
  }
  const own = data.edges.length;
  joinLibraryLoops(
    data,
    [...linked.values()].flatMap(({ loops }) => loops),
  );
  const made = data.edges.slice(own);
  for (const edge of made) lists.edges.push([edge]);
  lists.nodes.push(joinArtifacts(data, artifacts));
  for (const artifact of artifacts) {
    lists.edges.push(artifact.edges);
    lists.literals.push(artifact.literals);
    appendAll(data.edges, artifact.edges);
    appendAll(made, artifact.edges);
    appendAll(data.literals, artifact.literals);
  }
  const found = linkArtifacts(data, lists);
  appendAll(data.edges, found);
  appendAll(made, found);
  dropEmptyFiles(data, linked, made);
  return { data, counts: { ...counts, ...countsOf(data) }, made };
}

/** What several files have, such as a boundary: the first of them gives the node. */
function sharedNodes(linked: ReadonlyMap<string, LinkedFile>): GraphNode[] {
  const shared = new Map<string, GraphNode>();
  for (const { nodes } of linked.values())
    for (const node of nodes[2]) if (!shared.has(node.id)) shared.set(node.id, node);
  return [...shared.values()];
}

/** Adds the nodes of artifacts to the graph, and gives them. */
function joinArtifacts(data: GraphData, artifacts: readonly ArtifactFacts[]): GraphNode[] {
  const added = new Map<string, GraphNode>();
  for (const { nodes } of artifacts) for (const node of nodes) if (!added.has(node.id)) added.set(node.id, node);
  // A key or tool that code names too keeps the node of the code.
  for (const { id } of data.nodes) added.delete(id);
  const nodes = [...added.values()];
  appendAll(data.nodes, nodes);
  return nodes;
}

function fileNode({ path, lines }: GraphFile): GraphNode {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { id: path, kind: 'file', name, qualname: '', file: path, start: 1, end: Math.max(1, lines) };
}

function appendAll<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}

/** Text files of which nothing is left in the graph are no part of the harness. */
function dropEmptyFiles(data: GraphData, code: ReadonlyMap<string, unknown>, edges: readonly GraphEdge[]): void {
  const empty = new Set(data.files.flatMap(({ path }) => (code.has(path) ? [] : path)));
  for (const node of data.nodes) if (node.kind !== 'file') empty.delete(node.file);
  // A file that describes a tool another file describes too, or a script that runs one, has an edge but no other node.
  for (const { from, to } of edges) for (const end of [from, to]) empty.delete(end);
  if (empty.size === 0) return;
  data.files = data.files.filter((file) => !empty.has(file.path));
  data.nodes = data.nodes.filter((node) => node.kind !== 'file' || !empty.has(node.file));
}

function countsOf(
  data: GraphData,
): Pick<GraphCounts, 'files' | 'functions' | 'classes' | 'filesWithErrors' | 'perLanguage'> {
  const perLanguage: GraphCounts['perLanguage'] = {};
  const languageOf = new Map(data.files.map((file) => [file.path, file.language]));
  for (const { language, lines } of data.files) {
    perLanguage[language] ??= { files: 0, functions: 0, lines: 0 };
    perLanguage[language].files += 1;
    perLanguage[language].lines += lines;
  }
  let functions = 0;
  let classes = 0;
  for (const node of data.nodes) {
    if (node.kind === 'class') classes += 1;
    if (node.kind !== 'function' && node.kind !== 'method') continue;
    functions += 1;
    const language = languageOf.get(node.file);
    if (language) perLanguage[language]!.functions += 1;
  }
  const filesWithErrors = data.files.filter((file) => file.parseErrors > 0).length;
  return { files: data.files.length, functions, classes, filesWithErrors, perLanguage };
}
