import type { GraphNode, ProgramGraph } from '../../graph';
import type { Draft, Drafts } from '../derive/drafts';
import type { OverlayEntry } from './model';

/** How many symbols an entry remembers. */
const mostSymbols = 24;

/** Units by the keys of `handbook.json`, also when their ids changed. */
export class UnitFinder {
  private readonly byQualname = new Map<string, GraphNode[]>();

  constructor(
    private readonly drafts: Drafts,
    private readonly graph: ProgramGraph,
  ) {
    for (const node of graph.data.nodes) {
      if (node.qualname === '') continue;
      const known = this.byQualname.get(node.qualname);
      if (known) known.push(node);
      else this.byQualname.set(node.qualname, [node]);
    }
  }

  /** The node of an id; of one that moved to another file, the only one of the same qualified name. */
  node(id: string): GraphNode | undefined {
    const exact = this.graph.node(id);
    if (exact) return exact;
    const same = this.byQualname.get(id.slice(id.indexOf('#') + 1)) ?? [];
    return id.includes('#') && same.length === 1 ? same[0] : undefined;
  }

  /**
   * The unit of a key: of the same id, or the one that owns at least half of the symbols of its entry. Units in `taken`
   * have an entry of their own.
   */
  unit(key: string, entry: OverlayEntry | undefined, taken: ReadonlySet<string>): Draft | undefined {
    const exact = this.drafts.get(key);
    if (exact) return exact;
    const symbols = entry?.symbols ?? [];
    if (symbols.length === 0) return undefined;
    const kind = key.split(':')[1];
    const votes = new Map<string, number>();
    for (const symbol of symbols) {
      const node = this.node(symbol);
      if (!node) continue;
      for (const id of this.unitsWith(node, kind)) if (!taken.has(id)) votes.set(id, (votes.get(id) ?? 0) + 1);
    }
    const ranked = [...votes].sort(
      ([a, votesOfA], [b, votesOfB]) =>
        votesOfB - votesOfA ||
        Number(b.startsWith(`unit:${kind}:`)) - Number(a.startsWith(`unit:${kind}:`)) ||
        (a < b ? -1 : 1),
    );
    const [best, second] = ranked;
    if (!best || best[1] * 2 < symbols.length) return undefined;
    // Two regions of one function with the same claim: neither is surely the one that was meant.
    const isTie = second?.[1] === best[1] && second[0].split(':')[1] === best[0].split(':')[1];
    return isTie ? undefined : this.drafts.get(best[0]);
  }

  /** The home of a node, and the regions of it that are of the kind sought. */
  private unitsWith(node: GraphNode, kind: string | undefined): string[] {
    const home = this.drafts.homeOf(node.id);
    const regions = this.drafts
      .all()
      .filter((draft) => draft.region && draft.kind === kind)
      .filter((draft) => draft.sites.some((site) => site.file === node.file && site.symbol === node.qualname))
      .map((draft) => draft.id);
    return [...new Set(home ? [home, ...regions] : regions)];
  }
}

/** What an entry for a unit remembers: its members, or the functions that its regions lie in. */
export function symbolsOf(unit: Pick<Draft, 'members' | 'sites'>): string[] {
  const places = unit.members.length > 0 ? unit.members : unit.sites.map((site) => `${site.file}#${site.symbol}`);
  return [...new Set(places)].sort().slice(0, mostSymbols);
}
