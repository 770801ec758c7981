import { join } from 'node:path';
import { InputError } from '../../../core/errors';
import { hashText } from '../../../core/graph';
import { renderPages, siteStates, unitPagePath } from '../../../core/handbook';
import { locate } from '../../../core/locate';
import { withSourceLinks } from '../../handbook/pageLinks';
import type { Indexed, IndexedHarnesses } from '../indexedHarnesses';
import type { Handlers } from '../workServer';

/** Where pages would lie below the root; only the depth matters, for the links that lead out. */
const pagesFolder = '.harnessmith/handbook';

/** Building the map, rendering its pages, finding places for a request. */
export function handbookHandlers(
  harnesses: IndexedHarnesses,
): Pick<Handlers, 'buildHandbook' | 'handbookPage' | 'handbookPageText' | 'siteStates' | 'locate'> {
  const rendered = new WeakMap<Indexed, Map<string, string>>();
  return {
    buildHandbook: async ({ root, known, saved }, work) => {
      const began = performance.now();
      const { map, stats } = await harnesses.build(root, work, saved);
      const seconds = (performance.now() - began) / 1000;
      const fingerprint = hashText(JSON.stringify(map));
      return {
        map: fingerprint === known ? null : map,
        fingerprint,
        seconds,
        parsed: stats.parsed,
        files: stats.files,
      };
    },
    handbookPage: async ({ root, unit }) => {
      const { map } = harnesses.get(root);
      if (unit !== null && !map.units.some((one) => one.id === unit)) {
        throw new InputError('The handbook has no such unit any more.', {
          code: 'unit-unknown',
          nextStep: 'Refresh the handbook; the code it stood for was moved or removed.',
        });
      }
      return unit === null ? 'index.md' : unitPagePath(unit);
    },
    handbookPageText: async ({ root, path, base }) => {
      const indexed = harnesses.get(root);
      const folder = join(indexed.harness.root, pagesFolder);
      const pages =
        rendered.get(indexed) ??
        new Map(renderPages(indexed.map, indexed.graph, folder).map((page) => [page.path, page.markdown]));
      rendered.set(indexed, pages);
      const markdown = pages.get(path);
      return markdown === undefined ? null : withSourceLinks(markdown, path, pagesFolder, base);
    },
    siteStates: async ({ root, files }) => {
      const { harness, map } = harnesses.get(root);
      const asked = new Set(files);
      const sites = map.units.flatMap((unit) => unit.sites).filter((site) => asked.has(site.file));
      const found = await siteStates(harness, sites);
      return sites
        .map(({ file, start, end }, at) => ({ file, start, end, state: found[at]!.state }))
        .filter(({ state }) => state !== 'fresh');
    },
    locate: async ({ root, request, limit }, { signal, progress }) => {
      const { harness, graph, map } = harnesses.get(root);
      const answer = await locate(request, { harness, graph, map, limit, signal, progress });
      return {
        request,
        units: answer.units.map(({ unit, score, reasons }) => ({ unit: unit.id, score, reasons })),
        sites: answer.sites,
        alsoLookAt: answer.alsoLookAt,
        premises: answer.premises,
      };
    },
  };
}
