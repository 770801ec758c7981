import type { SymbolFact } from '../fileFacts';
import type { NameResolver } from './resolveNames';
import { type ClassEntry, type FileEntry, symbolId } from './symbolTable';

export interface Target {
  file: FileEntry;
  symbol: SymbolFact;
  certain: boolean;
}

const mostImplementations = 24;

/** Finds what really runs behind a method of a base class, protocol or interface. */
export class Dispatch {
  private readonly known = new Map<string, ClassEntry[]>();

  constructor(private readonly names: NameResolver) {}

  /** The method itself and its overrides in subclasses of the receiver, or the implementations when it is abstract. */
  targets(file: FileEntry, symbol: SymbolFact, receiver: ClassEntry | undefined): Target[] {
    const own: Target = { file, symbol, certain: true };
    if (!receiver) return [own];
    const isAbstract =
      symbol.abstract || (receiver.symbol.abstract && receiver.file.language.id === 'python' && isEmptyBody(symbol));
    const found = new Map<string, Target>();
    for (const entry of this.implementers(receiver)) {
      const member = this.names.inClass(entry, symbol.name);
      if (!member?.method || member.method.abstract || member.method === symbol) continue;
      const id = symbolId(member.owner.file.path, member.method.qualname);
      found.set(id, { file: member.owner.file, symbol: member.method, certain: false });
      if (found.size >= mostImplementations) break;
    }
    if (isAbstract && found.size > 0) return [...found.values()];
    return [own, ...found.values()];
  }

  /** What may stand in a function-typed property of an interface. */
  slot(entry: ClassEntry, name: string): Target[] {
    const targets: Target[] = [];
    for (const candidate of this.implementers(entry)) {
      const method = this.names.inClass(candidate, name)?.method;
      if (method && !method.abstract) targets.push({ file: candidate.file, symbol: method, certain: false });
    }
    return targets.slice(0, mostImplementations);
  }

  /** Subclasses by name, and for interfaces and protocols every class or object literal with all their functions. */
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
    if (entry.symbol.abstract) for (const candidate of this.structural(entry)) found.add(candidate);
    const list = [...found];
    this.known.set(entry.id, list);
    return list;
  }

  private structural(entry: ClassEntry): ClassEntry[] {
    const required = requiredFunctions(entry);
    if (required.length === 0) return [];
    // One common name alone proves nothing: then only object literals and few classes count.
    const found: ClassEntry[] = [];
    for (const candidate of this.names.table.classes.values()) {
      if (candidate === entry || candidate.symbol.abstract || candidate.file.compiled) continue;
      if (candidate.file.language.constructorName !== entry.file.language.constructorName) continue;
      if (required.every((name) => this.names.inClass(candidate, name)?.method)) found.push(candidate);
    }
    return found.length <= mostImplementations ? found : [];
  }
}

function requiredFunctions(entry: ClassEntry): string[] {
  const methods = [...entry.members.values()].filter(({ name }) => !name.startsWith('__')).map(({ name }) => name);
  const slots = [...entry.attributes].flatMap(([name, places]) =>
    places.some(({ fact }) => fact.type?.includes('=>') && !fact.optional) ? [name] : [],
  );
  return [...methods, ...slots];
}

/** A method of an abstract class that only states its signature. */
function isEmptyBody(symbol: SymbolFact): boolean {
  return symbol.end - symbol.start <= 1;
}
