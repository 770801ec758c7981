import { z } from 'zod';
import { InputError, throwIfCancelled } from '../errors';
import { indexHarness } from '../graph';
import type { Harness } from '../harness';
import { readHarnessFile } from '../harness';
import type { WorkOptions } from '../progress';
import { buildHandbook } from './build';
import { type BehaviourMap, Site, type Unit } from './model';
import { readMap } from './pages';
import { unitPath } from './pages/links';
import { linesOf, locateSite } from './site';

/** Something a handbook says that the source does not bear out any more. */
export const HandbookProblem = z.object({
  /** Page that says it, relative to the handbook folder. */
  page: z.string().optional(),
  site: Site.optional(),
  message: z.string(),
  file: z.string(),
  line: z.int(),
});
export type HandbookProblem = z.infer<typeof HandbookProblem>;

/** `checked` counts the sites that were compared. */
export const HandbookCheck = z.object({ checked: z.int(), problems: z.array(HandbookProblem) });
export type HandbookCheck = z.infer<typeof HandbookCheck>;

/**
 * Compares a map with the working tree: every site by its text, every quoted piece of code, then every relation, register
 * and unit by deriving the map again. No problem means that the handbook holds.
 * @param written The map, or the folder its pages were written to.
 * @throws InputError when the folder holds no readable map.
 */
export async function checkHandbook(
  harness: Harness,
  written: BehaviourMap | string,
  work: WorkOptions = {},
): Promise<HandbookCheck> {
  const map = typeof written === 'string' ? await readMap(written) : written;
  let checked = 0;
  const texts = new Map<string, readonly string[] | undefined>();
  const linesFor = async (file: string): Promise<readonly string[] | undefined> => {
    if (!texts.has(file)) texts.set(file, await readLines(harness, file));
    return texts.get(file);
  };
  const problems: HandbookProblem[] = [];
  work.progress?.({ message: 'Checking sites' });
  for (const unit of map.units) {
    throwIfCancelled(work.signal, 'Checking the handbook');
    checked += unit.sites.length;
    for (const site of unit.sites)
      addSiteProblem(problems, site, await linesFor(site.file), unit.title, unitPath(unit.id));
    for (const reason of unit.reasons) await addQuoteProblem(problems, unit, reason, linesFor);
  }
  for (const register of map.registers) {
    checked += register.sites.length;
    for (const { site } of register.sites)
      addSiteProblem(problems, site, await linesFor(site.file), `state \`${register.name}\``);
  }
  const stale = new Set(problems.map((problem) => problem.file));
  const { graph } = await indexHarness(harness, work);
  const now = await buildHandbook(graph, harness, work);
  problems.push(...compare(map, now, stale));
  for (const { key, why } of now.overlay?.orphans ?? []) {
    problems.push({
      message: `handbook.json speaks of ${key}, but ${why}.`,
      file: '.harnessmith/handbook.json',
      line: 1,
    });
  }
  return { checked, problems };
}

async function readLines(harness: Harness, file: string): Promise<readonly string[] | undefined> {
  try {
    return linesOf(await readHarnessFile(harness, file));
  } catch (error) {
    if (error instanceof InputError && error.code === 'file-missing') return undefined;
    throw error;
  }
}

function addSiteProblem(
  problems: HandbookProblem[],
  site: Site,
  lines: readonly string[] | undefined,
  subject: string,
  page?: string,
): void {
  const base = { ...(page ? { page } : {}), site, file: site.file };
  if (!lines) {
    problems.push({ ...base, message: `${subject}: ${site.file} is gone.`, line: site.start });
    return;
  }
  const found = locateSite(site, lines);
  if (found.state === 'fresh') return;
  const what = found.state === 'moved' ? `moved to line ${found.start}` : 'changed';
  problems.push({
    ...base,
    message: `${subject}: the text of ${site.file}:${site.start}-${site.end} has ${what}.`,
    line: found.start,
  });
}

/** A reason such as "calls `x` (file:line)": the quoted code must be in the file. */
async function addQuoteProblem(
  problems: HandbookProblem[],
  unit: Unit,
  reason: string,
  linesFor: (file: string) => Promise<readonly string[] | undefined>,
): Promise<void> {
  const found = /`([^`]+)`[^`]*\(([^()\s]+):(\d+)\)$/.exec(reason);
  if (!found) return;
  const [, quote, file, line] = found as unknown as [string, string, string, string];
  const lines = await linesFor(file);
  if (!lines) return;
  const wanted = plain(quote.replace(/\.\.\.$/, ''));
  if (plain(lines.join(' ')).includes(wanted)) return;
  problems.push({
    page: unitPath(unit.id),
    message: `${unit.title}: \`${quote}\` is not in ${file}.`,
    file,
    line: Number(line),
  });
}

function plain(text: string): string {
  return text.replace(/[\s`'"]+/g, '');
}

function compare(before: BehaviourMap, now: BehaviourMap, stale: ReadonlySet<string>): HandbookProblem[] {
  const problems: HandbookProblem[] = [];
  const current = new Map(now.units.map((unit) => [unit.id, unit]));
  const known = new Set(before.units.map((unit) => unit.id));
  const place = (unit: Unit): { file: string; line: number } => ({
    file: unit.sites[0]?.file ?? '',
    line: unit.sites[0]?.start ?? 1,
  });
  for (const unit of before.units) {
    const other = current.get(unit.id);
    const page = unitPath(unit.id);
    if (!other) {
      problems.push({ page, message: `${unit.title}: the source has no such unit any more.`, ...place(unit) });
      continue;
    }
    for (const list of [
      'calls',
      'callers',
      'mayCall',
      'mayBeCalledBy',
      'prompts',
      'tools',
      'config',
      'registers',
    ] as const) {
      const [was, is] = [unit[list] ?? [], other[list] ?? []];
      const lost = was.filter((id) => !is.includes(id));
      const gained = is.filter((id) => !was.includes(id));
      if (lost.length + gained.length === 0) continue;
      const words = [
        lost.length > 0 ? `no longer ${lost.slice(0, 3).join(', ')}` : '',
        gained.length > 0 ? `now also ${gained.slice(0, 3).join(', ')}` : '',
      ];
      problems.push({
        page,
        message: `${unit.title}: ${list} differ: ${words.filter(Boolean).join('; ')}.`,
        ...place(unit),
      });
    }
  }
  for (const unit of now.units) {
    if (!known.has(unit.id))
      problems.push({ message: `${unit.title}: the handbook does not have this unit.`, ...place(unit) });
  }
  for (const id of before.loops) {
    if (!now.loops.includes(id) && stale.size === 0)
      problems.push({ message: `${id} is no agent loop any more.`, file: '', line: 1 });
  }
  return problems;
}
