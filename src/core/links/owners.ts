import type { LinkContext } from './context';
import type { LinkIndex } from './linkIndex';
import { matchText, type PatternMatch } from './matchText';
import { classWeight, onlyRepeats, pathClassOf } from './pathClass';
import type { StepPart } from './stepParts';

/** Literals explain a part of a text; others that explain the same part as well are its twins. */
export interface Owner {
  match: PatternMatch;
  value: number;
  twins: PatternMatch[];
  /** How much of the value is left where the text rather prints the source than was made by it, 0 to 1. */
  doubt: number;
}

/** Longest text that is looked at; of longer ones the beginning and the end, where harness texts stand. */
export const LONGEST = 120_000;
const MOST_OWNERS = 6;
export const TWIN = 0.97;
/** As many literals of one file as this in one result say that the result prints the file. */
const PRINTED = 3;

/** Where the literals of a text are expected to come from, beside what is known of the run. */
export interface Expected extends LinkContext {
  /** Files of the tool whose result the text is. */
  near?: ReadonlySet<string>;
  /** The text is the result of a call. */
  result?: boolean;
  /** The call failed. */
  failed?: boolean;
}

/** The literals that explain a text best, none explaining what another already does. Best first. */
export function ownersOf(index: LinkIndex, part: StepPart, text: string, context: Expected): Owner[] {
  const ranked = matchText(index.patterns, text, context.near)
    // What a test says is never what made a text of a run.
    .filter(
      ({ pattern }) => pathClassOf(pattern.fact.file) !== 'test' || context.componentFiles?.has(pattern.fact.file),
    )
    .map((match) => ({ match, value: rankOf(match, context) }))
    .sort(
      (left, right) =>
        Number(isRepeat(left.match, context)) - Number(isRepeat(right.match, context)) || right.value - left.value,
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
      if (rival !== undefined && match.weight >= TWIN * rival.match.weight && !isRepeat(match, context))
        rival.twins.push(match);
      continue;
    }
    if (found.length >= 4 * MOST_OWNERS) continue;
    const owner: Owner = { match, value, twins: [], doubt: 1 };
    found.push(owner);
    for (const run of match.runs)
      for (let at = run.textAt; at < run.textAt + run.length; at += 1) if (!claimed.has(at)) claimed.set(at, owner);
  }
  if (part.of === 'result') doubtPrinted(found, context);
  return found.sort((left, right) => right.value * right.doubt - left.value * left.doubt).slice(0, MOST_OWNERS);
}

/**
 * Results often print files, and files of a harness hold its literals: such a text was not made by them. It shows by
 * quotation marks around a literal, and by many literals of one file; both are no sign where the text begins with the
 * literal, or the file belongs to the tool.
 */
function doubtPrinted(found: readonly Owner[], context: Expected): void {
  const byFile = new Map<string, number>();
  for (const { match } of found) {
    const { file } = match.pattern.fact;
    byFile.set(file, (byFile.get(file) ?? 0) + 1);
  }
  // A text that consists of literals was made of them.
  if (found.reduce((sum, { match }) => sum + match.share, 0) >= 0.5) return;
  for (const owner of found) {
    const { match } = owner;
    const { file } = match.pattern.fact;
    if (match.atStart || context.near?.has(file) || context.componentFiles?.has(file)) continue;
    if (match.quoted) owner.doubt *= 0.35;
    if ((byFile.get(file) ?? 0) >= PRINTED) owner.doubt *= 0.15;
    // Few words in the middle of a long result are chance, unless they are most of what the literal has.
    else if (match.share < 0.1 && match.weight < 40) owner.doubt *= match.coverage < 0.6 ? 0.4 : 0.6;
  }
}

/** How well the words of a path fit the run: those that occur count up to three, those that do not a little against it. */
function wordsOfPath(file: string, words: ReadonlySet<string> | undefined): number {
  if (words === undefined) return 0;
  const parts = [...new Set(file.toLowerCase().split(/[^a-z]+/))].filter((part) => part.length >= 5);
  const fitting = parts.filter((part) => words.has(part)).length;
  return Math.min(3, fitting) - 0.4 * Math.min(3, parts.length - fitting);
}

/** Text in a test or document repeats what the harness says. */
function isRepeat(match: PatternMatch, context: LinkContext): boolean {
  const { file } = match.pattern.fact;
  return onlyRepeats(file) && !context.componentFiles?.has(file);
}

/** What a place counts: its match, and what the rest of the run says for or against its file. */
export function rankOf(match: PatternMatch, context: Expected): number {
  const { fact } = match.pattern;
  const { file } = fact;
  const weights = context.fileWeights;
  const most = Math.max(1, ...(weights?.values() ?? []));
  const expected = context.near?.has(file) ? 1.8 : 1;
  const replaced = /(^|[/._-])(legacy|deprecated|old|backup|archive)([/._-]|$)/i.test(file) ? 0.97 : 1;
  // A long text that a result holds a little of, but does not begin with, tells of such results: an example in a prompt.
  if (context.result && match.coverage < 0.2 && !match.atStart) return 0.2 * match.score * classWeight(file);
  // A file that holds a class the trace names is part of this run, even one that looks like a test.
  if (context.componentFiles?.has(file)) return 1.5 * match.score * expected * (ofComponent(match, context) ? 1.3 : 1);
  const preferred = 1 + (0.3 * (weights?.get(file) ?? 0)) / most;
  const words = 1 + 0.04 * wordsOfPath(file, context.words);
  return match.score * classWeight(file) * preferred * words * expected * replaced;
}

/** The literal stands in a class the trace names, or in one named after it, such as its configuration. */
function ofComponent(match: PatternMatch, context: LinkContext): boolean {
  const outer = match.pattern.fact.owner.split('#')[1]?.split('.')[0] ?? '';
  return (context.components ?? []).some((component) => {
    const name = component.split('.').at(-1) ?? '';
    return (
      name !== '' &&
      (outer === name || /^(Config|Settings|Options|Params)/.test(outer.slice(name.length))) &&
      outer.startsWith(name)
    );
  });
}
