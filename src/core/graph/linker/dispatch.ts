import type { SymbolFact } from '../fileFacts';
import type { Hierarchy } from './hierarchy';
import { type ClassEntry, type FileEntry, type SymbolTable, symbolId } from './symbolTable';
import { outsideTests } from './testFiles';

export interface Target {
  file: FileEntry;
  symbol: SymbolFact;
  certain: boolean;
}

const mostImplementations = 48;
const mostInterfaces = 3;

/** Finds what really runs behind a method of a base class, protocol or interface. */
export class Dispatch {
  private readonly known = new Map<string, ClassEntry[]>();

  constructor(
    private readonly table: SymbolTable,
    private readonly hierarchy: Hierarchy,
  ) {}

  /** The method itself and its overrides in subclasses of the receiver, or the implementations when it is abstract. */
  targets(file: FileEntry, symbol: SymbolFact, receiver: ClassEntry | undefined): Target[] {
    const own: Target = { file, symbol, certain: true };
    if (!receiver || (file.language.typing === 'structural' && !receiver.symbol.abstract)) return [own];
    const found = this.implementations(receiver, symbol.name).filter((target) => target.symbol !== symbol);
    // A declared type with a single implementation leaves no choice.
    if (symbol.abstract && found.length === 1 && file.language.typing) return [{ ...found[0]!, certain: true }];
    if (symbol.abstract && found.length > 0) return found;
    return [own, ...found];
  }

  /** What runs when a method or function-typed property of a class or interface is called on one of its kinds. */
  implementations(receiver: ClassEntry, name: string): Target[] {
    const found = new Map<string, Target>();
    for (const entry of this.implementers(receiver)) {
      const member = this.hierarchy.inClass(entry, name);
      if (!member?.method || member.method.abstract) continue;
      const target = { file: member.file, symbol: member.method, certain: false };
      found.set(symbolId(target.file.path, target.symbol.qualname), target);
      if (found.size >= mostImplementations) break;
    }
    return [...found.values()];
  }

  /** What stands behind the interfaces that have such a function, when they are few. */
  byInterface(name: string, file: FileEntry): Target[] {
    const interfaces = (this.table.interfacesByName.get(name) ?? []).filter(
      (entry) => entry.file.language.constructorName === file.language.constructorName,
    );
    if (interfaces.length > mostInterfaces) return [];
    const found = new Map<SymbolFact, Target>();
    for (const entry of interfaces)
      for (const target of this.implementations(entry, name)) found.set(target.symbol, target);
    return found.size <= mostImplementations ? [...found.values()] : [];
  }

  /** Subclasses by name, and for interfaces and protocols every class or object literal that has what they ask for. */
  private implementers(entry: ClassEntry): ClassEntry[] {
    const known = this.known.get(entry.id);
    if (known) return known;
    const found = new Set<ClassEntry>();
    const open = [...entry.subclasses];
    while (open.length > 0 && found.size < 200) {
      const next = open.pop()!;
      if (found.has(next)) continue;
      found.add(next);
      open.push(...next.subclasses);
    }
    if (entry.symbol.abstract && entry.file.language.typing !== 'nominal')
      for (const candidate of this.structural(entry)) found.add(candidate);
    const list = entry.file.language.typing ? outsideTests([...found], ({ file }) => file.path) : [...found];
    this.known.set(entry.id, list);
    return list;
  }

  private structural(entry: ClassEntry): ClassEntry[] {
    const { functions, values } = this.required(entry);
    if (functions.length === 0) return [];
    const found: ClassEntry[] = [];
    for (const candidate of this.table.classes.values()) {
      if (candidate === entry || candidate.symbol.abstract || candidate.file.compiled) continue;
      if (candidate.file.language.constructorName !== entry.file.language.constructorName) continue;
      const { keys } = candidate;
      const fits = keys
        ? keys.has('...') || [...functions, ...values].every((name) => keys.has(name))
        : functions.every((name) => this.fits(entry, candidate, name)) && this.holds(candidate, values);
      if (fits && functions.some((name) => this.hierarchy.inClass(candidate, name)?.method)) found.push(candidate);
    }
    const real = outsideTests(found, (candidate) => candidate.file.path);
    return real.length <= mostImplementations ? real : [];
  }

  private fits(entry: ClassEntry, candidate: ClassEntry, name: string): boolean {
    const method = this.hierarchy.inClass(candidate, name)?.method;
    if (!method || !entry.file.language.typing) return method !== undefined;
    const asked = this.hierarchy.inClass(entry, name)?.method;
    const results = (returns: string | undefined) =>
      returns?.startsWith('(') ? returns.split(',').length : returns ? 1 : 0;
    return (
      asked?.parameters?.length === method.parameters?.length && results(asked?.returns) === results(method.returns)
    );
  }

  /** Python sets attributes anywhere, so only TypeScript classes can be seen to lack one. */
  private holds(candidate: ClassEntry, values: readonly string[]): boolean {
    if (candidate.file.language.id === 'python') return true;
    const lineage = this.hierarchy.lineage(candidate);
    return values.every((name) => lineage.some(({ attributes, members }) => attributes.has(name) || members.has(name)));
  }

  /** What a value must have to stand for an interface: functions, and other properties that are not optional. */
  private required(entry: ClassEntry): { functions: string[]; values: string[] } {
    const functions: string[] = [];
    const values: string[] = [];
    for (const { members, attributes } of this.hierarchy.lineage(entry)) {
      for (const name of members.keys()) if (!name.startsWith('__')) functions.push(name);
      for (const [name, places] of attributes) {
        if (places.some(({ fact }) => fact.optional)) continue;
        (places.some(({ fact }) => fact.type?.includes('=>')) ? functions : values).push(name);
      }
    }
    return { functions, values };
  }
}
