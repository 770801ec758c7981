import type { BoundaryKind, GraphData, GraphEdge, GraphFile, GraphNode } from '../model';

const longestText = 200;

/** Collects nodes and edges; each edge once for its ends, kind and line. */
export class GraphBuilder {
  readonly nodes = new Map<string, GraphNode>();
  private readonly edges = new Map<string, GraphEdge>();
  readonly data: Pick<GraphData, 'literals' | 'unresolved'> = { literals: [], unresolved: [] };

  node(node: GraphNode): void {
    if (!this.nodes.has(node.id)) this.nodes.set(node.id, node);
  }

  edge(edge: GraphEdge): void {
    const key = `${edge.kind}\0${edge.from}\0${edge.to}\0${edge.line}`;
    const known = this.edges.get(key);
    if (known) {
      // A sure way and a possible way to the same end: it is sure.
      if (edge.certain !== false) delete known.certain;
      return;
    }
    const { text, ...rest } = edge;
    this.edges.set(key, text === undefined ? rest : { ...rest, text: text.slice(0, longestText) });
  }

  boundary(kind: BoundaryKind, name: string): string {
    const id = `boundary:${kind}:${name}`;
    this.node({ id, kind: 'boundary', name, qualname: name, file: '', start: 0, end: 0, boundary: kind });
    return id;
  }

  finish(root: string, files: GraphFile[]): GraphData {
    return { root, files, nodes: [...this.nodes.values()], edges: [...this.edges.values()], ...this.data };
  }
}
