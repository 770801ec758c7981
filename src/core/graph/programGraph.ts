import { append } from './lists';
import type { EdgeKind, GraphData, GraphEdge, GraphNode } from './model';

const none: readonly never[] = [];

/** Ends of edges that are others than in the graph before. */
export interface ChangedEnds {
  before: ProgramGraph;
  from: ReadonlySet<string>;
  to: ReadonlySet<string>;
}

/** What was known when a graph was made, which spares it to look again. */
export interface KnownBefore {
  /** Its nodes by id, as long as nobody changes them. */
  byId?: () => ReadonlyMap<string, GraphNode> | undefined;
  /** Lets the lists of edges that are the same be those of the graph before. */
  changed?: ChangedEnds;
}

/** Look-ups over the facts of one harness, made when they are first used. Immutable; a refresh makes a new one. */
export class ProgramGraph {
  private nodesById: Map<string, GraphNode> | undefined;
  private nodesByFile: Map<string, GraphNode[]> | undefined;
  private edgesFrom: Map<string, GraphEdge[]> | undefined;
  private edgesTo: Map<string, GraphEdge[]> | undefined;
  private changed: ChangedEnds | undefined;
  private readonly sharedById: KnownBefore['byId'];

  constructor(
    readonly data: GraphData,
    { byId, changed }: KnownBefore = {},
  ) {
    this.sharedById = byId;
    // Graphs that nobody looked at are not kept for it.
    if (changed?.before.edgesFrom && changed.before.edgesTo) this.changed = changed;
  }

  private get byId(): ReadonlyMap<string, GraphNode> {
    const shared = this.nodesById ? undefined : this.sharedById?.();
    if (shared) return shared;
    this.nodesById ??= new Map(this.data.nodes.map((node) => [node.id, node]));
    return this.nodesById;
  }

  private get byFile(): Map<string, GraphNode[]> {
    if (!this.nodesByFile) {
      this.nodesByFile = new Map();
      for (const node of this.data.nodes) append(this.nodesByFile, node.file, node);
      for (const nodes of this.nodesByFile.values()) nodes.sort((a, b) => a.start - b.start || b.end - a.end);
    }
    return this.nodesByFile;
  }

  private get outgoing(): Map<string, GraphEdge[]> {
    this.edgesFrom ?? this.listEdges();
    return this.edgesFrom!;
  }

  private get incoming(): Map<string, GraphEdge[]> {
    this.edgesTo ?? this.listEdges();
    return this.edgesTo!;
  }

  private listEdges(): void {
    const from = new Map(this.changed?.before.edgesFrom);
    const to = new Map(this.changed?.before.edgesTo);
    const ends = this.changed;
    this.changed = undefined;
    for (const id of ends?.from ?? []) from.delete(id);
    for (const id of ends?.to ?? []) to.delete(id);
    for (const edge of this.data.edges) {
      if (!ends || ends.from.has(edge.from)) append(from, edge.from, edge);
      if (!ends || ends.to.has(edge.to)) append(to, edge.to, edge);
    }
    this.edgesFrom = from;
    this.edgesTo = to;
  }

  node(id: string): GraphNode | undefined {
    return this.byId.get(id);
  }

  /** Nodes of a file by start line; enclosing ones first. */
  inFile(file: string): readonly GraphNode[] {
    return this.byFile.get(file) ?? none;
  }

  out(id: string, kind?: EdgeKind): readonly GraphEdge[] {
    const edges = this.outgoing.get(id) ?? none;
    return kind ? edges.filter((edge) => edge.kind === kind) : edges;
  }

  in(id: string, kind?: EdgeKind): readonly GraphEdge[] {
    const edges = this.incoming.get(id) ?? none;
    return kind ? edges.filter((edge) => edge.kind === kind) : edges;
  }

  /** The innermost function, method or class around a line; undefined at module level. */
  enclosing(file: string, line: number): GraphNode | undefined {
    let best: GraphNode | undefined;
    for (const node of this.inFile(file)) {
      if (node.kind !== 'function' && node.kind !== 'method' && node.kind !== 'class') continue;
      if (node.start <= line && line <= node.end && (!best || node.end - node.start <= best.end - best.start))
        best = node;
    }
    return best;
  }

  /** Functions and methods. */
  functions(): GraphNode[] {
    return this.data.nodes.filter((node) => node.kind === 'function' || node.kind === 'method');
  }
}
