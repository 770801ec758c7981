import type { SymbolFact } from '../fileFacts';
import type { Hierarchy } from './hierarchy';
import type { Memos } from './memos';
import { type ClassEntry, type FileEntry, type SymbolTable, symbolId } from './symbolTable';
import { outsideTests, placeOf } from './testFiles';

export interface Target {
  file: FileEntry;
  symbol: SymbolFact;
  certain: boolean;
}

const mostImplementations = 48;
const mostInterfaces = 3;

/** Finds what really runs behind a method of a base class, protocol or interface. */
export class Dispatch {
  private readonly implementersOf: (file: FileEntry, qualname: string) => ClassEntry[];
  private readonly implementationsOf: (file: FileEntry, question: string) => Target[];

  constructor(
    private readonly table: SymbolTable,
    private readonly hierarchy: Hierarchy,
    memos: Memos,
  ) {
    this.implementersOf = memos.define('~', [], (file, id) => this.findImplementers(this.classOf(file, id)));
    this.implementationsOf = memos.define('!', [], (file, question) => {
      const [id = '', name = ''] = question.split('\0');
      return this.findImplementations(this.classOf(file, id), name);
    });
  }

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
    return this.implementationsOf(receiver.file, `${nameOf(receiver)}\0${name}`);
  }

  private findImplementations(receiver: ClassEntry | undefined, name: string): Target[] {
    const found = new Map<string, Target>();
    for (const entry of receiver ? this.implementersOf(receiver.file, nameOf(receiver)) : []) {
      const member = this.hierarchy.inClass(entry, name);
      if (!member?.method || member.method.abstract) continue;
      const target = { file: member.file, symbol: member.method, certain: false };
      found.set(symbolId(target.file.path, target.symbol.qualname), target);
      if (found.size >= mostImplementations) break;
    }
    return [...found.values()];
  }

  /** What stands behind the interfaces that have such a function, when they are few. */
  byInterface(name: string, file: FileEntry, most = mostInterfaces): Target[] {
    const interfaces = (this.table.interfacesByName.get(name) ?? []).filter(
      (entry) => entry.file.language.constructorName === file.language.constructorName,
    );
    if (interfaces.length > most) return [];
    const found = new Map<SymbolFact, Target>();
    for (const entry of interfaces)
      for (const target of this.implementations(entry, name)) found.set(target.symbol, target);
    return found.size <= mostImplementations ? [...found.values()] : [];
  }

  private classOf(file: FileEntry, name: string): ClassEntry | undefined {
    const literal = name.endsWith('{}');
    return this.table.classes.in(file, literal ? name.slice(0, -2) : name, literal);
  }

  /** Subclasses by name, and for interfaces and protocols every class or object literal that has what they ask for. */
  private findImplementers(entry: ClassEntry | undefined): ClassEntry[] {
    if (!entry) return [];
    const found = this.descendants([entry], 200);
    found.delete(entry);
    if (entry.symbol.abstract && entry.file.language.typing !== 'nominal')
      for (const candidate of this.structural(entry)) found.add(candidate);
    return entry.file.language.typing ? outsideTests([...found], placeOf) : [...found];
  }

  private descendants(entries: readonly ClassEntry[], limit: number): Set<ClassEntry> {
    const found = new Set<ClassEntry>();
    const open = [...entries];
    while (open.length > 0 && found.size <= limit) {
      const next = open.pop()!;
      if (found.has(next)) continue;
      found.add(next);
      open.push(...next.subclasses);
    }
    return found;
  }

  private structural(entry: ClassEntry): ClassEntry[] {
    const { functions, values } = this.required(entry);
    if (functions.length === 0) return [];
    const found: ClassEntry[] = [];
    for (const candidate of this.candidates(functions)) {
      if (candidate === entry || candidate.symbol.abstract || candidate.file.compiled) continue;
      if (candidate.file.language.constructorName !== entry.file.language.constructorName) continue;
      const { keys } = candidate;
      const fits = keys
        ? keys.has('...') || [...functions, ...values].every((name) => keys.has(name))
        : functions.every((name) => this.fits(entry, candidate, name)) && this.holds(candidate, values);
      if (fits && functions.some((name) => this.hierarchy.inClass(candidate, name)?.method)) found.push(candidate);
    }
    const real = outsideTests(found, placeOf);
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

  /**
   * What may have all of the functions, in the order of the files: classes that have or inherit the rarest of them, and
   * object literals that have any, because such a one may spread another.
   */
  private candidates(functions: readonly string[]): ClassEntry[] {
    const owners = functions.map((name) => this.table.ownersByName.get(name) ?? []);
    const rarest = owners.reduce((best, each) => (each.length < best.length ? each : best));
    const classes = rarest.filter(({ literal }) => !literal);
    const literals = owners.flatMap((each) => each.filter(({ literal }) => literal));
    const found = new Set([...this.descendants(classes, Number.POSITIVE_INFINITY), ...literals]);
    return [...found].sort((a, b) => a.file.order - b.file.order || a.order - b.order);
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

function nameOf(entry: ClassEntry): string {
  return entry.literal ? `${entry.qualname}{}` : entry.qualname;
}
