import type { GraphBuilder } from './graphBuilder';
import type { NameResolver } from './resolveNames';
import { type ClassEntry, type FileEntry, parentScope, symbolId } from './symbolTable';

/** Gives types the methods and field values that other files declare for them. */
export function joinReceivers(names: NameResolver): void {
  const { table } = names;
  for (const file of table.files.values()) if (file.language.typing === 'nominal') markTests(names, file);
  for (const file of table.files.values()) {
    if (!file.language.typing) continue;
    for (const symbol of file.facts.symbols) {
      if (!symbol.receiver || file.symbols.get(parentScope(symbol.qualname))?.kind === 'class') continue;
      const owner = classNamed(names, symbol.receiver, file);
      if (!owner) continue;
      table.homes.set(symbol, file);
      if (owner.members.has(symbol.name)) continue;
      owner.members.set(symbol.name, symbol);
      table.ownersByName.insert(symbol.name, owner);
    }
  }
  for (const file of table.files.values()) {
    if (!file.language.typing) continue;
    for (const fact of file.facts.attributes) {
      if (file.symbols.has(fact.owner)) continue;
      // A field that a literal of the type sets; only the type itself says which fields there are.
      classNamed(names, fact.owner, file)?.attributes.get(fact.name)?.push({ fact, file });
    }
    for (const { type, base, scope } of file.facts.implementations ?? []) {
      const owner = classNamed(names, type, file, scope);
      owner?.more.push({ text: base, file, scope });
    }
  }
}

/** Modules that a file declares for tests only, with the modules below them. */
function markTests(names: NameResolver, file: FileEntry): void {
  const open = file.facts.exports.filter(({ test }) => test).map(({ module }) => ({ module, from: file }));
  const seen = new Set<FileEntry>();
  for (let next = open.pop(); next; next = open.pop()) {
    const module = next.module === null ? null : names.fileOf(next.module, next.from);
    if (!module || seen.has(module)) continue;
    seen.add(module);
    for (const symbol of module.symbols.values()) symbol.test = true;
    for (const { module: inner, chain } of module.facts.exports)
      if (chain === '*' && inner?.startsWith('self::')) open.push({ module: inner, from: module });
  }
}

function classNamed(names: NameResolver, chain: string, file: FileEntry, scope = ''): ClassEntry | undefined {
  for (const value of names.evaluate(chain, file, scope)) if (value.kind === 'class') return value.entry;
  return undefined;
}

/** `contains` edges from types of other files to the methods that a file declares for them. */
export function addForeignMembers(builder: GraphBuilder, names: NameResolver, file: FileEntry): void {
  if (!file.language.typing) return;
  for (const symbol of file.symbols.values()) {
    const owner = names.table.homes.has(symbol) ? classNamed(names, symbol.receiver ?? '', file) : undefined;
    if (!owner) continue;
    builder.edge({
      from: symbolId(owner.file.path, owner.symbol.qualname),
      to: symbolId(file.path, symbol.qualname),
      kind: 'contains',
      file: file.path,
      line: symbol.start,
    });
  }
}
