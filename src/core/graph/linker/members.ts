import type { SymbolFact } from '../fileFacts';
import { ClassEntry, classId } from './classEntry';
import { type FileEntry, parentScope } from './fileEntry';
import type { SymbolTable } from './symbolTable';

/** Makes the classes of a file, or gives those it had the facts of its new text. */
export function addClasses(table: SymbolTable, file: FileEntry): void {
  const before = new Map(file.classes.map((entry) => [entry.id, entry]));
  file.classes = [];
  const add = (symbol: SymbolFact, literal: boolean): ClassEntry => {
    const id = classId(file.path, symbol.qualname, literal);
    const entry = before.get(id) ?? new ClassEntry(file, symbol, literal);
    before.delete(id);
    const keys = literal ? new Set(file.facts.objects.find(({ path }) => path === symbol.qualname)?.keys) : undefined;
    entry.renew(symbol, keys);
    entry.order = file.classes.length;
    file.classes.push(entry);
    table.classes.set(entry);
    return entry;
  };
  const symbols = [...file.symbols.values()];
  for (const symbol of symbols) if (symbol.kind === 'class') add(symbol, false);
  const literals = new Map<string, ClassEntry>();
  for (const symbol of symbols) {
    const owner = symbol.holder ?? parentScope(symbol.qualname);
    if (symbol.kind !== 'method' || symbol.receiver || !owner || file.symbols.get(owner)?.kind === 'class') continue;
    const literal =
      literals.get(owner) ?? add({ ...symbol, qualname: owner, kind: 'class', abstract: false, bases: [] }, true);
    literals.set(owner, literal);
    literal.members.set(symbol.name, symbol);
  }
  for (const gone of before.values()) table.classes.delete(gone);
}

/** Gives classes their functions. */
export function addFunctions(table: SymbolTable, file: FileEntry): void {
  for (const symbol of file.symbols.values()) {
    if (symbol.kind !== 'method' && symbol.kind !== 'function') continue;
    const owner = table.classes.in(file, parentScope(symbol.qualname));
    if (owner && !owner.members.has(symbol.name)) owner.members.set(symbol.name, symbol);
  }
}

/** Gives classes the places of their attributes; those of declarations go to the compiled twin. */
export function addAttributes(table: SymbolTable, file: FileEntry): void {
  for (const fact of file.facts.attributes) {
    const owner = table.classOf(file, fact.owner);
    if (!owner || owner.members.has(fact.name)) continue;
    const places = owner.attributes.get(fact.name);
    if (places) places.push({ fact, file });
    else owner.attributes.set(fact.name, [{ fact, file }]);
  }
}
