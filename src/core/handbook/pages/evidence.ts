import type { GraphEdge, GraphNode, ProgramGraph } from '../../graph';
import type { BehaviourMap, Unit } from '../model';

/** Where one unit calls another. */
export interface CallPlace {
  file: string;
  line: number;
  /** What is called, as written, without the arguments. */
  text?: string;
}

/** Which unit owns what, and the place of each call between units; made once for a rendering. */
export class Evidence {
  private readonly homes = new Map<string, string>();
  private readonly places = new Map<string, Map<string, CallPlace>>();
  private readonly users = new Map<string, string[]>();

  constructor(
    map: BehaviourMap,
    private readonly graph: ProgramGraph,
  ) {
    for (const unit of map.units) for (const id of unit.members) this.homes.set(id, unit.id);
    for (const unit of map.units) {
      for (const id of new Set([...unit.prompts, ...unit.tools, ...unit.config])) {
        const home = this.homes.get(id);
        if (home === undefined || home === unit.id) continue;
        const known = this.users.get(home);
        if (known) known.push(unit.id);
        else this.users.set(home, [unit.id]);
      }
    }
  }

  homeOf(nodeId: string): string | undefined {
    return this.homes.get(nodeId);
  }

  /** Units that use a prompt, a tool or a configuration key of this one, in map order. */
  usersOf(unitId: string): readonly string[] {
    return [...new Set(this.users.get(unitId) ?? [])];
  }

  /** The first place where a unit calls another one; undefined when the graph names none. */
  callPlace(unit: Unit, calleeId: string): CallPlace | undefined {
    let known = this.places.get(unit.id);
    if (!known) {
      known = new Map();
      for (const edge of this.callsOf(unit)) {
        const home = this.homes.get(edge.to);
        if (home === undefined || home === unit.id || known.has(home)) continue;
        const text = calledName(edge);
        known.set(home, { file: edge.file, line: edge.line, ...(text ? { text } : {}) });
      }
      this.places.set(unit.id, known);
    }
    return known.get(calleeId);
  }

  /** Named numbers that the lines of a unit read, such as a limit above a function; in source order, own ones left out. */
  constantsOf(unit: Unit): GraphNode[] {
    const found = new Map<string, GraphNode>();
    for (const edge of this.edgesOf(unit)) {
      const node = edge.kind === 'reads' ? this.graph.node(edge.to) : undefined;
      if (node && this.isNamedNumber(node) && this.homes.get(node.id) !== unit.id) found.set(node.id, node);
    }
    return [...found.values()];
  }

  /** A constant, module variable or attribute whose value is a number and that nothing changes later: no state. */
  isNamedNumber(node: GraphNode): boolean {
    const { kind, detail, file } = node;
    if ((kind !== 'variable' && kind !== 'attribute') || file === '' || !/^\s*-?\d[\d_.]*\s*$/.test(detail ?? ''))
      return false;
    return this.graph.in(node.id, 'writes').every((edge) => {
      const from = this.graph.node(edge.from);
      return !from || from.kind === 'class' || from.kind === 'file' || /^(__\w+__|constructor)$/.test(from.name);
    });
  }

  private callsOf(unit: Unit): GraphEdge[] {
    return this.edgesOf(unit).filter((edge) => edge.kind === 'calls' || edge.kind === 'constructs');
  }

  /** Edges of the members, and those of the functions around whose lines lie in a site of the unit. */
  private edgesOf(unit: Unit): GraphEdge[] {
    const own = unit.members.flatMap((id) => this.graph.out(id));
    const around = unit.sites.flatMap((site) =>
      this.graph
        .out(`${site.file}#${site.symbol}`)
        .filter((edge) => edge.file === site.file && site.start <= edge.line && edge.line <= site.end),
    );
    const rank = new Map(unit.sites.map((site, index) => [site.file, index]));
    return [...own, ...around].sort(
      (a, b) =>
        (rank.get(a.file) ?? 99) - (rank.get(b.file) ?? 99) ||
        a.line - b.line ||
        Number(a.certain === false) - Number(b.certain === false),
    );
  }
}

/** `self.step` of `self.step(limit=3)`: a page must not change with the arguments. */
function calledName({ text }: GraphEdge): string | undefined {
  const name = /^(?:await\s+|new\s+)?([\w$.?!]+)\s*[(<{]/.exec(text ?? '')?.[1];
  return name !== undefined && name.length <= 60 ? name : undefined;
}
