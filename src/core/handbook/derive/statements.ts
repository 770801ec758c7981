import type { GraphNode } from '../../graph';

/** A statement of a function body with the bodies it holds. Lines count from 1. */
export interface Statement {
  start: number;
  end: number;
  /** First line, trimmed. */
  header: string;
  /** `if`/`else`, `try`/`except`, ...; empty for simple statements. */
  clauses: Clause[];
}

export interface Clause {
  start: number;
  end: number;
  header: string;
  body: Statement[];
}

const continuation = /^(?:[)\]}]|\.\w|\?\s|:\s|&&|\|\||(?:else|elif|except|finally|catch)\b)/;
const clauseStart = /^(?:\}\s*)?(?:else|elif|except|finally|catch|case\b|default\s*:)/;
const opensBody = /[:{]\s*(?:#.*|\/\/.*)?$/;
const compound =
  /^(?:\}\s*)?(?:'\w+:\s*)?(?:async\s+)?(?:(?:if|elif|else|for|while|try|except|finally|with|switch|match|case|default|do|catch|await\s+for)\b|loop\s*\{)/;

/**
 * Cuts lines of a function body into statements by their indentation. That is how people and formatters lay out
 * Python, TypeScript and JavaScript; a minified line is one statement.
 */
export function statementsOf(lines: readonly string[], start: number, end: number): Statement[] {
  const indent = (line: number): number => {
    const text = lines[line - 1] ?? '';
    return text.trim() === '' ? -1 : text.length - text.trimStart().length;
  };
  let first = start;
  while (first <= end && indent(first) === -1) first++;
  if (first > end) return [];
  const base = indent(first);
  const starts: number[] = [];
  for (let line = first; line <= end; line++) {
    const text = (lines[line - 1] ?? '').trim();
    if (indent(line) === base && !(starts.length > 0 && continuation.test(text)) && !isComment(text)) starts.push(line);
  }
  return starts.map((from, index) => {
    let to = (starts[index + 1] ?? end + 1) - 1;
    while (to > from && isBlankOrComment(lines[to - 1] ?? '')) to--;
    return statement(lines, from, to, base, indent);
  });
}

function statement(
  lines: readonly string[],
  start: number,
  end: number,
  base: number,
  indent: (line: number) => number,
): Statement {
  const header = (lines[start - 1] ?? '').trim();
  if (start === end || !compound.test(header)) return { start, end, header, clauses: [] };
  const heads = [start];
  for (let line = start + 1; line <= end; line++) {
    const text = (lines[line - 1] ?? '').trim();
    if (indent(line) === base && clauseStart.test(text)) heads.push(line);
  }
  const clauses = heads.map((from, index): Clause => {
    const to = (heads[index + 1] ?? end + 1) - 1;
    let bodyStart = from;
    // A header may run over several lines; the body starts after the line that opens it.
    while (bodyStart <= to && !opensBody.test(lines[bodyStart - 1] ?? '')) bodyStart++;
    const bodyEnd = /^\}/.test((lines[to - 1] ?? '').trim()) && to > bodyStart ? to - 1 : to;
    const body = bodyStart + 1 <= bodyEnd ? statementsOf(lines, bodyStart + 1, bodyEnd) : [];
    return { start: from, end: to, header: (lines[from - 1] ?? '').trim(), body };
  });
  return { start, end, header, clauses };
}

function isComment(text: string): boolean {
  return /^(#|\/\/|\/\*|\*)/.test(text);
}

function isBlankOrComment(line: string): boolean {
  const text = line.trim();
  return text === '' || isComment(text);
}

/** First line after the header of a definition, which may run over several lines. */
export function bodyStart(node: GraphNode, lines: readonly string[]): number {
  for (let line = node.start; line <= node.end; line++) {
    const text = (lines[line - 1] ?? '').replace(/\s*(?:#|\/\/).*$/, '').trimEnd();
    if (/[:{]$/.test(text) && !/^\s*@/.test(text)) return line + 1;
  }
  return node.start + 1;
}
