import type { AttributeFact, CallFact, ExportFact, FileFacts, ImportFact, LocalFact, SymbolFact } from '../fileFacts';
import { languageById } from '../languages';
import type { Language, ModuleFinder, PackageFact } from '../languages/language';

import type { Value } from './values';

/** What the index knows of one source file before linking. */
export interface AnalyzedFile {
  path: string;
  language: string;
  facts: FileFacts;
}

export interface FileEntry {
  path: string;
  language: Language;
  facts: FileFacts;
  modules: ModuleFinder;
  symbols: Map<string, SymbolFact>;
  /** Locals by scope, then name. */
  locals: Map<string, Map<string, LocalFact>>;
  /** Last names of all symbols. */
  names: Set<string>;
  /** What was evaluated in this file before. */
  known: Map<string, Value[]>;
  /** Where its imports lead. */
  found: Map<string, FileEntry | null>;
  imports: Map<string, ImportFact>;
  exports: Map<string, ExportFact>;
  /** Modules whose every name is passed on. */
  openExports: string[];
  /** The type declarations beside compiled output, and the way back. */
  declarations?: FileEntry;
  compiled?: FileEntry;
  /** Stands for the package whose names the file sees without an import. */
  package?: FileEntry;
}

export interface ClassEntry {
  id: string;
  file: FileEntry;
  symbol: SymbolFact;
  members: Map<string, SymbolFact>;
  attributes: Map<string, { fact: AttributeFact; file: FileEntry }[]>;
  /** Direct subclasses; filled when bases are resolved. */
  subclasses: ClassEntry[];
  /** An object literal with functions: it has no node, but may stand for an interface. */
  literal: boolean;
  /** All keys of the object literal. */
  keys?: Set<string>;
}

export function symbolId(file: string, qualname: string): string {
  return qualname ? `${file}#${qualname}` : file;
}

export function parentScope(scope: string): string {
  const dot = scope.lastIndexOf('.');
  return dot < 0 ? '' : scope.slice(0, dot);
}

/** All names of all files, without what they mean. */
export class SymbolTable {
  readonly files = new Map<string, FileEntry>();
  /** Packages by the path that imports of them lead to. */
  readonly packages = new Map<string, FileEntry>();
  readonly classes = new Map<string, ClassEntry>();
  /** Files of members that lie in another file than their class. */
  readonly homes = new Map<SymbolFact, FileEntry>();
  /** Calls that hand something over, by the last name of the callee. */
  readonly callers = new Map<string, { file: FileEntry; call: CallFact }[]>();
  /** Interfaces and protocols by the names of their functions. */
  readonly interfacesByName = new Map<string, ClassEntry[]>();
  /** Functions that are members of something, by last name. */
  readonly membersByName = new Map<string, { file: FileEntry; symbol: SymbolFact }[]>();

  constructor(analyzed: readonly AnalyzedFile[], packages: readonly PackageFact[]) {
    const paths = analyzed.map((file) => file.path);
    const finders = new Map<Language['modules'], ModuleFinder>();
    for (const file of analyzed) {
      const language = languageById(file.language);
      if (!language) continue;
      const modules = finders.get(language.modules) ?? language.modules(paths, packages);
      finders.set(language.modules, modules);
      this.files.set(file.path, entryOf(file, language, modules));
    }
    for (const entry of this.files.values()) this.joinDeclarations(entry);
    for (const entry of this.files.values()) this.addClasses(entry);
    for (const entry of this.files.values()) this.addMembers(entry);
    for (const entry of this.files.values()) this.addCallers(entry);
    for (const entry of this.classes.values()) if (entry.symbol.abstract) this.addInterface(entry);
  }

  /** The class of a symbol; a declared class gives its compiled twin. */
  classOf(file: FileEntry, qualname: string): ClassEntry | undefined {
    const twin = file.compiled ? this.classes.get(symbolId(file.compiled.path, qualname)) : undefined;
    return twin ?? this.classes.get(symbolId(file.path, qualname));
  }

  /** A declared class that its compiled twin stands for. */
  isShadow(entry: ClassEntry): boolean {
    return entry.file.compiled !== undefined && this.classOf(entry.file, entry.symbol.qualname) !== entry;
  }

  private joinDeclarations(entry: FileEntry): void {
    const stem = /^(.*)\.d\.([cm]?)ts$/.exec(entry.path);
    const compiled = stem ? this.files.get(`${stem[1]}.${stem[2]}js`) : undefined;
    if (!compiled) return;
    entry.compiled = compiled;
    compiled.declarations = entry;
  }

  private addClasses(file: FileEntry): void {
    for (const symbol of file.facts.symbols) {
      if (symbol.kind === 'class') this.addClass(file, symbol, false);
    }
    for (const symbol of file.facts.symbols) {
      const owner = parentScope(symbol.qualname);
      if (symbol.kind !== 'method' || symbol.receiver || !owner || file.symbols.get(owner)?.kind === 'class') continue;
      const id = `${symbolId(file.path, owner)}{}`;
      const literal =
        this.classes.get(id) ??
        this.addClass(file, { ...symbol, qualname: owner, kind: 'class', abstract: false, bases: [] }, true);
      literal.members.set(symbol.name, symbol);
      literal.keys ??= new Set(file.facts.objects.find(({ path }) => path === owner)?.keys);
    }
  }

  private addClass(file: FileEntry, symbol: SymbolFact, literal: boolean): ClassEntry {
    const id = `${symbolId(file.path, symbol.qualname)}${literal ? '{}' : ''}`;
    const entry: ClassEntry = { id, file, symbol, literal, members: new Map(), attributes: new Map(), subclasses: [] };
    this.classes.set(id, entry);
    return entry;
  }

  private addInterface(entry: ClassEntry): void {
    if (this.isShadow(entry)) return;
    const slots = [...entry.attributes].filter(([, places]) => places.some(({ fact }) => fact.type?.includes('=>')));
    for (const name of [...entry.members.keys(), ...slots.map(([slot]) => slot)]) {
      const known = this.interfacesByName.get(name);
      if (known) known.push(entry);
      else this.interfacesByName.set(name, [entry]);
    }
  }

  private addCallers(file: FileEntry): void {
    for (const call of file.facts.calls) {
      if (!call.arguments) continue;
      const name = call.callee.slice(call.callee.lastIndexOf('.') + 1);
      const known = this.callers.get(name);
      if (known) known.push({ file, call });
      else this.callers.set(name, [{ file, call }]);
    }
  }

  private addMembers(file: FileEntry): void {
    for (const symbol of file.facts.symbols) {
      const owner = this.classes.get(symbolId(file.path, parentScope(symbol.qualname)));
      const isFunction = symbol.kind === 'method' || symbol.kind === 'function';
      if (owner && isFunction && !owner.members.has(symbol.name)) owner.members.set(symbol.name, symbol);
      if (symbol.kind !== 'method' || symbol.abstract || file.compiled) continue;
      const named = this.membersByName.get(symbol.name);
      if (named) named.push({ file, symbol });
      else this.membersByName.set(symbol.name, [{ file, symbol }]);
    }
    for (const fact of file.facts.attributes) {
      const owner = this.classOf(file, fact.owner);
      if (!owner || owner.members.has(fact.name)) continue;
      const places = owner.attributes.get(fact.name);
      if (places) places.push({ fact, file });
      else owner.attributes.set(fact.name, [{ fact, file }]);
    }
  }
}

function localsOf(facts: readonly LocalFact[]): FileEntry['locals'] {
  const byScope: FileEntry['locals'] = new Map();
  for (const local of facts) {
    const names = byScope.get(local.scope);
    if (names) names.set(local.name, local);
    else byScope.set(local.scope, new Map([[local.name, local]]));
  }
  return byScope;
}

export function entryOf(file: AnalyzedFile, language: Language, modules: ModuleFinder): FileEntry {
  const { facts } = file;
  return {
    path: file.path,
    language,
    facts,
    modules,
    symbols: new Map(facts.symbols.map((symbol) => [symbol.qualname, symbol])),
    locals: localsOf(facts.locals),
    names: new Set(facts.symbols.map(({ name }) => name)),
    known: new Map(),
    found: new Map(),
    imports: new Map(facts.imports.map((imported) => [imported.local, imported])),
    exports: new Map(facts.exports.filter(({ exported }) => exported !== '*').map((fact) => [fact.exported, fact])),
    openExports: facts.exports.flatMap(({ exported, module }) => (exported === '*' && module !== null ? [module] : [])),
  };
}
