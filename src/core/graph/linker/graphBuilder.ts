import type { BoundaryKind, GraphData, GraphEdge, GraphNode } from '../model';

const longestText = 200;

/** Nodes and edges of one file, in three parts: what it declares, what its classes hold, and what leads elsewhere. */
export interface FileGraph {
  nodes: [GraphNode[], GraphNode[], GraphNode[]];
  edges: [GraphEdge[], GraphEdge[], GraphEdge[]];
  literals: GraphData['literals'];
  unresolved: GraphData['unresolved'];
  libraryCalls: NonNullable<GraphData['libraryCalls']>;
}

/** Ids of nodes: one copy of each, whatever it was put together from, with a number. */
class Ids {
  private readonly numbers = new Map<string, number>();
  readonly all: string[] = [];

  number(id: string): number {
    const known = this.numbers.get(id);
    if (known !== undefined) return known;
    this.numbers.set(id, this.all.length);
    this.all.push(id);
    return this.all.length - 1;
  }
}

/** Collects the nodes and edges of one file after the other; each edge once for its ends, kind and line. */
export class GraphBuilder {
  data = emptyGraph();
  private readonly ids = new Ids();
  private nodes = new Set<string>();
  private edges = new Map<string, GraphEdge>();
  private part = 0;

  /** @param twins symbols of type declarations, by id, with the compiled symbol that stands for them */
  constructor(private readonly twins: ReadonlyMap<string, string> = new Map()) {}

  /** Begins the next part of the file. */
  nextPart(): void {
    this.part += 1;
  }

  /** What was collected, and begins the next file. */
  take(): FileGraph {
    const { data } = this;
    this.data = emptyGraph();
    this.nodes = new Set();
    this.edges = new Map();
    this.part = 0;
    return data;
  }

  node(node: GraphNode): void {
    if (this.nodes.has(node.id)) return;
    this.nodes.add(node.id);
    this.data.nodes[this.part]!.push(node);
  }

  /** The id of the node that stands for a symbol: its own, or that of its compiled twin. */
  idOf(id: string): string {
    return this.twins.get(id) ?? id;
  }

  edge(given: GraphEdge): void {
    const from = this.ids.number(this.idOf(given.from));
    const to = this.ids.number(this.idOf(given.to));
    const key = `${from} ${to} ${given.kind} ${given.line}`;
    const known = this.edges.get(key);
    if (known) {
      // A sure way and a possible way to the same end: it is sure.
      if (given.certain !== false) delete known.certain;
      return;
    }
    const { kind, file, line, text, certain } = given;
    const edge: GraphEdge = { from: this.ids.all[from]!, to: this.ids.all[to]!, kind, file, line };
    if (certain === false) edge.certain = false;
    if (text !== undefined) edge.text = text.length > longestText ? text.slice(0, longestText) : text;
    this.edges.set(key, edge);
    this.data.edges[this.part]!.push(edge);
  }

  boundary(kind: BoundaryKind, name: string): string {
    const id = `boundary:${kind}:${name}`;
    this.node({ id, kind: 'boundary', name, qualname: name, file: '', start: 0, end: 0, boundary: kind });
    return id;
  }
}

function emptyGraph(): FileGraph {
  return { nodes: [[], [], []], edges: [[], [], []], literals: [], unresolved: [], libraryCalls: [] };
}
