import { join } from 'node:path';
import type { ProgramGraph } from '../../graph';
import { writeFileAtomic, writeJsonFile } from '../../store';
import type { BehaviourMap } from '../model';
import { renderPages, writePages } from '../pages';
import { upwards } from '../pages/links';
import { handbookHtml } from './html';
import { handbookJson } from './json';

export { handbookHtml } from './html';
export { HandbookExport, handbookJson } from './json';

/** `md` a folder of pages, `html` one file with all of them, `json` the map and what its ids stand for. */
export const handbookFormats = ['md', 'html', 'json'] as const;
export type HandbookFormat = (typeof handbookFormats)[number];

/**
 * Writes a handbook in the given formats into one folder: `index.md` and its pages, `handbook.html`, `handbook.json`.
 * Returns the path of each.
 * @throws EnvironmentError when the folder cannot be written.
 */
export async function exportHandbook(
  map: BehaviourMap,
  graph: ProgramGraph,
  folder: string,
  formats: readonly HandbookFormat[],
): Promise<{ format: HandbookFormat; path: string }[]> {
  const pages = renderPages(map, graph, folder);
  const written: { format: HandbookFormat; path: string }[] = [];
  for (const format of handbookFormats.filter((one) => formats.includes(one))) {
    const path = join(folder, format === 'md' ? 'index.md' : `handbook.${format}`);
    if (format === 'md') await writePages(pages, map, folder);
    else if (format === 'html') await writeFileAtomic(path, handbookHtml(map, pages, upwards(folder, graph.data.root)));
    else await writeJsonFile(path, handbookJson(map, graph));
    written.push({ format, path });
  }
  return written;
}
