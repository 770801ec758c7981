import type { BoundaryKind, GraphData, GraphEdge, GraphFile, GraphNode } from '../model';

const longestText = 200;

/** Collects nodes and edges; each edge once for its ends, kind and line. */
export class GraphBuilder {
  readonly nodes = new Map<string, GraphNode>();
  /** Symbols of type declarations, by id, with the compiled symbol that stands for them. */
  private readonly twins = new Map<string, string>();
  private readonly numbers = new Map<string, number>();
  /** One copy of each id, whatever it was put together from. */
  private readonly ids: string[] = [];
  private readonly edges = new Map<string, GraphEdge>();
  readonly data: Required<Pick<GraphData, 'literals' | 'unresolved' | 'libraryCalls'>> = {
    literals: [],
    unresolved: [],
    libraryCalls: [],
  };

  node(node: GraphNode): void {
    if (!this.nodes.has(node.id)) this.nodes.set(node.id, node);
  }

  /** Lets edges of a declared symbol lead to and from its compiled twin. */
  twin(declared: string, compiled: string): void {
    this.twins.set(declared, compiled);
  }

  /** The id of the node that stands for a symbol. */
  idOf(id: string): string {
    return this.twins.get(id) ?? id;
  }

  edge(given: GraphEdge): void {
    const from = this.number(this.idOf(given.from));
    const to = this.number(this.idOf(given.to));
    const edge = { ...given, from: this.ids[from]!, to: this.ids[to]! };
    const key = `${from} ${to} ${edge.kind} ${edge.line}`;
    const known = this.edges.get(key);
    if (known) {
      // A sure way and a possible way to the same end: it is sure.
      if (edge.certain !== false) delete known.certain;
      return;
    }
    const { text, ...rest } = edge;
    this.edges.set(key, text === undefined ? rest : { ...rest, text: text.slice(0, longestText) });
  }

  /** Short names keep the keys of hundreds of thousands of edges small. */
  private number(id: string): number {
    const known = this.numbers.get(id);
    if (known !== undefined) return known;
    this.numbers.set(id, this.ids.length);
    this.ids.push(id);
    return this.ids.length - 1;
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
