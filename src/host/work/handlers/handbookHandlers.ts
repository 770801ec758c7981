import { join } from 'node:path';
import { InputError } from '../../../core/errors';
import { hashText } from '../../../core/graph';
import { renderPages, unitPagePath, writePages } from '../../../core/handbook';
import { locate } from '../../../core/locate';
import { storePaths } from '../../../core/store';
import type { Indexed, IndexedHarnesses } from '../indexedHarnesses';
import type { Handlers } from '../workServer';

/** Building the map, writing its pages, finding places for a request. */
export function handbookHandlers(
  harnesses: IndexedHarnesses,
): Pick<Handlers, 'buildHandbook' | 'handbookPage' | 'locate'> {
  const written = new WeakSet<Indexed>();
  return {
    buildHandbook: async ({ root, known }, work) => {
      const began = performance.now();
      const { map, stats } = await harnesses.build(root, work);
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
      const indexed = harnesses.get(root);
      const { map, graph } = indexed;
      if (unit !== null && !map.units.some((one) => one.id === unit)) {
        throw new InputError('The handbook has no such unit any more.', {
          code: 'unit-unknown',
          nextStep: 'Refresh the handbook; the code it stood for was moved or removed.',
        });
      }
      const folder = join(storePaths(indexed.harness.root).cache, 'handbook');
      if (!written.has(indexed)) await writePages(renderPages(map, graph, folder), map, folder);
      written.add(indexed);
      return join(folder, unit === null ? 'index.md' : unitPagePath(unit));
    },
    locate: async ({ root, request, limit }, { signal, progress }) => {
      const { harness, graph, map } = harnesses.get(root);
      const answer = await locate(request, { harness, graph, map, limit, signal, progress });
      return { request, sites: answer.sites };
    },
  };
}
