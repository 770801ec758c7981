import type { LinkIndex } from './linkIndex';
import type { PatternMatch } from './matchText';
import type { Link, LinkPart } from './model';
import { type Expected, LONGEST, type Owner, ownersOf, rankOf, TWIN } from './owners';
import { classWeight } from './pathClass';
import type { Place } from './places';
import type { StepPart } from './stepParts';

const SHOWN_TWINS = 3;

/** Links from a text that the harness made (a prompt, feedback, an observation) to the literals it was made from. */
export function literalLinks(index: LinkIndex, step: number, part: StepPart, context: Expected): Link[] {
  const { text } = part;
  const isWhole = text.length <= LONGEST;
  const looked = isWhole ? text : `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}`;
  // In the second half of a shortened text places are others.
  const shift = (at: number) => (isWhole || at <= LONGEST / 2 ? at : at - LONGEST - 1 + text.length);
  const owners = ownersOf(index, part, looked, context);
  const shown = part.voice === 'harness' ? owners : owners.filter(({ match }) => isWholeTemplate(match));
  return shown.flatMap((owner) => {
    const { match } = owner;
    const range = part.exact ? { from: shift(match.from), to: shift(match.to) } : {};
    return linksOf(index, step, owner, { of: part.of, at: part.at, ...range }, context, shareOf(part));
  });
}

/** Texts beside the step and texts under the name of the model are less sure to be what a reader asks for. */
function shareOf(part: StepPart): number {
  if (part.of === 'record') return 0.7;
  return part.voice === 'harness' ? 1 : 0.8;
}

/** Harnesses put words into the mouth of the model; they show by being all of its text, or most of a long template. */
function isWholeTemplate(match: PatternMatch): boolean {
  if (match.quoted) return false;
  return (
    (match.coverage >= 0.9 && match.share >= 0.8 && match.weight >= 14) ||
    (match.coverage >= 0.5 && match.weight >= 150)
  );
}

function linksOf(
  index: LinkIndex,
  step: number,
  owner: Owner,
  part: LinkPart,
  context: Expected,
  share: number,
): Link[] {
  const { match, twins, doubt } = owner;
  // Equal texts that the rest of the run speaks against leave little doubt; words of a path decide nothing.
  const { words: _, ...decisive } = context;
  const value = rankOf(match, decisive);
  const undecided = twins.filter((twin) => rankOf(twin, decisive) >= TWIN * value).length;
  const { file } = match.pattern.fact;
  const expected = context.near?.has(file) ? 1.8 : 1;
  const sure = confidenceOf(match, expected * doubt) * (context.componentFiles?.has(file) ? 1 : classWeight(file));
  const confidence = share * sure * (0.65 + 0.35 / (1 + undecided)) * (twins.length > undecided ? 0.95 : 1);
  const place = placeOf(index, match);
  const also = twins.length === 0 ? {} : { also: twins.length };
  const made = (kind: Place, sureness: number, reason: string): Link => ({
    ...index.places.link(step, 'literal', kind, sureness, reason),
    part,
  });
  // An error says where it was made; that the tool ran is less.
  const exact =
    part.of === 'result' && context.failed === true && match.atStart && match.coverage >= 0.8 && confidence >= 0.5;
  const told = exact ? Math.max(confidence, 0.9) : confidence;
  const links: Link[] = [{ ...made(place, told, reasonOf(index, match, twins)), ...also }];
  const name = place.symbol || place.file;
  for (const [rank, renderer] of index.renderers(match.pattern.fact.owner).entries()) {
    const reason = `${renderer.how}: the text of ${name} stands in this step`;
    const follows = (renderer.sure ? 0.88 : 0.65) - 0.15 * rank;
    links.push(made(renderer.place, confidence * follows, reason));
  }
  for (const twin of twins.slice(0, SHOWN_TWINS)) {
    const reason = `the same text as in ${place.file}:${place.start}`;
    links.push({ ...made(placeOf(index, twin), confidence * 0.6, reason), ...also });
  }
  return links;
}

/** From a bare pass (about .4) to near certainty for long texts found whole. */
function confidenceOf(match: PatternMatch, factor: number): number {
  return 0.97 * (1 - Math.exp((-match.score * factor) / 18));
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
