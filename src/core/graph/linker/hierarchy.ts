import type { SymbolFact } from '../fileFacts';
import { append } from '../lists';
import type { Memos } from './memos';
import { type ClassEntry, type FileEntry, parentScope, type SymbolTable } from './symbolTable';
import type { Value } from './values';

export interface Bases {
  classes: ClassEntry[];
  /** Dotted names of bases outside the harness. */
  externals: string[];
}

/** Which class inherits from which. */
export class Hierarchy {
  private readonly basesOf: (file: FileEntry, qualname: string) => Bases;
  private readonly lineageOf: (file: FileEntry, qualname: string) => ClassEntry[];

  constructor(
    private readonly table: SymbolTable,
    private readonly memos: Memos,
    private readonly evaluate: (chain: string, file: FileEntry, scope: string) => Value[],
  ) {
    this.basesOf = memos.define('<', noBases, (file, qualname) => this.findBases(table.classes.in(file, qualname)));
    this.lineageOf = memos.define('^', [], (file, qualname) => this.findLineage(table.classes.in(file, qualname)));
  }

  /** Tells every class its subclasses. Call it once, before they are asked for. */
  joinSubclasses(): void {
    const below = new Map<ClassEntry, ClassEntry[]>();
    for (const entry of this.table.classes.values()) {
      for (const base of this.askBases(entry)) append(below, base, entry);
    }
    for (const [base, classes] of below) base.setSubclasses(classes);
  }

  /** Asks a class for its bases and gives those whose subclasses are others now. */
  rejoin(entries: Iterable<ClassEntry>): Set<ClassEntry> {
    const changed = new Set<ClassEntry>();
    for (const entry of entries) {
      const before = entry.bases.joined;
      const after = this.table.classes.has(entry) ? this.askBases(entry) : [];
      entry.bases.joined = after;
      for (const base of new Set([...before, ...after])) {
        const others = base.directSubclasses.filter((each) => each !== entry);
        const at = others.findIndex((each) => comesAfter(each, entry));
        const place = at < 0 ? others.length : at;
        const classes = after.includes(base) ? others.toSpliced(place, 0, entry) : others;
        const { directSubclasses: old } = base;
        if (old.length === classes.length && old.every((each, index) => each === classes[index])) continue;
        base.setSubclasses(classes);
        changed.add(base);
      }
    }
    return changed;
  }

  private askBases(entry: ClassEntry): ClassEntry[] {
    if (this.table.isShadow(entry)) return [];
    entry.bases.joined = this.memos.alone(entry.bases, () => this.bases(entry).classes);
    return entry.bases.joined;
  }

  bases(entry: ClassEntry): Bases {
    // An object literal inherits nothing.
    return entry.literal ? noBases : this.basesOf(entry.file, entry.qualname);
  }

  private findBases(entry: ClassEntry | undefined): Bases {
    if (!entry) return noBases;
    const found: Bases = { classes: [], externals: [] };
    const scope = parentScope(entry.symbol.qualname);
    // Compiled output lost the interfaces that its declarations still name.
    const declared = entry.file.declarations?.symbols.get(entry.symbol.qualname)?.bases ?? [];
    const own = (entry.symbol.bases ?? []).map((text) => ({ text, file: entry.file, scope }));
    const more = declared.map((text) => ({ text, file: entry.file.declarations!, scope }));
    for (const { text, file, scope } of [...own, ...more, ...entry.more]) {
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
    if (entry.literal) return [entry];
    // A class that is being looked for inherits at least from itself.
    const found = this.lineageOf(entry.file, entry.qualname);
    return found.length > 0 ? found : [entry];
  }

  private findLineage(entry: ClassEntry | undefined): ClassEntry[] {
    if (!entry) return [];
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

  /** Dotted names outside the harness that a class inherits from, those of its bases included. */
  externals(entry: ClassEntry): string[] {
    return this.lineage(entry).flatMap((owner) => this.bases(owner).externals);
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

const noBases: Bases = { classes: [], externals: [] };

function comesAfter(a: ClassEntry, b: ClassEntry): boolean {
  return a.file.order - b.file.order > 0 || (a.file === b.file && a.order > b.order);
}
