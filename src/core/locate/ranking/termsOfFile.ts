import { symbolsIn } from '../../graph';
import { definitionsOf, type SymbolLike, shellDefinitions } from './definitions';
import { type FileTerms, fileTermsOf } from './fileTerms';

/** The words of a file that no index knows yet: parses it on the spot. */
export async function termsOfFile(path: string, text: string): Promise<FileTerms> {
  const symbols = await symbolsIn(path, text);
  if (symbols) return fileTermsOf(text, definitionsOf(symbols));
  return fileTermsOf(text, isShell(path, text) ? shellDefinitions(text.split('\n')) : []);
}

function isShell(path: string, text: string): boolean {
  return path.endsWith('.sh') || /^#!.*sh\b/.test(text);
}

/** The words of a file whose definitions an index knows. */
export function termsOfIndexed(text: string, symbols: readonly SymbolLike[]): FileTerms {
  return fileTermsOf(text, definitionsOf(symbols));
}
