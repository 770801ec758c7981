import type { GraphNode, ProgramGraph } from '../graph';
import type { BehaviourMap, Unit } from '../handbook';
import type { Link, LinkKind } from './model';

/** A place in the harness, without the step it is linked to. */
export interface Place {
  file: string;
  symbol: string;
  start: number;
  end: number;
}

/** Looks up what stands at a place: the definition around it and the handbook unit that owns it. */
export class Places {
  private readonly unitOfMember = new Map<string, Unit>();
  private readonly unitsOfFile = new Map<string, { unit: Unit; start: number; end: number }[]>();
  private readonly unitsOfKind = new Map<string, Unit[]>();
  private readonly loopUnits: ReadonlySet<string>;

  constructor(
    readonly graph: ProgramGraph,
    readonly map: BehaviourMap,
  ) {
    this.loopUnits = new Set((map.steps ?? []).map((step) => step.unit));
    for (const unit of map.units) {
      for (const member of unit.members) if (!this.unitOfMember.has(member)) this.unitOfMember.set(member, unit);
      for (const { file, start, end } of unit.sites) {
        this.unitsOfFile.set(file, [...(this.unitsOfFile.get(file) ?? []), { unit, start, end }]);
      }
      this.unitsOfKind.set(unit.kind, [...(this.unitsOfKind.get(unit.kind) ?? []), unit]);
    }
  }

  /** Units of a kind, in handbook order. */
  ofKind(kind: string): readonly Unit[] {
    return this.unitsOfKind.get(kind) ?? [];
  }

  /** Whether the first agent loop runs through the unit. */
  isInLoop(unit: string): boolean {
    return this.loopUnits.has(unit);
  }

  /** The place of a definition, prompt, tool or configuration key. */
  ofNode(node: GraphNode): Place {
    return { file: node.file, symbol: node.qualname || node.name, start: node.start, end: node.end };
  }

  /** Lines of a file, with the name of the definition around them. */
  ofLines(file: string, start: number, end: number, owner?: GraphNode): Place {
    const around = this.graph.enclosing(file, start);
    return { file, symbol: around?.qualname ?? (owner?.kind === 'file' ? '' : (owner?.qualname ?? '')), start, end };
  }

  /** Id of the unit that owns the place: by the smallest site around it, else by the definition. */
  unitAt(place: Place): string | null {
    let best: { unit: Unit; start: number; end: number } | undefined;
    for (const site of this.unitsOfFile.get(place.file) ?? []) {
      if (site.start > place.start || site.end < place.start) continue;
      if (best === undefined || site.end - site.start < best.end - best.start) best = site;
    }
    if (best !== undefined) return best.unit.id;
    const around = this.graph.enclosing(place.file, place.start);
    return around === undefined ? null : (this.unitOfMember.get(around.id)?.id ?? null);
  }

  link(step: number, kind: LinkKind, place: Place, confidence: number, reason: string): Link {
    const limited = Math.round(Math.max(0, Math.min(0.99, confidence)) * 100) / 100;
    return { step, kind, ...place, unit: this.unitAt(place), confidence: limited, reason };
  }
}
