import type { SymbolFact } from '../fileFacts';
import type { ClassEntry, FileEntry } from './symbolTable';

/** What an expression may evaluate to, as far as names and annotations tell. */
export type Value =
  | {
      kind: 'function';
      file: FileEntry;
      symbol: SymbolFact;
      /** The class of the receiver, when overrides in its subclasses may run instead. */
      receiver?: ClassEntry;
    }
  | { kind: 'class'; entry: ClassEntry }
  /** `exact`: no subclass is meant (`super()`, a constructor call). */
  | { kind: 'instance'; entry: ClassEntry; exact?: boolean }
  /** A function-typed property of an interface: whoever implements it. */
  | { kind: 'slot'; entry: ClassEntry; name: string }
  | { kind: 'module'; file: FileEntry }
  /** A list, map or the like, by what it holds. */
  | {
      kind: 'container';
      of: Value[] /** A method of it that gives an element or the like of itself. */;
      called?: 'element' | 'same';
      /** What was put in under a key. */
      named?: Record<string, Value[]>;
    }
  /** A dotted name outside the harness. */
  | { kind: 'external'; name: string };

/** A value of a built-in type, of which nothing in the harness can be called. */
export const builtin: Value = { kind: 'external', name: '""' };

export function keyOf(value: Value): string {
  switch (value.kind) {
    case 'function':
      return `f${value.file.path}#${value.symbol.qualname}`;
    case 'class':
      return `c${value.entry.id}`;
    case 'instance':
      return `i${value.entry.id}`;
    case 'slot':
      return `s${value.entry.id}.${value.name}`;
    case 'module':
      return `m${value.file.path}`;
    case 'container':
      return `[${value.of.map(keyOf).join()}]${value.called ?? ''}`;
    case 'external':
      return `e${value.name}`;
  }
}

/** Without repeats, at most `limit`. */
export function distinct(values: readonly Value[], limit = 16): Value[] {
  if (values.length < 2) return values as Value[];
  const seen = new Map<string, Value>();
  for (const value of values) {
    const key = keyOf(value);
    const known = seen.get(key);
    // A value that may be of a subclass too stands for the exact one.
    if (!known || (known.kind === 'instance' && known.exact)) seen.set(key, value);
    if (seen.size >= limit) break;
  }
  return [...seen.values()];
}

/** Whether two answers say the same: facts that changed are other objects. */
export function sameAnswer(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((each, at) => sameAnswer(each, b[at]));
  }
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => sameAnswer(a[key], b[key]));
}

/** Symbols, files and classes are told apart by identity; only the records around them are compared. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !('qualname' in value) && !('lookups' in value);
}

/** What is held says more than an interface it is declared as; of anything else both are kept. */
export function narrowed(declared: Value[], holds: readonly Value[]): Value[] {
  const isKnown = holds.length > 0 && holds.every((value) => value.kind === 'instance' && !value.entry.symbol.abstract);
  const isInterface = (value: Value) => value.kind === 'instance' && value.entry.symbol.abstract === true;
  return distinct([...(isKnown ? declared.filter((value) => !isInterface(value)) : declared), ...holds]);
}

/** `const f = wrap(() => ...)` makes a variable and, at the same place, a function: calling the one runs the other. */
export function wrappedBy(file: FileEntry, variable: SymbolFact | undefined): Value[] {
  const symbol = variable && file.symbols.get(`${variable.qualname}~2`);
  return symbol && symbol.kind === 'function' && symbol.start === variable.start
    ? [{ kind: 'function', file, symbol }]
    : [];
}

/** `timeout: Limit = Field(...)` of pydantic and the like: the call describes the attribute, it is not its value. */
export function isHeld(value: Value): boolean {
  return value.kind !== 'external' || !/(^|\.)[fF]ield\(\)$/.test(value.name);
}
