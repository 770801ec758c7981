import type { FileFacts } from '../fileFacts';
import type { BoundaryKind } from '../model';

/** Says which kind of outside a dotted name is, for example `subprocess.run` or `openai.OpenAI.chat.completions.create`. */
export interface BoundaryRule {
  kind: BoundaryKind;
  /** With groups `library` and `method` the boundary is called by just these. */
  names: RegExp;
  /** What functions of the library return are handles of the outside too, such as a container that was looked up. */
  handles?: boolean;
}

/** A call of a library that asks the model and runs tools in turns until it is done: a loop that is in no source. */
export interface LibraryLoop {
  /** The boundary it crosses. */
  call: RegExp;
  /** What hands it the tools, called in the same function. */
  tools: RegExp;
}

/** Finds the file an import means. */
export interface ModuleFinder {
  /** Path of the file, or null when the module is outside the harness. */
  find(specifier: string, fromFile: string): string | null;
  /** Whether a module is one of the harness by its name, found or not. */
  isInside?(specifier: string): boolean;
}

/** A package found in the harness: its name and the folder and entry files it stands for. */
export interface PackageFact {
  /** What manages it; npm when absent. */
  system?: 'go' | 'cargo';
  name: string;
  folder: string;
  /** Entry files relative to the folder, most telling first; may not exist. */
  entries: string[];
  /** `exports` of the package: sub-path (`.` or `./x`) to file. */
  exports: Record<string, string>;
}

/** What a language folder gives to the registry. */
export interface Language {
  id: string;
  /** File endings with the dot; the longest match wins. */
  endings: readonly string[];
  /** Facts of one text. Never throws on broken sources. */
  analyze(text: string): Promise<FileFacts>;
  /** Places the parser could not understand, at most 50. */
  syntaxErrors(text: string): Promise<{ line: number; message: string }[]>;
  modules(files: readonly string[], packages: readonly PackageFact[]): ModuleFinder;
  boundaries: readonly BoundaryRule[];
  libraryLoops?: readonly LibraryLoop[];
  /** Turns an imported module and name into one dotted name of the outside. */
  externalName(module: string, name: string): string;
  /** Methods of built-in types: their last name alone never makes a call candidate. */
  builtinMethods: ReadonlySet<string>;
  /** Names that exist without an import. */
  builtins: ReadonlySet<string>;
  constructorName: string;
  /**
   * Set where types are declared: `structural` when a type stands for every interface it has the methods of, `nominal`
   * when it says so itself. Embedding is no overriding there, and a receiver's name says nothing about its type.
   */
  typing?: 'structural' | 'nominal';
  /** The annotation of a type, or of one of several results, in the notation of `linker/typeText.ts`. */
  typeText?(text: string, result?: number): string;
  /** The package whose names a file sees without importing them; `key` is the path imports lead to. */
  packageOf?(path: string, facts: FileFacts): { key: string; rank: number } | undefined;
}
