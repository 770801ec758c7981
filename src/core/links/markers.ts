import type { LinkContext } from './context';
import type { LinkIndex } from './linkIndex';
import { MARKER } from './markerPattern';
import type { Link } from './model';
import { classWeight, onlyRepeats } from './pathClass';
import type { StepPart } from './stepParts';

/** A tag of several words that opens a text; single words are HTML or of the model. */
const OPENING_TAG = /^\s*<([a-z][a-z\d]*(?:[_-][a-z\d]+)+)>/i;

/**
 * Links from text of the model to places that wait for a marker in it, such as the word that submits. Only markers
 * count (upper case with underscores, or set off by signs): everything else in such text is the model's own.
 */
export function markerLinks(index: LinkIndex, step: number, part: StepPart, context: LinkContext): Link[] {
  const links: Link[] = [];
  const named = index.filesOf(context.components);
  for (const found of part.text.matchAll(MARKER)) {
    const [marker] = found;
    if (links.some((link) => link.reason.includes(` ${marker},`))) continue;
    const all = index.markers(marker);
    const own = all.filter((place) => named.has(place.file));
    const places = own.length > 0 ? own : all.some(isMaker) ? all.filter(isMaker) : all;
    for (const place of places.slice(0, 2)) {
      const also = places.length > 2 ? `; the same marker in ${places.length - 2} other places` : '';
      const reason = `the text holds the marker ${marker}, which stands in this code${also}`;
      const confidence = (isMaker(place) ? 0.94 : 0.4) * classWeight(place.file) * (0.8 + 0.2 / places.length);
      const range = part.exact ? { from: found.index, to: found.index + marker.length } : {};
      links.push({
        ...index.places.link(step, 'literal', place, confidence, reason),
        part: { of: part.of, at: part.at, ...range },
        ...(places.length > 1 ? { also: places.length - 1 } : {}),
      });
    }
  }
  return links;
}

/** Links from a text to the code that names the tag it opens with: too short for a literal, but no word of a language. */
export function tagLinks(index: LinkIndex, step: number, part: StepPart): Link[] {
  const tag = OPENING_TAG.exec(part.text)?.[1];
  if (tag === undefined) return [];
  const places = index.named(tag);
  return places.slice(0, 2).map((place) => {
    const also = places.length > 1 ? `, one of ${places.length} places` : '';
    const reason = `the text opens with the tag ${tag}, whose name stands in this code${also}`;
    return {
      ...index.places.link(step, 'literal', place, 0.9 / Math.min(3, places.length), reason),
      part: { of: part.of, at: part.at },
    };
  });
}

function isMaker({ file }: { file: string }): boolean {
  return !onlyRepeats(file);
}
