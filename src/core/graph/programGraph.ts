import type { EdgeKind, GraphData, GraphEdge, GraphNode } from './model';

const none: readonly never[] = [];

/** Look-ups over the facts of one harness. Immutable; a refresh makes a new one. */
export class ProgramGraph {
  private readonly byId = new Map<string, GraphNode>();
  private readonly byFile = new Map<string, GraphNode[]>();
  private readonly outgoing = new Map<string, GraphEdge[]>();
  private readonly incoming = new Map<string, GraphEdge[]>();

  constructor(readonly data: GraphData) {
    for (const node of data.nodes) {
      this.byId.set(node.id, node);
      append(this.byFile, node.file, node);
    }
    for (const edge of data.edges) {
      append(this.outgoing, edge.from, edge);
      append(this.incoming, edge.to, edge);
    }
    for (const nodes of this.byFile.values()) nodes.sort((a, b) => a.start - b.start || b.end - a.end);
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

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
