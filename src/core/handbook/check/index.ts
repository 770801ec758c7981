import { throwIfCancelled } from '../../errors';
import { indexHarness } from '../../graph';
import type { Harness } from '../../harness';
import type { WorkOptions } from '../../progress';
import { buildHandbook } from '../build';
import type { BehaviourMap, Site } from '../model';
import { readMap, renderPages } from '../pages';
import { unitPath } from '../pages/links';
import { locateSite } from '../site';
import type { HandbookCheck, HandbookProblem } from './model';
import { pageProblems } from './pages';
import { quoteProblems } from './quotes';
import { relationProblems } from './relations';
import { Texts } from './texts';

export { HandbookCheck, HandbookProblem } from './model';

/**
 * Compares a handbook with the working tree: every site by its text, every quoted piece of code, then every relation,
 * register, count and unit by deriving the map again. Of a folder also every line of every page on disk: what a page says
 * and the source does not bear out is reported, as is what it leaves out. No problem means that the handbook holds.
 * @param written The map, or the folder its pages were written to.
 * @throws InputError when the folder holds no readable map.
 */
export async function checkHandbook(
  harness: Harness,
  written: BehaviourMap | string,
  work: WorkOptions = {},
): Promise<HandbookCheck> {
  const map = typeof written === 'string' ? await readMap(written) : written;
  const texts = new Texts(harness);
  work.progress?.({ message: 'Checking sites' });
  const { checked, problems } = await siteProblems(map, texts, work);
  const stale = new Set(problems.map((problem) => problem.file));
  const { graph } = await indexHarness(harness, work);
  for (const hit of await quoteProblems(map.units, texts, graph)) problems.push(hit);
  const now = await buildHandbook(graph, harness, work);
  problems.push(...relationProblems(map, now, stale));
  for (const { key, why } of now.overlay?.orphans ?? []) {
    problems.push({
      message: `handbook.json speaks of ${key}, but ${why}.`,
      file: '.harnessmith/handbook.json',
      line: 1,
    });
  }
  if (typeof written !== 'string') return { checked, problems };
  work.progress?.({ message: 'Reading pages' });
  const expected = renderPages(now, graph, written);
  problems.push(...(await pageProblems(written, expected, { texts, stale, root: harness.root, signal: work.signal })));
  return { checked, pages: expected.length, problems };
}

async function siteProblems(
  map: BehaviourMap,
  texts: Texts,
  work: WorkOptions,
): Promise<{ checked: number; problems: HandbookProblem[] }> {
  const problems: HandbookProblem[] = [];
  let checked = 0;
  const check = async (site: Site, subject: string, page?: string) => {
    checked++;
    const problem = siteProblem(site, await texts.lines(site.file), subject, page);
    if (problem) problems.push(problem);
  };
  for (const unit of map.units) {
    throwIfCancelled(work.signal, 'Checking the handbook');
    for (const site of unit.sites) await check(site, unit.title, unitPath(unit.id));
  }
  for (const register of map.registers)
    for (const { site } of register.sites) await check(site, `state \`${register.name}\``);
  return { checked, problems };
}

function siteProblem(
  site: Site,
  lines: readonly string[] | undefined,
  subject: string,
  page?: string,
): HandbookProblem | undefined {
  const base = { ...(page ? { page } : {}), site, file: site.file };
  if (!lines) return { ...base, message: `${subject}: ${site.file} is gone.`, line: site.start };
  const found = locateSite(site, lines);
  if (found.state === 'fresh') return undefined;
  const what = found.state === 'moved' ? `moved to line ${found.start}` : 'changed';
  return {
    ...base,
    message: `${subject}: the text of ${site.file}:${site.start}-${site.end} has ${what}.`,
    line: found.start,
  };
}
