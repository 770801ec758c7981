import { StringDecoder } from 'node:string_decoder';

/** What is kept of one line; a longer one is data, of which nothing is read. */
const longestKept = 8_192;

/**
 * Lines of what git prints, without their ends. Only a line feed ends a line: other separators stand in messages and
 * sources, where what follows them must not pass for a line of git. Of a long line only the start is given.
 */
export async function* gitLines(output: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let line = '';
  for await (const chunk of output) {
    const parts = decoder.write(chunk).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      yield withoutReturn(`${line}${part}`.slice(0, longestKept));
      line = '';
    }
    line = `${line}${last}`.slice(0, longestKept);
  }
  line += decoder.end();
  if (line !== '') yield withoutReturn(line);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A path as it is, of one that git prints: in quotes, as in C, when it has control characters, quotes or backslashes. */
export function pathOfGit(text: string): string {
  if (!/^".*"$/.test(text)) return text;
  const bytes: Buffer[] = [];
  for (const [part, octal, letter] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
    else if (letter !== undefined) bytes.push(Buffer.from([escapes[letter] ?? letter.charCodeAt(0)]));
    else bytes.push(Buffer.from(part));
  }
  return Buffer.concat(bytes).toString('utf8');
}
