import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../errors';
import type { ProgramGraph } from '../../graph';
import { isMissing, readJsonFile, readTextIfPresent, storePaths, writeFileAtomic, writeJsonFile } from '../../store';
import { BehaviourMap } from '../model';
import { indexPage } from './indexPage';
import { PageContext, stagePath, unitPath, upwards } from './links';
import { stagePage } from './stagePage';
import { unitPage } from './unitPage';

/** One Markdown page; `path` is relative to the handbook folder. */
export interface Page {
  path: string;
  title: string;
  markdown: string;
}

/** Name of the machine-readable map beside the pages. */
export const mapFileName = 'map.json';

/**
 * The three levels of pages: `index.md`, one page a stage, one page a unit. Links to the source lead out of `folder`,
 * which is `handbook` in the store's cache when absent. Same map and folder, same bytes.
 */
export function renderPages(
  map: BehaviourMap,
  graph: ProgramGraph,
  folder: string = join(storePaths(graph.data.root).cache, 'handbook'),
): Page[] {
  const context = new PageContext(map, graph, upwards(folder, graph.data.root));
  const pages: Page[] = [{ path: 'index.md', title: `Handbook of ${map.harness}`, markdown: indexPage(context) }];
  for (const stage of map.stages)
    pages.push({ path: stagePath(stage), title: stage.title, markdown: stagePage(stage, context) });
  for (const unit of map.units)
    pages.push({ path: unitPath(unit.id), title: unit.title, markdown: unitPage(unit, context) });
  return pages;
}

/** Path of the page of a unit, relative to the handbook folder. */
export { unitPath as unitPagePath } from './links';

/** Writes the pages and `map.json`, and removes pages of units that are no more. Other files in the folder stay. */
export async function writePages(pages: readonly Page[], map: BehaviourMap, folder: string): Promise<void> {
  for (const page of pages) {
    const file = join(folder, page.path);
    // A page that stays the same keeps its time, so that only real changes show up elsewhere.
    if ((await readTextIfPresent(file)) !== page.markdown) await writeFileAtomic(file, page.markdown);
  }
  await writeJsonFile(join(folder, mapFileName), map);
  const current = new Set(pages.map((page) => page.path));
  for (const part of ['stages', 'units']) {
    const names = await readdir(join(folder, part)).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const name of names) {
      // Only names of the form that rendering makes are ours to remove.
      if (isPageName(name) && !current.has(`${part}/${name}`)) await rm(join(folder, part, name));
    }
  }
}

/** Whether a file name has the form that rendering gives to pages of stages and units. */
export function isPageName(name: string): boolean {
  return /-[0-9a-f]{6}\.md$/.test(name);
}

/**
 * The map that was written with the pages of a folder.
 * @throws InputError when it is missing or wrong, naming the file and the place.
 */
export async function readMap(folder: string): Promise<BehaviourMap> {
  try {
    return await readJsonFile(join(folder, mapFileName), BehaviourMap);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // Nobody writes this file by hand: correcting it would be the wrong advice.
    throw new InputError(error.message, {
      code: error.code,
      nextStep: 'Write the handbook again: harnessmith handbook',
      cause: error,
    });
  }
}
