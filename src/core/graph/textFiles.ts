import { looksBinary } from '../harness';

/** Written code has lines of 30 to 50 characters on average; bundles and generated code are far above. */
const longestAverageLine = 1_000;
/** Shorter texts may be data or one long line by hand; with several functions in such a line they are not. */
const smallestBundle = 20_000;
const smallestFunctions = 1_500;
/** Bundlers name their output after its content: `index-BY8Yz_3K.js`. Few lines of such a file are as short as written ones. */
const hashedName = /-(?=[\w-]*[A-Z0-9_])[\w-]{8}\.[cm]?js$/;
const longestHashedLine = 150;

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
export function reasonToSkip(path: string, text: string): string | undefined {
  if (/[.-]min\.[cm]?js$/.test(path)) return 'it is minified by its name';
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  const average = text.length / lines;
  const isHashed = hashedName.test(path) && average > longestHashedLine;
  const isLong = text.length >= smallestBundle || (text.length >= smallestFunctions && hasFunctions(path, text));
  if (!isHashed && (average <= longestAverageLine || !isLong)) return undefined;
  return `it is minified: its lines have ${Math.round(average)} characters on average`;
}

function hasFunctions(path: string, text: string): boolean {
  return /\.[cm]?js$/.test(path) && (text.match(/=>|\bfunction\b/g)?.length ?? 0) >= 3;
}
