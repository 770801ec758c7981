import { z } from 'zod';
import { Range } from './model';

/**
 * Facts of one source text, without knowledge of any other file.
 *
 * A *chain* is an expression written as dotted names: `self.model.query`, with `()` after a called and `[]` after an
 * indexed part (`clients[].chat().send`). `""` stands for a literal and `?` for anything that has no name.
 * A *scope* is the qualified name of the enclosing symbol, empty at module level.
 */
export const ParameterFact = z.object({
  name: z.string(),
  /** Annotation, as source text. */
  type: z.string().optional(),
  /** Chain of the default value. */
  value: z.string().optional(),
});
export type ParameterFact = z.infer<typeof ParameterFact>;

export const SymbolFact = z.object({
  kind: z.enum(['class', 'function', 'method', 'variable']),
  name: z.string(),
  /** Dotted path in the file; a repeated path gets `~2`, `~3`. */
  qualname: z.string(),
  start: z.int(),
  end: z.int(),
  signature: z.string().optional(),
  doc: z.string().optional(),
  decorators: z.array(z.string()).optional(),
  async: z.boolean().optional(),
  exported: z.boolean().optional(),
  /** A run starts here: the main function of a program, or what a command line calls for a command. */
  entry: z.enum(['program', 'command']).optional(),
  /** A test, or what only tests are compiled with. */
  test: z.boolean().optional(),
  loops: z.array(Range).optional(),
  /** Base classes and implemented interfaces, as type text. */
  bases: z.array(z.string()).optional(),
  /** The type a method belongs to, where it may be declared in another file. */
  receiver: z.string().optional(),
  /** A protocol, interface, abstract class or abstract method. */
  abstract: z.boolean().optional(),
  /** Read without a call: a property or getter. */
  getter: z.boolean().optional(),
  parameters: z.array(ParameterFact).optional(),
  /** Return annotation, as source text. */
  returns: z.string().optional(),
  /** Chains of returned expressions. */
  returned: z.array(z.string()).optional(),
  /** Value of a variable as source text, shortened. */
  detail: z.string().optional(),
  /** The object literal without a name that holds the function; without this, the path of the function says which. */
  holder: z.string().optional(),
});
export type SymbolFact = z.infer<typeof SymbolFact>;

/** `Class.attribute`: one place that declares or assigns it. */
export const AttributeFact = z.object({
  owner: z.string(),
  name: z.string(),
  scope: z.string(),
  line: z.int(),
  end: z.int(),
  type: z.string().optional(),
  values: z.array(z.string()).optional(),
  detail: z.string().optional(),
  /** May be absent from an object of this type. */
  optional: z.boolean().optional(),
});
export type AttributeFact = z.infer<typeof AttributeFact>;

/** Something put into the list, map or object that a name or an attribute stands for: `handlers['a'] = f`. */
export const ElementFact = z.object({
  /** Scope of the name, or qualified name of the class that has the attribute. */
  holder: z.string(),
  name: z.string(),
  attribute: z.boolean().optional(),
  key: z.string().optional(),
  /** Where the chain is written. */
  scope: z.string(),
  chain: z.string(),
});
export type ElementFact = z.infer<typeof ElementFact>;

/** What is given to a member of something else than the own object: `selector.onPick = handle`. */
export const AssignmentFact = z.object({
  scope: z.string(),
  chain: z.string(),
  values: z.array(z.string()),
  /** Qualified name of a function that is written there. */
  symbol: z.string().optional(),
});
export type AssignmentFact = z.infer<typeof AssignmentFact>;

/** What a local or module name may stand for. */
export const LocalFact = z.object({
  scope: z.string(),
  name: z.string(),
  type: z.string().optional(),
  values: z.array(z.string()).optional(),
  /** The name is a type alias: `type` is what it stands for. */
  alias: z.boolean().optional(),
});
export type LocalFact = z.infer<typeof LocalFact>;

export const CallFact = z.object({
  scope: z.string(),
  callee: z.string(),
  line: z.int(),
  text: z.string(),
  /** Last line, when the call goes over several. */
  end: z.int().optional(),
  construct: z.boolean().optional(),
  /** A decorator, called with what it stands above. */
  decorates: z.boolean().optional(),
  /** Positional arguments: a string literal in quotes, a chain, or empty; cut after the last that says something. */
  arguments: z.array(z.string()).optional(),
});
export type CallFact = z.infer<typeof CallFact>;

/** A name or member used as a value (`callback` true: handed over as an argument or property), read or written. */
export const AccessFact = z.object({
  scope: z.string(),
  chain: z.string(),
  line: z.int(),
  text: z.string().optional(),
  write: z.boolean().optional(),
  callback: z.boolean().optional(),
});
export type AccessFact = z.infer<typeof AccessFact>;

/** `name` is the name in the other module: `*` for the whole module, `default` for a default export. */
export const ImportFact = z.object({ local: z.string(), module: z.string(), name: z.string(), line: z.int() });
export type ImportFact = z.infer<typeof ImportFact>;

/** `module` null: `chain` is a name of this file. `exported` `*`: everything of `module`. */
export const ExportFact = z.object({
  exported: z.string(),
  module: z.string().nullable(),
  chain: z.string(),
  /** The module is compiled for tests only. */
  test: z.boolean().optional(),
});
export type ExportFact = z.infer<typeof ExportFact>;

export const StringFact = z.object({
  scope: z.string(),
  start: z.int(),
  end: z.int(),
  parts: z.array(z.string().nullable()),
});
export type StringFact = z.infer<typeof StringFact>;

export const ToolFact = z.object({
  /** The name the model sees, or a chain that leads to it when `nameChain` is true. */
  name: z.string(),
  nameChain: z.boolean().optional(),
  /** It is declared where `name` leads to; here is only what runs it. */
  elsewhere: z.boolean().optional(),
  description: z.string().optional(),
  scope: z.string(),
  start: z.int(),
  end: z.int(),
  /** Chains or qualified names of what runs the tool. */
  implementations: z.array(z.string()),
});
export type ToolFact = z.infer<typeof ToolFact>;

export const ConfigurationFact = z.object({
  key: z.string(),
  scope: z.string(),
  line: z.int(),
  text: z.string(),
  default: z.string().optional(),
});
export type ConfigurationFact = z.infer<typeof ConfigurationFact>;

/** `type` says that it is a `base`, at another place than its declaration. */
export const ImplementationFact = z.object({ type: z.string(), base: z.string(), scope: z.string() });
export type ImplementationFact = z.infer<typeof ImplementationFact>;

/** A text file that the compiler puts into a variable of the module; the path may have `*`. */
export const EmbedFact = z.object({ variable: z.string(), path: z.string(), line: z.int() });
export type EmbedFact = z.infer<typeof EmbedFact>;

/** An object literal that holds functions. `...` is among the keys when it spreads another object. */
export const ObjectFact = z.object({ path: z.string(), keys: z.array(z.string()) });
export type ObjectFact = z.infer<typeof ObjectFact>;

export const FileFacts = z.object({
  lines: z.int(),
  parseErrors: z.int(),
  symbols: z.array(SymbolFact),
  attributes: z.array(AttributeFact),
  locals: z.array(LocalFact),
  calls: z.array(CallFact),
  accesses: z.array(AccessFact),
  imports: z.array(ImportFact),
  exports: z.array(ExportFact),
  strings: z.array(StringFact),
  tools: z.array(ToolFact),
  configurations: z.array(ConfigurationFact),
  objects: z.array(ObjectFact),
  elements: z.array(ElementFact),
  assignments: z.array(AssignmentFact),
  /** Name of the package the file says it belongs to, where all files of one share their names. */
  package: z.string().optional(),
  embeds: z.array(EmbedFact).optional(),
  implementations: z.array(ImplementationFact).optional(),
});
export type FileFacts = z.infer<typeof FileFacts>;

/** Facts of a text with nothing in it. */
export function emptyFacts(): FileFacts {
  return {
    lines: 0,
    parseErrors: 0,
    symbols: [],
    attributes: [],
    locals: [],
    calls: [],
    accesses: [],
    imports: [],
    exports: [],
    strings: [],
    tools: [],
    configurations: [],
    objects: [],
    elements: [],
    assignments: [],
  };
}
