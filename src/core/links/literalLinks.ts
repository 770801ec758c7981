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
  return owners(index, looked, context).flatMap((owner) => linksOf(index, step, owner, context));
}

/**
 * Links from text of the model to places that wait for a marker in it, such as the word that submits. Only markers
 * count (upper case with underscores, or set off by signs): everything else in such text is the model's own.
 */
export function markerLinks(index: LinkIndex, step: number, text: string, context: LinkContext): Link[] {
  const links: Link[] = [];
  const named = index.filesOf(context.components);
  for (const marker of new Set(text.match(MARKER) ?? [])) {
    const all = index.markers(marker);
    const own = all.filter((place) => named.has(place.file));
    const places = own.length > 0 ? own : all;
    for (const place of places.slice(0, 2)) {
      const also = places.length > 2 ? `; the same marker in ${places.length - 2} other places` : '';
      const reason = `the text holds the marker ${marker}, which stands in this code${also}`;
      const confidence = (onlyRepeats(place.file) ? 0.4 : 0.9) * classWeight(place.file) * (0.8 + 0.2 / places.length);
      links.push(index.places.link(step, 'literal', place, confidence, reason));
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
        Number(isEcho(left.match, context)) - Number(isEcho(right.match, context)) || right.value - left.value,
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
      if (rival !== undefined && match.weight >= TWIN * rival.match.weight && !isEcho(match, context))
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

/** How well the words of a path fit the run: those that occur count up to three, those that do not a little against it. */
function wordsOfPath(file: string, words: ReadonlySet<string> | undefined): number {
  if (words === undefined) return 0;
  const parts = [...new Set(file.toLowerCase().split(/[^a-z]+/))].filter((part) => part.length >= 5);
  const fitting = parts.filter((part) => words.has(part)).length;
  return Math.min(3, fitting) - 0.4 * Math.min(3, parts.length - fitting);
}

/** Text in a test or document repeats what the harness says. */
function isEcho(match: PatternMatch, context: LinkContext): boolean {
  const { file } = match.pattern.fact;
  return onlyRepeats(file) && !context.componentFiles?.has(file);
}

function rankOf(match: PatternMatch, context: LinkContext): number {
  const { file } = match.pattern.fact;
  const weights = context.fileWeights;
  const most = Math.max(1, ...(weights?.values() ?? []));
  // A file that holds a class the trace names is part of this run, even one that looks like a test.
  if (context.componentFiles?.has(file)) return 1.5 * match.score;
  const preferred = 1 + (0.3 * (weights?.get(file) ?? 0)) / most;
  return match.score * classWeight(file) * preferred * (1 + 0.04 * wordsOfPath(file, context.words));
}

function linksOf(index: LinkIndex, step: number, owner: Owner, context: LinkContext): Link[] {
  const { match, twins } = owner;
  // Equal texts that the rest of the run speaks against leave little doubt; words of a path decide nothing.
  const { words: _, ...decisive } = context;
  const value = rankOf(match, decisive);
  const undecided = twins.filter((twin) => rankOf(twin, decisive) >= TWIN * value).length;
  const { file } = match.pattern.fact;
  const sure = confidenceOf(match) * (context.componentFiles?.has(file) ? 1 : classWeight(file));
  const confidence = sure * (0.65 + 0.35 / (1 + undecided)) * (twins.length > undecided ? 0.95 : 1);
  const place = placeOf(index, match);
  const links = [index.places.link(step, 'literal', place, confidence, reasonOf(index, match, twins))];
  const name = place.symbol || place.file;
  for (const [rank, renderer] of index.renderers(match.pattern.fact.owner).entries()) {
    const reason = `${renderer.how}: the text of ${name} stands in this step`;
    const share = (renderer.sure ? 0.88 : 0.65) - 0.15 * rank;
    links.push(index.places.link(step, 'literal', renderer.place, confidence * share, reason));
  }
  for (const twin of twins.slice(0, SHOWN_TWINS)) {
    const reason = `the same text as in ${place.file}:${place.start}`;
    links.push(index.places.link(step, 'literal', placeOf(index, twin), confidence * 0.6, reason));
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
