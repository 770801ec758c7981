import { looksBinary } from '../harness';

const largestDense = 1024 * 1024;
const longestAverageLine = 20_000;
/** Written code stays below this; above it, and large, a file is a bundle. */
const longestWrittenLine = 500;

/** The text of a file: UTF-8, UTF-16 with a byte order mark, else Windows-1252. Undefined for binary content. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (looksBinary(bytes)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Why a source is not worth parsing, or undefined. */
export function reasonToSkip(text: string): string | undefined {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  const average = text.length / lines;
  if (average > longestAverageLine)
    return `it is minified: its lines have ${Math.round(average)} characters on average`;
  if (text.length > largestDense && average > longestWrittenLine) {
    return `it is minified: ${(text.length / 1024 / 1024).toFixed(1)} MB in ${lines} lines`;
  }
  return undefined;
}
