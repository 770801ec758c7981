/**
 * Splits a text after each `\n`; every line keeps its ending, so joining gives the same text again.
 * A carriage return stays part of its line and a byte order mark part of the first.
 */
export function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** A line as people read it: without its ending. */
export function withoutEnding(line: string): string {
  return line.replace(/\r?\n$/, '');
}

/** The ending most lines of a text have; `\n` when it has none. */
export function dominantEnding(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/** The text with every line ending replaced by `ending`. */
export function withEnding(text: string, ending: '\n' | '\r\n'): string {
  return text.replace(/\r?\n/g, ending);
}

/** Line from 1 of a character offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
