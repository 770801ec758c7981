import type { BehaviourMap, Site, Stage, Unit } from '../../core/handbook/model';

/** A place in a file where a unit is anchored: a line (from 1) and the units whose code starts there. */
export interface Anchor {
  line: number;
  units: Unit[];
}

/** Look-ups that views ask for on every move of the cursor; one for each map, built on first use. */
export class UnitFinder {
  private static readonly finders = new WeakMap<BehaviourMap, UnitFinder>();
  private readonly byFile = new Map<string, { unit: Unit; site: Site }[]>();
  private readonly units: Map<string, Unit>;
  private readonly stages = new Map<string, Stage>();

  static of(map: BehaviourMap): UnitFinder {
    const known = UnitFinder.finders.get(map);
    if (known) return known;
    const made = new UnitFinder(map);
    UnitFinder.finders.set(map, made);
    return made;
  }

  private constructor(map: BehaviourMap) {
    this.units = new Map(map.units.map((unit) => [unit.id, unit]));
    for (const stage of map.stages) for (const id of stage.units) this.stages.set(id, stage);
    for (const unit of map.units) {
      for (const site of unit.sites) {
        const known = this.byFile.get(site.file);
        if (known) known.push({ unit, site });
        else this.byFile.set(site.file, [{ unit, site }]);
      }
    }
  }

  unit(id: string): Unit | undefined {
    return this.units.get(id);
  }

  /** Whether any unit has a site in the file. */
  owns(file: string): boolean {
    return this.byFile.has(file);
  }

  stageOf(unit: Pick<Unit, 'id'>): Stage | undefined {
    return this.stages.get(unit.id);
  }

  /** The unit with the smallest site around a line (from 1); undefined when no unit owns it. */
  at(file: string, line: number): Unit | undefined {
    let best: { unit: Unit; site: Site } | undefined;
    for (const entry of this.byFile.get(file) ?? []) {
      const { site } = entry;
      if (line < site.start || line > site.end) continue;
      if (!best || site.end - site.start < best.site.end - best.site.start) best = entry;
    }
    return best?.unit;
  }

  /** Lines of a file where a click on a unit would lead, in order; units that start on one line share an anchor. */
  anchors(file: string): Anchor[] {
    const lines = new Map<number, Unit[]>();
    for (const { unit, site } of this.byFile.get(file) ?? []) {
      if (unit.sites[0] !== site) continue;
      lines.set(site.start, [...(lines.get(site.start) ?? []), unit]);
    }
    return [...lines].map(([line, units]) => ({ line, units })).sort((a, b) => a.line - b.line);
  }

  /** The unit whose code starts on this line, or whose symbol is defined there under this word. */
  anchoredAt(file: string, line: number, word: string | undefined): Unit | undefined {
    let found: { unit: Unit; rank: number } | undefined;
    for (const { unit, site } of this.byFile.get(file) ?? []) {
      const starts = site.start === line;
      // Decorators and doc comments stand above the name, so that the name may be a few lines into the site.
      const named =
        word !== undefined && lastName(site.symbol) === word && line >= site.start && line <= site.start + 12;
      if (!starts && !named) continue;
      const rank = (unit.sites[0] === site ? 0 : 1) + (named ? 0 : 2);
      if (!found || rank < found.rank) found = { unit, rank };
    }
    return found?.unit;
  }
}

/** `run` of `Agent.run`. */
export function lastName(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('.') + 1);
}

/**
 * Line (from 1) of a site in a text that was edited since it was indexed: the nearest line that still names the symbol,
 * else the old line. A region inside a function has no name of its own and stays where it was.
 */
export function lineInEdited(site: Pick<Site, 'start' | 'symbol'>, lines: readonly string[]): number {
  const old = Math.min(site.start, Math.max(1, lines.length));
  const name = lastName(site.symbol);
  if (!/^[\w$]+$/.test(name)) return old;
  const definition = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s*[(<=:]`);
  for (let away = 0; away < lines.length; away++) {
    for (const line of away === 0 ? [old] : [old - away, old + away]) {
      const text = lines[line - 1];
      if (text !== undefined && definition.test(text)) return line;
    }
  }
  return old;
}
