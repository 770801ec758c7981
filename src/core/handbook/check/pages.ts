import { readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { throwIfCancelled } from '../../errors';
import { isMissing, readTextIfPresent } from '../../store';
import { isPageName, type Page } from '../pages';
import { lineDifferences } from './differences';
import type { HandbookProblem } from './model';
import type { Texts } from './texts';

export interface PageCheck {
  texts: Texts;
  /** Source files whose text has changed; they are reported by their sites. */
  stale: ReadonlySet<string>;
  root: string;
  signal: AbortSignal | undefined;
}

const mostOfOnePage = 8;

/** Reads every page on disk and compares each line with what the source gives now. */
export async function pageProblems(
  folder: string,
  expected: readonly Page[],
  check: PageCheck,
): Promise<HandbookProblem[]> {
  const problems: HandbookProblem[] = [];
  const paths = new Set(expected.map((page) => page.path));
  for (const path of await pagesOnDisk(folder)) {
    if (!paths.has(path))
      problems.push({
        page: path,
        message: `${path} is a page of something that does not exist.`,
        file: path,
        line: 1,
      });
  }
  for (const page of expected) {
    throwIfCancelled(check.signal, 'Checking the handbook');
    const text = await readTextIfPresent(join(folder, page.path));
    if (text === undefined) {
      problems.push({
        page: page.path,
        message: `The page of ${page.title} (${page.path}) is missing.`,
        file: page.path,
        line: 1,
      });
    } else if (text !== page.markdown) {
      problems.push(...(await differing(page, text, folder, paths, check)));
    }
  }
  return problems;
}

async function pagesOnDisk(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const part of ['stages', 'units']) {
    const names = await readdir(join(folder, part)).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    found.push(...names.filter(isPageName).map((name) => `${part}/${name}`));
  }
  return found.sort();
}

async function differing(
  page: Page,
  text: string,
  folder: string,
  paths: ReadonlySet<string>,
  check: PageCheck,
): Promise<HandbookProblem[]> {
  const problems: HandbookProblem[] = [];
  let unsaid = 0;
  for (const { line, section, said, instead } of lineDifferences(text, page.markdown)) {
    const links = linksOf(said ?? instead ?? '', join(folder, page.path, '..'), folder, check.root);
    // The lines of a text that has moved are wrong everywhere; its sites are reported once.
    const isMoved = links.some((link) => link.source !== undefined && check.stale.has(link.source));
    if (isMoved && said !== undefined && instead !== undefined && withoutNumbers(said) === withoutNumbers(instead))
      continue;
    if (isMoved && (said === undefined || instead === undefined)) continue;
    if (problems.length >= mostOfOnePage) {
      unsaid++;
      continue;
    }
    const place = links.find((link) => link.source !== undefined);
    const where = section === '' ? page.title : `${page.title}, "${section}"`;
    problems.push({
      page: page.path,
      message: `${where}: ${await explain(said, instead, links, paths, check)}`,
      file: said !== undefined && place?.source ? place.source : page.path,
      line: said !== undefined && place?.source ? place.start : line,
    });
  }
  if (unsaid > 0)
    problems.push({
      page: page.path,
      message: `${page.title}: ${unsaid} more lines differ.`,
      file: page.path,
      line: 1,
    });
  return problems;
}

async function explain(
  said: string | undefined,
  instead: string | undefined,
  links: readonly PageLink[],
  paths: ReadonlySet<string>,
  { texts }: PageCheck,
): Promise<string> {
  if (said === undefined) return `the page leaves out: ${shown(instead ?? '')}`;
  const should = instead === undefined ? '' : ` The source gives: ${shown(instead)}`;
  for (const link of links) {
    if (link.page !== undefined && !paths.has(link.page))
      return `a link leads to ${link.page}, which does not exist.${should}`;
    if (link.source === undefined) continue;
    const lines = await texts.lines(link.source).catch(() => undefined);
    if (!lines) return `a link leads to ${link.source}, which does not exist.${should}`;
    if (link.end > lines.length)
      return `a link leads to line ${link.end} of ${link.source}, which has ${lines.length} lines.${should}`;
  }
  return `the source does not bear out: ${shown(said)}${should}`;
}

interface PageLink {
  page?: string;
  source?: string;
  start: number;
  end: number;
}

/** The links of a line: to pages by their path in the handbook, to sources by their path in the repository. */
function linksOf(line: string, from: string, folder: string, root: string): PageLink[] {
  return [...line.matchAll(/\]\(([^)#\s]+)(?:#L(\d+)(?:-L(\d+))?)?\)/g)].map((match) => {
    const target = resolve(from, decoded(match[1] ?? ''));
    const start = Number(match[2] ?? 0);
    const end = Number(match[3] ?? match[2] ?? 0);
    if (start > 0) return { source: inside(root, target), start, end };
    return { page: inside(folder, target), start, end };
  });
}

function inside(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a hand-written link
  }
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '#');
}

/** A line of Markdown as a reader sees it, at most 160 characters. */
function shown(line: string): string {
  const text = line
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\\(.)/g, '$1')
    .trim();
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}
