import { createHash } from 'node:crypto';
import { InputError } from '../errors';
import type { Harness } from '../harness';
import { readHarnessFile } from '../harness';
import { isMissing } from '../store';
import type { Site, SiteState } from './model';

/** Lines of a text without line breaks; a final line break starts no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** First 16 hex digits of the SHA-256 of the lines, joined with `\n`, so that CRLF and LF files agree. */
export function siteHash(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

/** Site for a line range (from 1, both ends included) of a file given as lines; the range is cut to the file. */
export function siteOf(file: string, symbol: string, start: number, end: number, lines: readonly string[]): Site {
  const last = Math.max(1, Math.min(end, lines.length));
  const first = Math.max(1, Math.min(start, last));
  return { file, symbol, start: first, end: last, hash: siteHash(lines.slice(first - 1, last)) };
}

export interface FoundSite {
  state: SiteState;
  start: number;
  end: number;
}

/** Where a site is in the given lines now: same place, other place with the same text, or changed. */
export function locateSite(site: Site, lines: readonly string[]): FoundSite {
  const length = site.end - site.start;
  if (site.end <= lines.length && siteHash(lines.slice(site.start - 1, site.end)) === site.hash) {
    return { state: 'fresh', start: site.start, end: site.end };
  }
  const last = lines.length - length - 1;
  let best: number | undefined;
  // The nearest copy wins: text above was usually inserted or removed by a few lines.
  for (let first = 0; first <= last; first++) {
    if (best !== undefined && Math.abs(first + 1 - site.start) >= Math.abs(best - site.start)) continue;
    if (siteHash(lines.slice(first, first + length + 1)) === site.hash) best = first + 1;
  }
  if (best !== undefined) return { state: 'moved', start: best, end: best + length };
  // A region lies below the line that defines its symbol; only a definition that is further down now has moved.
  const definition = definitionLine(site.symbol, lines) ?? 0;
  const start = Math.min(Math.max(definition, site.start), Math.max(1, lines.length));
  return { state: 'stale', start, end: Math.max(start, Math.min(start + length, lines.length)) };
}

/**
 * State of a site in the working tree. `stale` with the old lines when the file is gone.
 * @throws InputError when the path leads outside the repository; EnvironmentError when the file cannot be read.
 */
export async function siteState(harness: Pick<Harness, 'root'>, site: Site): Promise<FoundSite> {
  return stateIn(await linesNow(harness, site.file), site);
}

/** States of many sites, in their order; each file is read once. Throws what `siteState` throws. */
export async function siteStates(harness: Pick<Harness, 'root'>, sites: readonly Site[]): Promise<FoundSite[]> {
  const files = new Map<string, string[] | null>();
  for (const { file } of sites) if (!files.has(file)) files.set(file, await linesNow(harness, file));
  return sites.map((site) => stateIn(files.get(site.file) ?? null, site));
}

function stateIn(lines: readonly string[] | null, site: Site): FoundSite {
  return lines ? locateSite(site, lines) : { state: 'stale', start: site.start, end: site.end };
}

/** Lines of a file as it is now; null when it is gone. */
async function linesNow(harness: Pick<Harness, 'root'>, file: string): Promise<string[] | null> {
  try {
    return linesOf(await readHarnessFile(harness, file));
  } catch (error) {
    if ((error instanceof InputError && error.code === 'file-missing') || isMissing(error)) return null;
    throw error;
  }
}

/** Line on which the last name of a symbol path is defined, by the usual keywords. */
function definitionLine(symbol: string, lines: readonly string[]): number | undefined {
  const name = symbol.slice(symbol.lastIndexOf('.') + 1);
  if (!/^[\w$]+$/.test(name)) return undefined;
  const quoted = name.replace(/\$/g, '\\$');
  const definition = new RegExp(
    `\\b(def|class|function|const|let|var|interface|type|fn|struct|enum|trait|func(?:\\s*\\([^)]*\\))?)\\s+\\*?${quoted}\\b|^\\s*(?:(?:public|private|protected|static|async|override|get|set)\\s+)*${quoted}\\s*[(<=]`,
  );
  const at = lines.findIndex((line) => definition.test(line));
  return at === -1 ? undefined : at + 1;
}
