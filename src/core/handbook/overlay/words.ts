import { hashText } from '../../graph';
import type { Site, Unit, UnitWords } from '../model';
import type { OverlayEntry } from './model';

/**
 * The unit with the descriptions that were added to it, and who wrote them. Titles and stages are placed earlier, see
 * `placeOverlay`. What a model said about an older text of the unit is left out.
 */
export function withWords(unit: Unit, entry: OverlayEntry | undefined, hasMoved: boolean): Unit {
  if (!entry) return hasMoved ? { ...unit, edited: 'person' } : unit;
  const { model } = entry;
  const outdated = model?.description !== undefined && model.text !== textOf(unit.sites);
  const description = entry.description ?? (outdated ? undefined : model?.description);
  const words: UnitWords = {
    ...(entry.title !== undefined ? { title: entry.by } : model?.title !== undefined ? { title: 'model' } : {}),
    ...(entry.description !== undefined
      ? { summary: entry.by }
      : description !== undefined
        ? { summary: 'model' }
        : {}),
  };
  if (model && (words.title === 'model' || words.summary === 'model' || outdated)) {
    Object.assign(words, { model: model.model, at: model.at });
    if (words.summary === 'model' && model.evidence) words.evidence = placesOf(model.evidence, unit.sites);
  }
  if (outdated && entry.description === undefined) words.outdated = true;
  const isPerson =
    hasMoved || (entry.by === 'person' && (entry.title ?? entry.description ?? entry.stage) !== undefined);
  const isModel = Object.values(words).includes('model') || model?.stage !== undefined || entry.by === 'model';
  return {
    ...unit,
    summary: description ?? unit.summary,
    ...(isPerson ? { edited: 'person' } : isModel ? { edited: 'model' } : {}),
    ...(Object.keys(words).length > 0 ? { words } : {}),
    ...(entry.pinned ? { pinned: true } : {}),
  };
}

/** Cited lines as they stand now: `hash+from-to`, in the site with that text, is `file:start-end`. */
function placesOf(evidence: readonly string[], sites: readonly Site[]): string[] {
  return evidence.flatMap((cited) => {
    const [, hash, from, to] = /^([0-9a-f]+)\+(\d+)-(\d+)$/.exec(cited) ?? [];
    const site = sites.find((one) => one.hash === hash);
    if (!site || site.start + Number(to) > site.end) return [];
    return [`${site.file}:${site.start + Number(from)}-${site.start + Number(to)}`];
  });
}

/** Hash of the text of a unit; the same wherever the text stands in its files. */
export function textOf(sites: readonly Pick<Site, 'hash'>[]): string {
  return hashText(
    sites
      .map((site) => site.hash)
      .sort()
      .join('\n'),
  );
}
