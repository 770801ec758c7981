/** What the ranking sees of a file: its top-level definitions and the methods of its classes, by lines. */
export interface Definition {
  /** Dotted path in the file; `(file)` for a text without definitions. */
  name: string;
  kind: 'function' | 'method' | 'class' | 'variable' | 'file';
  /** From 1, both ends included. */
  start: number;
  end: number;
}

/** A symbol of the program graph or of the facts of one file. */
export interface SymbolLike {
  kind: string;
  qualname: string;
  start: number;
  end: number;
}

/** Stands for a whole text in which nothing is defined. */
export const wholeFile = '(file)';

/**
 * The definitions of a file that an answer may name. What is defined inside a function or a variable belongs to the
 * outer one; Rust test modules are no part of the program.
 */
export function definitionsOf(symbols: readonly SymbolLike[]): Definition[] {
  const outer = new Set<string>();
  for (const { kind, qualname } of symbols) if (kind !== 'class') outer.add(qualname);
  const definitions: Definition[] = [];
  for (const { kind, qualname, start, end } of symbols) {
    if (kind !== 'function' && kind !== 'method' && kind !== 'class' && kind !== 'variable') continue;
    if (isInside(qualname, outer) || /^tests?\./.test(qualname)) continue;
    // A variable of a class body is part of its class.
    if (kind === 'variable' && qualname.includes('.')) continue;
    definitions.push({ name: qualname, kind, start, end });
  }
  return definitions.sort((a, b) => a.start - b.start || b.end - a.end);
}

function isInside(qualname: string, outer: ReadonlySet<string>): boolean {
  for (let dot = qualname.lastIndexOf('.'); dot > 0; dot = qualname.lastIndexOf('.', dot - 1)) {
    if (outer.has(qualname.slice(0, dot))) return true;
  }
  return false;
}

/** Functions of a shell script: from `name() {` to the brace in the same column. */
export function shellDefinitions(lines: readonly string[]): Definition[] {
  const definitions: Definition[] = [];
  for (let at = 0; at < lines.length; at++) {
    const head = /^(?:function\s+)?([A-Za-z_][\w-]*)\s*\(\)\s*\{?|^function\s+([A-Za-z_][\w-]*)/.exec(lines[at] ?? '');
    if (!head) continue;
    let end = at;
    if (!/\}\s*$/.test(lines[at] ?? '')) while (end < lines.length - 1 && !/^\}/.test(lines[end] ?? '')) end++;
    definitions.push({ name: head[1] ?? head[2] ?? '', kind: 'function', start: at + 1, end: end + 1 });
    at = end;
  }
  return definitions;
}

/** The one definition of a text that defines nothing. */
export function fileDefinition(lines: readonly string[]): Definition {
  return { name: wholeFile, kind: 'file', start: 1, end: Math.max(1, lines.length) };
}
