import type { GraphNode } from '../model';
import type { Dispatch } from './dispatch';
import type { GraphBuilder } from './graphBuilder';
import { submoduleIn } from './imported';
import { filesUsed } from './packages';
import type { NameResolver } from './resolveNames';
import type { TextResolver } from './resolveTexts';
import { type ClassEntry, type FileEntry, parentScope, type SymbolTable, symbolId } from './symbolTable';

/** Nodes of a file's symbols with what contains what. Symbols of declarations with a compiled twin have nodes there. */
export function addSymbols(builder: GraphBuilder, file: FileEntry): void {
  for (const symbol of file.facts.symbols) {
    const id = symbolId(file.path, symbol.qualname);
    if (builder.idOf(id) !== id) continue;
    const node: GraphNode = {
      id,
      kind: symbol.kind,
      name: symbol.name,
      qualname: symbol.qualname,
      file: file.path,
      start: symbol.start,
      end: symbol.end,
    };
    if (symbol.signature) node.signature = symbol.signature;
    if (symbol.doc) node.doc = symbol.doc;
    if (symbol.decorators) node.decorators = symbol.decorators;
    if (symbol.async) node.async = true;
    if (symbol.exported) node.exported = true;
    if (symbol.entry && !/(^|\/)(build\.rs$|examples\/)/.test(file.path)) node.entry = symbol.entry;
    if (symbol.test) node.test = true;
    if (symbol.loops) node.loops = symbol.loops;
    if (symbol.detail) node.detail = symbol.detail;
    builder.node(node);
    const parent = parentScope(symbol.qualname);
    if (file.symbols.has(parent)) contain(builder, file, parent, id, symbol.start);
  }
}

/** Symbols of type declarations, by id, with the compiled symbols that stand for them. */
export function twinsOf(table: SymbolTable): Map<string, string> {
  const twins = new Map<string, string>();
  for (const { path, compiled, facts } of table.files.values()) {
    for (const { qualname } of compiled ? facts.symbols : []) {
      const twin = twinOf(compiled!, qualname);
      if (twin) twins.set(symbolId(path, qualname), twin);
    }
  }
  return twins;
}

/** The compiled symbol behind a declared one: itself, without its overload number, or what holds it. */
function twinOf(compiled: FileEntry, qualname: string): string | undefined {
  for (let path = qualname; path; path = parentScope(path)) {
    const plain = path.replace(/~\d+$/, '');
    if (compiled.symbols.has(plain)) return symbolId(compiled.path, plain);
  }
  return undefined;
}

/** Attribute nodes, owned by the base that first declares them. */
export function addAttributes(builder: GraphBuilder, names: NameResolver, entry: ClassEntry): void {
  if (entry.literal) return;
  for (const [name, places] of entry.attributes) {
    // Parts of a variant are known to patterns only.
    if (name.includes(':')) continue;
    const owner = names.hierarchy.lineage(entry).findLast((each) => each.attributes.has(name));
    if (owner !== entry) continue;
    const own = places.filter(({ file }) => file === entry.file);
    const { fact } = own[0] ?? places[0]!;
    const detail = own.find((place) => place.fact.detail)?.fact.detail;
    const type = places.find((place) => place.fact.type)?.fact.type;
    const qualname = `${entry.symbol.qualname}.${name}`;
    const id = symbolId(entry.file.path, qualname);
    const line = own.length > 0 ? fact.line : entry.symbol.start;
    const end = own.length > 0 ? fact.end : line;
    builder.node({
      id,
      kind: 'attribute',
      name,
      qualname,
      file: entry.file.path,
      start: line,
      end,
      ...(type ? { signature: `${name}: ${type}` } : {}),
      ...(detail ? { detail } : {}),
    });
    contain(builder, entry.file, entry.symbol.qualname, id, line);
  }
}

export function addInheritance(builder: GraphBuilder, names: NameResolver, entry: ClassEntry): void {
  if (entry.literal) return;
  for (const base of names.hierarchy.bases(entry).classes) {
    builder.edge({
      from: symbolId(entry.file.path, entry.symbol.qualname),
      to: symbolId(base.file.path, base.symbol.qualname),
      kind: 'inherits',
      file: entry.file.path,
      line: entry.symbol.start,
    });
  }
}

export function addImports(builder: GraphBuilder, names: NameResolver, file: FileEntry): void {
  const add = (module: string, line: number) => {
    const target = names.fileOf(module, file);
    if (target && names.table.packages.get(target.path) === target) {
      for (const { local } of file.facts.imports.filter((each) => each.module === module))
        for (const to of filesUsed(file, local, target))
          builder.edge({ from: file.path, to, kind: 'imports', file: file.path, line });
    } else if (target && target !== file)
      builder.edge({ from: file.path, to: target.path, kind: 'imports', file: file.path, line });
  };
  for (const fact of file.facts.imports) {
    add(fact.module, fact.line);
    if (file.language.id === 'python') add(submoduleIn(fact), fact.line);
  }
  for (const { module } of file.facts.exports) if (module !== null) add(module, 1);
}

export function addLiterals(builder: GraphBuilder, file: FileEntry): void {
  for (const { scope, start, end, parts } of file.facts.strings) {
    builder.data.literals.push({ file: file.path, start, end, owner: builder.idOf(symbolId(file.path, scope)), parts });
  }
  for (const { variable, path, line } of file.facts.embeds ?? [])
    builder.data.literals.push({
      file: file.path,
      start: line,
      end: line,
      owner: symbolId(file.path, variable),
      parts: [path],
    });
}

export function addConfiguration(builder: GraphBuilder, file: FileEntry): void {
  for (const { key, scope, line, text, default: otherwise } of file.facts.configurations) {
    const id = `config:${key}`;
    builder.node({
      id,
      kind: 'config',
      name: key,
      qualname: key,
      file: file.path,
      start: line,
      end: line,
      ...(otherwise ? { detail: otherwise } : {}),
    });
    builder.edge({ from: symbolId(file.path, scope), to: id, kind: 'reads', file: file.path, line, text });
  }
}

/** Tool nodes with their declaring place and what runs them. */
export function addTools(
  builder: GraphBuilder,
  names: NameResolver,
  texts: TextResolver,
  dispatch: Dispatch,
  file: FileEntry,
): void {
  for (const tool of file.facts.tools) {
    const name = tool.nameChain ? texts.textOf(tool.name, file, tool.scope) : tool.name;
    if (!name) continue;
    const id = `tool:${name}`;
    const place = tool.elsewhere ? placeOfVariant(names, tool.name, file, tool.scope) : undefined;
    if (tool.elsewhere && !place) continue;
    const { start, end } = place ?? tool;
    builder.node({
      id,
      kind: 'tool',
      name,
      qualname: name,
      file: place?.file ?? file.path,
      start,
      end,
      ...(tool.description ? { detail: tool.description } : {}),
    });
    const from = symbolId(file.path, tool.scope);
    if (!place) builder.edge({ from, to: id, kind: 'declares-tool', file: file.path, line: tool.start });
    for (const chain of tool.implementations) {
      const own = file.symbols.get(chain);
      const found = own ? [symbolId(file.path, chain)] : functionsOf(names, dispatch, chain, file, tool.scope);
      for (const to of found)
        builder.edge({ from: id, to, kind: 'implements-tool', file: file.path, line: tool.start });
    }
  }
}

/** Where the variant of an enum stands that `Enum.Variant` names. */
function placeOfVariant(names: NameResolver, chain: string, file: FileEntry, scope: string) {
  const dot = chain.lastIndexOf('.');
  for (const value of names.evaluate(chain.slice(0, dot), file, scope)) {
    const place = value.kind === 'class' ? value.entry.attributes.get(chain.slice(dot + 1))?.[0] : undefined;
    if (place) return { file: place.file.path, start: place.fact.line, end: place.fact.end };
  }
  return undefined;
}

function functionsOf(names: NameResolver, dispatch: Dispatch, chain: string, file: FileEntry, scope: string): string[] {
  return names.evaluate(chain, file, scope).flatMap((value) => {
    if (value.kind !== 'function') return [];
    // Where types are declared, what an interface asks for is run by those that have it.
    const targets = file.language.typing ? dispatch.targets(value.file, value.symbol, value.receiver) : [value];
    return targets.map((target) => symbolId(target.file.path, target.symbol.qualname));
  });
}

function contain(builder: GraphBuilder, file: FileEntry, parent: string, to: string, line: number): void {
  builder.edge({ from: symbolId(file.path, parent), to, kind: 'contains', file: file.path, line });
}
