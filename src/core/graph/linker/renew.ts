import type { AttributeFact, SymbolFact } from '../fileFacts';
import { append } from '../lists';
import type { Outline } from '../outline';
import { wholeClass } from './classEntry';
import { type AnalyzedFile, type FileEntry, openExport, parentScope, wholeBody } from './fileEntry';
import { addAttributes, addClasses, addFunctions } from './members';
import type { ClassEntry, SymbolTable } from './symbolTable';
import { everything, lastName, type Reader } from './tracking';

/** What a new text changes for others. */
export interface Change {
  file: FileEntry;
  /** Those who looked up what is otherwise now. */
  readers: Reader[];
  /** Classes the file has or had. */
  classes: Set<ClassEntry>;
}

/** Gives a file the facts of its new text; undefined when tables that several files share would have to change too. */
export function renew(table: SymbolTable, analyzed: AnalyzedFile): Change | undefined {
  const file = table.files.get(analyzed.path);
  if (!file || file.language.id !== analyzed.language || file.compiled || file.declarations) return undefined;
  const before = sayings(file.facts);
  const after = sayings(analyzed.outline);
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  const isOrdered = file.facts.symbols.every(({ qualname }, at) => analyzed.outline.symbols[at]?.qualname === qualname);
  // Files of one package see each other's names, and types their methods in other files.
  if (names.includes(unnamed) || (file.language.typing && (names.length > 0 || !isOrdered))) return undefined;
  const listed = table.listed(file);
  const classes = new Set(file.classes);
  const symbols = keptSymbols(file.facts.symbols, analyzed.outline.symbols);
  const attributes = keptAttributes(file.facts.attributes, analyzed.outline.attributes);
  file.fill({ ...analyzed, outline: { ...analyzed.outline, symbols, attributes } });
  if (!file.language.typing) {
    addClasses(table, file);
    addFunctions(table, file);
    addAttributes(table, file);
  }
  for (const entry of file.classes) classes.add(entry);
  const readers = new Set(file.lookups.of(wholeBody));
  const tell = (more: readonly Reader[]) => {
    for (const reader of more) readers.add(reader);
  };
  for (const name of names) tell(file.lookups.of(name));
  if (names.length > 0 || !isOrdered) {
    tell(file.lookups.of(everything));
    tell(table.classes.walkers);
  }
  tell(table.relist(file, listed));
  return { file, readers: [...readers], classes };
}

/** Stands for facts that have no name. */
const unnamed = ' ';

/** What the facts of a file say to others, by the name under which they look it up. Lines say nothing. */
function sayings(outline: Omit<Outline, 'handed'> & Partial<Outline>): Map<string, string> {
  const said = new Map<string, string>();
  const say = (name: string, ...facts: unknown[]) => {
    said.set(name, `${said.get(name) ?? ''}${JSON.stringify(facts)}`);
  };
  // What is given to other objects is listed for all files.
  const { symbols, attributes, locals, imports, exports, objects, elements, assignments: _, ...others } = outline;
  const starts = new Map(symbols.map(({ qualname, start }) => [qualname, start]));
  for (const symbol of symbols) {
    const { qualname } = symbol;
    const text = symbolSaying(symbol);
    // Whether a wrapped function stands on the line of its variable tells that they are one.
    say(lastName(qualname), text, qualname.endsWith('~2') && starts.get(qualname.slice(0, -2)) === symbol.start);
    const parent = parentScope(qualname);
    say(wholeClass(parent), text);
    say(lastName(parent), symbol.kind, symbol.name);
  }
  for (const fact of attributes) {
    const text = attributeSaying(fact);
    say(lastName(fact.name), text);
    say(wholeClass(fact.owner), text);
  }
  for (const fact of locals) say(lastName(fact.name), fact);
  for (const { line: _, ...fact } of imports) say(lastName(fact.local), fact);
  for (const fact of elements) say(lastName(fact.name), fact);
  for (const fact of exports) say(fact.exported === '*' ? openExport : lastName(fact.exported), fact);
  for (const fact of objects) {
    say(lastName(fact.path), fact);
    say(wholeClass(fact.path), fact);
  }
  say(unnamed, { ...others, lines: 0, parseErrors: 0, handed: [] });
  return said;
}

function symbolSaying({ start, end, loops, doc, signature, async, ...said }: SymbolFact): string {
  return JSON.stringify(said);
}

function attributeSaying({ line, end, ...said }: AttributeFact): string {
  return JSON.stringify(said);
}

/** A symbol that says the same stays the same object, so that what is known of it holds. */
function keptSymbols(before: readonly SymbolFact[], after: readonly SymbolFact[]): SymbolFact[] {
  const known = new Map(before.map((symbol) => [symbol.qualname, symbol]));
  return after.map((symbol) => {
    const old = known.get(symbol.qualname);
    if (!old || symbolSaying(old) !== symbolSaying(symbol)) return symbol;
    const { loops, doc, signature, async } = symbol;
    return Object.assign(old, { start: symbol.start, end: symbol.end, loops, doc, signature, async });
  });
}

function keptAttributes(before: readonly AttributeFact[], after: readonly AttributeFact[]): AttributeFact[] {
  const known = new Map<string, AttributeFact[]>();
  for (const fact of before) {
    append(known, attributeSaying(fact), fact);
  }
  return after.map((fact) => {
    const old = known.get(attributeSaying(fact))?.shift();
    return old ? Object.assign(old, { line: fact.line, end: fact.end }) : fact;
  });
}
