import {
  type ElementFact,
  type ExportFact,
  emptyFacts,
  type FileFacts,
  type ImportFact,
  type LocalFact,
  type SymbolFact,
} from '../fileFacts';
import type { Language, ModuleFinder } from '../languages/language';
import { append } from '../lists';
import { type Body, type HandedCall, type Outline, splitFacts } from '../outline';
import type { ClassEntry } from './classEntry';
import { elementPlace } from './given';
import type { Memo } from './memos';
import { Lookups, Reader, TrackedMap, type Tracking } from './tracking';

/** What the index knows of one source file before linking. */
export interface AnalyzedFile {
  path: string;
  language: string;
  outline: Outline;
  /** Reads what only the links of the file itself need. */
  body: () => Body;
}

/** One source file with its names. */
export class FileEntry {
  readonly path: string;
  /** Stands for the links of this file among those who looked something up. */
  readonly links = new FileLinks(this);
  readonly lookups: Lookups;
  /** All facts; those of the body are read when they are asked for. */
  facts: FileFacts;
  readonly symbols: TrackedMap<SymbolFact>;
  /** Locals by scope, then name. */
  readonly locals: ScopedLocals;
  readonly imports: TrackedMap<ImportFact>;
  readonly exports: TrackedMap<ExportFact>;
  /** What was put into lists, maps and objects, by the place of their name. */
  readonly elements: TrackedMap<ElementFact[]>;
  /** Last names of all symbols. */
  names = new Set<string>();
  handed: readonly HandedCall[] = [];
  /** Classes, then object literals with functions, in source order. */
  classes: ClassEntry[] = [];
  /** What was asked in this file before. */
  readonly memos = new Map<string, Memo>();
  /** Where its imports lead. */
  readonly found = new Map<string, FileEntry | null>();
  /** The type declarations beside compiled output, and the way back. */
  declarations?: FileEntry;
  compiled?: FileEntry;
  /** Stands for the package whose names the file sees without an import. */
  package?: FileEntry;
  private passedOn: string[] = [];

  constructor(
    file: AnalyzedFile,
    readonly language: Language,
    readonly modules: ModuleFinder,
    tracking: Tracking,
    /** Place among all files. */
    readonly order: number,
  ) {
    this.path = file.path;
    this.lookups = new Lookups(tracking, this.links);
    this.symbols = new TrackedMap(this.lookups);
    this.locals = new ScopedLocals(this.lookups);
    this.imports = new TrackedMap(this.lookups);
    this.exports = new TrackedMap(this.lookups);
    this.elements = new TrackedMap(this.lookups);
    this.facts = this.fill(file);
  }

  /** Modules whose every name is passed on. */
  get openExports(): readonly string[] {
    this.lookups.note(openExport);
    return this.passedOn;
  }

  /** Takes the facts of a text. */
  fill(file: AnalyzedFile): FileFacts {
    const { outline } = file;
    this.symbols.replace(new Map(outline.symbols.map((symbol) => [symbol.qualname, symbol])));
    this.locals.replace(outline.locals);
    this.names = new Set(outline.symbols.map(({ name }) => name));
    this.imports.replace(new Map(outline.imports.map((imported) => [imported.local, imported])));
    const named = outline.exports.filter(({ exported }) => exported !== '*');
    this.exports.replace(new Map(named.map((fact) => [fact.exported, fact])));
    this.passedOn = outline.exports.flatMap(({ exported, module }) =>
      exported === '*' && module !== null ? [module] : [],
    );
    this.handed = outline.handed;
    const elements = new Map<string, ElementFact[]>();
    for (const fact of outline.elements) {
      append(elements, elementPlace(fact), fact);
    }
    this.elements.replace(elements);
    this.found.clear();
    this.facts = new LazyFacts(this.lookups, file) as unknown as FileFacts;
    return this.facts;
  }

  /** Lets go of what only the links of this file need. */
  releaseBody(): void {
    const facts: unknown = this.facts;
    if (facts instanceof LazyFacts) facts.release();
  }
}

/** A file without a text of its own, in which a language keeps names that several files share. */
export function emptyEntry(path: string, language: Language, modules: ModuleFinder, tracking: Tracking): FileEntry {
  const { outline, body } = splitFacts(emptyFacts());
  return new FileEntry({ path, language: language.id, outline, body: () => body }, language, modules, tracking, -1);
}

/** Under which a look-up of the modules that are passed on is noted. */
export const openExport = 'export *';

/** The links of a file. */
export class FileLinks extends Reader {
  constructor(readonly file: FileEntry) {
    super();
  }
}

export function symbolId(file: string, qualname: string): string {
  return qualname ? `${file}#${qualname}` : file;
}

export function parentScope(scope: string): string {
  const dot = scope.lastIndexOf('.');
  return dot < 0 ? '' : scope.slice(0, dot);
}

/** Locals by scope, then name; a scope without locals has an empty map. */
export class ScopedLocals {
  private readonly none: TrackedMap<LocalFact>;
  private byScope = new Map<string, TrackedMap<LocalFact>>();

  constructor(private readonly lookups: Lookups) {
    this.none = new TrackedMap(lookups);
  }

  get(scope: string): TrackedMap<LocalFact> {
    return this.byScope.get(scope) ?? this.none;
  }

  replace(locals: readonly LocalFact[]): void {
    this.byScope = new Map();
    for (const local of locals) {
      const names = this.byScope.get(local.scope);
      if (names) names.set(local.name, local);
      else this.byScope.set(local.scope, new TrackedMap(this.lookups, [[local.name, local]]));
    }
  }
}

/** Noted when another file asks for a body. */
export const wholeBody = '#';

/** Facts of which the body is read when it is asked for, and let go. */
export class LazyFacts {
  // Really private: the facts beside them are walked over.
  #loaded: Body | undefined;
  readonly #load: () => Body;
  readonly #lookups: Lookups;

  constructor(lookups: Lookups, { outline, body }: Pick<AnalyzedFile, 'outline' | 'body'>) {
    this.#lookups = lookups;
    this.#load = body;
    const { handed: _, ...facts } = outline;
    Object.assign(this, facts);
  }

  get calls() {
    return this.#body.calls;
  }

  get accesses() {
    return this.#body.accesses;
  }

  get strings() {
    return this.#body.strings;
  }

  get tools() {
    return this.#body.tools;
  }

  get configurations() {
    return this.#body.configurations;
  }

  release(): void {
    this.#loaded = undefined;
  }

  get #body(): Body {
    this.#lookups.note(wholeBody);
    this.#loaded ??= this.#load();
    return this.#loaded;
  }
}
