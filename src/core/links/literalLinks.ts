import type { LinkContext } from './context';
import type { LinkIndex } from './linkIndex';
import { MARKER } from './markers';
import { matchText, type PatternMatch } from './matchText';
import type { Link } from './model';
import { classWeight, onlyRepeats } from './pathClass';
import type { Place } from './places';

/** Longest text that is looked at; of longer ones the beginning and the end, where harness texts stand. */
const LONGEST = 120_000;
const MOST_OWNERS = 6;
const TWIN = 0.97;
const SHOWN_TWINS = 3;

/** A literal that explains a part of a text, with others that explain the same part as well. */
interface Owner {
  match: PatternMatch;
  value: number;
  twins: PatternMatch[];
}

/** Links from a text that the harness made (a prompt, feedback, an observation) to the literals it was made from. */
export function literalLinks(index: LinkIndex, step: number, text: string, context: LinkContext): Link[] {
  const looked = text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}`;
  return owners(index, looked, context).flatMap((owner) => linksOf(index, step, owner));
}

/**
 * Links from text of the model to places that wait for a marker in it, such as the word that submits. Only markers
 * count (upper case with underscores, or set off by signs): everything else in such text is the model's own.
 */
export function markerLinks(index: LinkIndex, step: number, text: string): Link[] {
  const links: Link[] = [];
  for (const marker of new Set(text.match(MARKER) ?? [])) {
    const places = index.markers(marker);
    for (const place of places.slice(0, 2)) {
      const also = places.length > 2 ? `; the same marker in ${places.length - 2} other places` : '';
      const reason = `the text holds the marker ${marker}, which stands in this code${also}`;
      links.push(
        index.places.link(
          step,
          'literal',
          place,
          (onlyRepeats(place.file) ? 0.4 : 0.78) * classWeight(place.file),
          reason,
        ),
      );
    }
  }
  return links;
}

/** The literals that explain a text best, none explaining what another already does. */
function owners(index: LinkIndex, text: string, context: LinkContext): Owner[] {
  const ranked = matchText(index.patterns, text)
    .map((match) => ({ match, value: rankOf(match, context) }))
    .sort(
      (left, right) =>
        Number(onlyRepeats(left.match.pattern.fact.file)) - Number(onlyRepeats(right.match.pattern.fact.file)) ||
        right.value - left.value,
    );
  const claimed = new Map<number, Owner>();
  const found: Owner[] = [];
  for (const { match, value } of ranked) {
    const rivals = new Map<Owner, number>();
    let free = 0;
    for (const run of match.runs) {
      for (let at = run.textAt; at < run.textAt + run.length; at += 1) {
        const owner = claimed.get(at);
        if (owner === undefined) free += 1;
        else rivals.set(owner, (rivals.get(owner) ?? 0) + 1);
      }
    }
    const words = match.runs.reduce((sum, run) => sum + run.length, 0);
    if (free < words / 2) {
      const rival = [...rivals].sort((left, right) => right[1] - left[1])[0]?.[0];
      if (rival !== undefined && match.weight >= TWIN * rival.match.weight && !onlyRepeats(match.pattern.fact.file))
        rival.twins.push(match);
      continue;
    }
    if (found.length >= MOST_OWNERS) continue;
    const owner: Owner = { match, value, twins: [] };
    found.push(owner);
    for (const run of match.runs)
      for (let at = run.textAt; at < run.textAt + run.length; at += 1) if (!claimed.has(at)) claimed.set(at, owner);
  }
  return found.sort((left, right) => right.value - left.value);
}

function rankOf(match: PatternMatch, context: LinkContext): number {
  const { file } = match.pattern.fact;
  const weights = context.fileWeights;
  const most = Math.max(1, ...(weights?.values() ?? []));
  return match.score * classWeight(file) * (1 + (0.3 * (weights?.get(file) ?? 0)) / most);
}

function linksOf(index: LinkIndex, step: number, owner: Owner): Link[] {
  const { match, twins } = owner;
  const confidence = confidenceOf(match) * classWeight(match.pattern.fact.file) * (0.55 + 0.45 / (1 + twins.length));
  const place = placeOf(index, match);
  const links = [index.places.link(step, 'literal', place, confidence, reasonOf(index, match, twins))];
  for (const { node, certain } of index.renderers(match.pattern.fact.owner)) {
    const name = place.symbol || place.file;
    const reason = `${certain ? 'uses' : 'may use'} the template ${name}, whose text stands in this step`;
    links.push(
      index.places.link(step, 'literal', index.places.ofNode(node), confidence * (certain ? 0.85 : 0.6), reason),
    );
  }
  for (const twin of twins.slice(0, SHOWN_TWINS)) {
    const other = index.places.link(
      step,
      'literal',
      placeOf(index, twin),
      confidence * 0.8,
      `the same text as in ${place.file}:${place.start}`,
    );
    links.push(other);
  }
  return links;
}

/** From a bare pass (about .4) to near certainty for long texts found whole. */
function confidenceOf(match: PatternMatch): number {
  return 0.97 * (1 - Math.exp(-match.score / 18));
}

function reasonOf(index: LinkIndex, match: PatternMatch, twins: readonly PatternMatch[]): string {
  const part = match.coverage > 0.995 ? 'all' : `${Math.max(1, Math.floor(match.coverage * 100))} %`;
  const first = match.runs[0];
  const quoted = first === undefined ? '' : `, from "${index.quote(match.pattern, first.fragment, first.offset)}"`;
  const places = twins.slice(0, SHOWN_TWINS).map((twin) => `${twin.pattern.fact.file}:${twin.pattern.fact.start}`);
  const more = twins.length > SHOWN_TWINS ? ', …' : '';
  const also =
    twins.length === 0
      ? ''
      : `; the same text also in ${twins.length} other place${twins.length === 1 ? '' : 's'} (${places.join(', ')}${more})`;
  return `literal text, ${part} of it found${quoted}${also}`;
}

/** The lines of the literal; of a long one that was found in part, the lines of that part. */
function placeOf(index: LinkIndex, match: PatternMatch): Place {
  const { fact, fragments, exactLines } = match.pattern;
  const lineOf = (run: PatternMatch['runs'][number] | undefined, word: number) => {
    const fragment = run === undefined ? undefined : fragments[run.fragment];
    return fact.start + (fragment?.linesBefore ?? 0) + (fragment?.lines[word] ?? 0);
  };
  let { start, end } = fact;
  if (exactLines && match.coverage < 0.7) {
    const last = match.runs.at(-1);
    start = Math.min(fact.end, lineOf(match.runs[0], match.runs[0]?.offset ?? 0));
    end = Math.min(fact.end, lineOf(last, (last?.offset ?? 0) + (last?.length ?? 1) - 1));
  }
  return index.places.ofLines(fact.file, start, Math.max(start, end), index.graph.node(fact.owner));
}
