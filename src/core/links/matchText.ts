import type { Pattern, PatternIndex } from './patternIndex';
import type { Tokens } from './tokens';

/** A piece of a literal found in a text: `length` words from `textAt`, being the words from `offset` of a fragment. */
interface Run {
  fragment: number;
  offset: number;
  textAt: number;
  length: number;
  weight: number;
}

/** A literal that occurs in a text, whole or in part, with its pieces in order. */
export interface PatternMatch {
  pattern: Pattern;
  runs: Run[];
  /** Sum of the weights of the words found, less what gaps cost. */
  weight: number;
  /** Part of the literal that was found, 0 to 1. */
  coverage: number;
  score: number;
  /** True when the text begins with the literal. */
  atStart: boolean;
  /** Where the first and the last piece stand in the text, in UTF-16 units. */
  from: number;
  to: number;
  /** Part of the words of the text that the pieces make up, 0 to 1. */
  share: number;
  /** True when it stands between two equal quotation marks, as in printed source code. */
  quoted: boolean;
}

const LEAST_RUN = 12;
const LEAST_WHOLE_FRAGMENT = 3;
const MOST_RUNS = 300;

/**
 * Finds the literals that a text was made from. Placeholders are gaps of any length; white space does not count; a
 * truncated or slightly changed text is found by what is left of it. The more and the rarer the words, the better.
 * @param near files whose literals are expected in this text: of them less is asked where the text begins with one
 */
export function matchText(index: PatternIndex, text: string, near?: ReadonlySet<string>): PatternMatch[] {
  const tokens = index.vocabulary.read(text);
  const matches: PatternMatch[] = [];
  for (const [at, runs] of findRuns(index, tokens)) {
    const pattern = index.patterns[at];
    const chain = pattern === undefined ? null : bestChain(pattern, runs, tokens.ids.length);
    if (chain === null) continue;
    const match = placed(chain, tokens, text);
    if (isEnough(match, tokens.ids.length, near)) matches.push(match);
  }
  return matches.sort((left, right) => right.score - left.score);
}

function findRuns(index: PatternIndex, { ids, weights }: Tokens): Map<number, Run[]> {
  const found = new Map<number, Run[]>();
  // End of the last run on each diagonal of a fragment, so that one run is not found once an anchor.
  const covered = new Map<number, number>();
  for (let at = 0; at + 2 < ids.length; at += 1) {
    const [first = -1, second = -1, third = -1] = [ids[at], ids[at + 1], ids[at + 2]];
    if (first < 0 || second < 0 || third < 0) continue;
    for (const { pattern, fragment, offset } of index.at(first, second, third)) {
      const words = index.patterns[pattern]?.fragments[fragment];
      if (
        words === undefined ||
        words.ids[offset] !== first ||
        words.ids[offset + 1] !== second ||
        words.ids[offset + 2] !== third
      )
        continue;
      const diagonal = (pattern * 256 + (fragment & 255)) * 0x400000 + (at - offset + 0x200000);
      if ((covered.get(diagonal) ?? -1) > at) continue;
      let [from, to] = [0, 3];
      while (offset + from > 0 && at + from > 0 && words.ids[offset + from - 1] === ids[at + from - 1]) from -= 1;
      while (offset + to < words.ids.length && at + to < ids.length && words.ids[offset + to] === ids[at + to]) to += 1;
      covered.set(diagonal, at + to);
      const weight = words.factor * weights.subarray(at + from, at + to).reduce((sum, one) => sum + one, 0);
      const length = to - from;
      const whole = length === words.ids.length && weight >= LEAST_WHOLE_FRAGMENT;
      if (!whole && (length < 4 || weight < LEAST_RUN)) continue;
      const runs = found.get(pattern) ?? [];
      if (runs.length < MOST_RUNS) runs.push({ fragment, offset: offset + from, textAt: at + from, length, weight });
      found.set(pattern, runs);
    }
  }
  return found;
}

type Chain = Omit<PatternMatch, 'from' | 'to' | 'share' | 'quoted'>;

function placed(chain: Chain, { starts, ends, ids }: Tokens, text: string): PatternMatch {
  const [first, last] = [chain.runs[0], chain.runs.at(-1)];
  const from = starts[first?.textAt ?? 0] ?? 0;
  const to = ends[(last?.textAt ?? 0) + (last?.length ?? 1) - 1] ?? from;
  const words = chain.runs.reduce((sum, run) => sum + run.length, 0);
  const before = text[from - 1] ?? '';
  const quoted =
    /["'`]/.test(before) &&
    text
      .slice(to, to + 3)
      .replace(/^\\?[nrt]?\s*/, '')
      .startsWith(before);
  return { ...chain, from, to, share: words / Math.max(1, ids.length), quoted };
}

/** The heaviest sequence of runs in which text and literal both go forward. */
function bestChain(pattern: Pattern, runs: Run[], textLength: number): Chain | null {
  runs.sort((left, right) => left.textAt - right.textAt || left.fragment - right.fragment);
  const totals = runs.map((run) => run.weight);
  const before = runs.map(() => -1);
  for (const [at, run] of runs.entries()) {
    for (let earlier = Math.max(0, at - 80); earlier < at; earlier += 1) {
      const previous = runs[earlier];
      if (previous === undefined || !follows(previous, run)) continue;
      const total = (totals[earlier] ?? 0) + run.weight - gapCost(previous, run);
      if (total > (totals[at] ?? 0)) {
        totals[at] = total;
        before[at] = earlier;
      }
    }
  }
  let best = 0;
  for (const [at, total] of totals.entries()) if (total > (totals[best] ?? 0)) best = at;
  const chain: Run[] = [];
  for (let at = best; at >= 0; at = before[at] ?? -1) chain.unshift(...runs.slice(at, at + 1));
  const weight = totals[best] ?? 0;
  const first = chain[0];
  if (first === undefined) return null;
  const coverage = Math.min(1, chain.reduce((sum, run) => sum + run.weight, 0) / pattern.weight);
  const atStart = first.textAt === 0 && first.fragment === 0 && first.offset === 0;
  const last = chain.at(-1);
  const atEnd = last !== undefined && last.textAt + last.length === textLength;
  const part = weight * (0.35 + 0.65 * coverage);
  // Templates with branches show only some of their text; beginning with it is evidence of its own.
  const kept = Math.max(part, weight > 60 ? 0.6 * weight : 0, atStart ? 0.7 * weight : 0);
  return { pattern, runs: chain, weight, coverage, score: kept * (atStart ? 1.25 : 1) * (atEnd ? 1.1 : 1), atStart };
}

function follows(previous: Run, run: Run): boolean {
  if (run.textAt < previous.textAt + previous.length) return false;
  return run.fragment === previous.fragment
    ? run.offset >= previous.offset + previous.length
    : run.fragment > previous.fragment;
}

function gapCost(previous: Run, run: Run): number {
  const textGap = run.textAt - previous.textAt - previous.length;
  if (run.fragment !== previous.fragment) return Math.min(3, textGap / 400);
  return Math.min(4, 0.3 * Math.abs(textGap - (run.offset - previous.offset - previous.length)));
}

const LIGHTEST_NEAR = 3;
/** Literals this heavy are whole prompt files; a few common words of one prove nothing. */
const WHOLE_FILE = 400;

function isEnough(match: PatternMatch, textLength: number, near?: ReadonlySet<string>): boolean {
  if (match.atStart && match.weight >= LIGHTEST_NEAR && near?.has(match.pattern.fact.file)) return true;
  if (match.weight < 6.6 || match.score < 11) return false;
  // In the middle of a long text, such as a printed file, a short match is chance or an echo.
  if (!match.atStart && textLength > 150 && match.weight < 18) return false;
  return match.pattern.weight < WHOLE_FILE || match.coverage >= 0.12 || match.weight >= (match.atStart ? 60 : 120);
}
