import type { SymbolFact } from '../fileFacts';
import { type ClassEntry, type FileEntry, parentScope, type SymbolTable } from './symbolTable';
import type { Value } from './values';

export interface Bases {
  classes: ClassEntry[];
  /** Dotted names of bases outside the harness. */
  externals: string[];
}

/** Which class inherits from which. */
export class Hierarchy {
  private readonly known = new Map<string, Bases>();

  constructor(
    private readonly table: SymbolTable,
    private readonly evaluate: (chain: string, file: FileEntry, scope: string) => Value[],
  ) {}

  /** Tells every class its subclasses. Call it once, before they are asked for. */
  joinSubclasses(): void {
    for (const entry of this.table.classes.values()) {
      if (this.table.isShadow(entry)) continue;
      for (const base of this.bases(entry).classes) base.subclasses.push(entry);
    }
  }

  bases(entry: ClassEntry): Bases {
    const known = this.known.get(entry.id);
    if (known) return known;
    const found: Bases = { classes: [], externals: [] };
    this.known.set(entry.id, found);
    const scope = parentScope(entry.symbol.qualname);
    // Compiled output lost the interfaces that its declarations still name.
    const declared = entry.file.declarations?.symbols.get(entry.symbol.qualname)?.bases ?? [];
    const own = (entry.symbol.bases ?? []).map((text) => ({ text, file: entry.file }));
    const more = declared.map((text) => ({ text, file: entry.file.declarations! }));
    for (const { text, file } of [...own, ...more]) {
      const chain = text.replace(/[[<][\s\S]*$/, '').trim();
      for (const value of this.evaluate(chain, file, scope)) {
        if (value.kind === 'external' && !found.externals.includes(value.name)) found.externals.push(value.name);
        if (value.kind !== 'class' || value.entry === entry || found.classes.includes(value.entry)) continue;
        found.classes.push(value.entry);
      }
    }
    return found;
  }

  /** A class and its bases, nearest first. */
  lineage(entry: ClassEntry): ClassEntry[] {
    const order: ClassEntry[] = [];
    const open = [entry];
    while (open.length > 0 && order.length < 40) {
      const next = open.shift()!;
      if (order.includes(next)) continue;
      order.push(next);
      open.push(...this.bases(next).classes);
    }
    return order;
  }

  /** The method or attribute a class has by this name: its own, else of its bases. */
  inClass(entry: ClassEntry, name: string): { owner: ClassEntry; file: FileEntry; method?: SymbolFact } | undefined {
    for (const owner of this.lineage(entry)) {
      const method = owner.members.get(name);
      if (method) return { owner, file: this.table.homes.get(method) ?? owner.file, method };
      if (owner.attributes.has(name)) return { owner, file: owner.file };
    }
    return undefined;
  }
}
