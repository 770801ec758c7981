import type { LiteralFact } from '../graph';
import { breaks, fragmentsOf } from './fragments';
import { Vocabulary } from './tokens';

/** A literal of the harness as fixed pieces of words. */
export interface Pattern {
  fact: LiteralFact;
  fragments: { ids: Int32Array; weight: number; factor: number; linesBefore: number; lines: Uint16Array }[];
  /** Sum of the weights of all fixed words. */
  weight: number;
  /** True when line breaks in the text are line breaks in the source, so parts of it can be placed. */
  exactLines: boolean;
}

interface Posting {
  pattern: number;
  fragment: number;
  offset: number;
}

/** Below this a literal says too little to be recognised, even in the result of the tool it belongs to. */
const LIGHTEST_PATTERN = 3;
/** Addresses, paths, dotted names and patterns stand in many texts that this literal did not make. */
const BARE_FACTOR = 0.35;
/** Of every window of this many words the rarest three in a row are looked up. */
const WINDOW = 8;
const MOST_POSTINGS = 400;

/**
 * Finds which literals may occur in a text: for every literal a few rare runs of three words are kept in a table, so
 * a long text costs one look-up a word, whatever the number of literals.
 */
export class PatternIndex {
  readonly patterns: Pattern[] = [];
  readonly vocabulary = new Vocabulary();
  private readonly postings = new Map<number, Posting[]>();

  constructor(literals: readonly LiteralFact[]) {
    const prepared = literals
      .map((fact) => ({ fact, pieces: fragmentsOf(fact.parts) }))
      .filter(({ fact, pieces }) => pieces.length > 0 && !isStyle(fact));
    const words = prepared.map(({ pieces }) => pieces.map((piece) => this.vocabulary.add(piece.text)));
    this.vocabulary.close(prepared.length);
    for (const [index, { fact, pieces }] of prepared.entries()) {
      const fragments = pieces.map((piece, at) => {
        const { ids, lines } = words[index]?.[at] ?? { ids: new Int32Array(0), lines: new Uint16Array(0) };
        const factor = isBare(piece.text) ? BARE_FACTOR : 1;
        return {
          ids,
          weight: this.weightOf(ids) * factor,
          factor,
          linesBefore: piece.linesBefore,
          lines,
        };
      });
      const weight = fragments.reduce((sum, fragment) => sum + fragment.weight, 0);
      if (weight < LIGHTEST_PATTERN) continue;
      const inText = fact.parts.reduce((sum, part) => sum + breaks(part ?? ''), 0);
      const inSource = fact.end - fact.start;
      this.patterns.push({ fact, fragments, weight, exactLines: inText === inSource || inText === inSource + 1 });
    }
    this.buildPostings();
  }

  private weightOf(ids: Int32Array): number {
    return ids.reduce((sum, id) => sum + this.vocabulary.weight(id), 0);
  }

  /** Places where three words in a row of a text occur in literals. */
  at(first: number, second: number, third: number): readonly Posting[] {
    return this.postings.get(key(first, second, third)) ?? [];
  }

  private buildPostings(): void {
    const counts = new Map<number, number>();
    for (const { fragments } of this.patterns) {
      for (const { ids } of fragments) for (const one of shingles(ids)) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    for (const [pattern, { fragments }] of this.patterns.entries()) {
      for (const [fragment, { ids }] of fragments.entries()) {
        for (const offset of anchors([...shingles(ids)].map((one) => counts.get(one) ?? 0))) {
          const one = key(ids[offset] ?? 0, ids[offset + 1] ?? 0, ids[offset + 2] ?? 0);
          const list = this.postings.get(one);
          if (list === undefined) this.postings.set(one, [{ pattern, fragment, offset }]);
          else if (list.length < MOST_POSTINGS) list.push({ pattern, fragment, offset });
        }
      }
    }
  }
}

/** Class names of style sheets, as web pages hold them in lists: most words have hyphens or colons and none ends a sentence. */
function isStyle(fact: LiteralFact): boolean {
  if (!/\.(tsx|jsx|vue|svelte|html?|ts|js)$/.test(fact.file)) return false;
  const words = fact.parts
    .map((part) => part ?? ' ')
    .join('')
    .trim()
    .split(/\s+/);
  const styled = words.filter((word) => /^!?-?[a-z\d[\]:/.%()-]+$/.test(word) && /[a-z\d][-:][a-z\d[]/.test(word));
  if (/x$/.test(fact.file) && styled.length >= 1 && words.every((word) => /^[a-z\d[\]:/.%!()-]+$/.test(word)))
    return true;
  return styled.length >= 2 && styled.length >= 0.5 * words.length;
}

function isBare(text: string): boolean {
  return !/\s/.test(text.trim()) && !/^<|^#|:$/.test(text.trim());
}

/** Two different runs of words may share a key; matches are verified word by word. */
function key(first: number, second: number, third: number): number {
  return (((first * 73856093) ^ (second * 19349663) ^ (third * 83492791)) >>> 0) + (first % 1024) * 0x100000000;
}

function* shingles(ids: Int32Array): Generator<number> {
  for (let at = 0; at + 2 < ids.length; at += 1) yield key(ids[at] ?? 0, ids[at + 1] ?? 0, ids[at + 2] ?? 0);
}

/** Offsets of the rarest entry in every window. */
function anchors(counts: readonly number[]): Set<number> {
  const chosen = new Set<number>();
  for (let from = 0; from < counts.length; from += WINDOW) {
    let best = from;
    for (let at = from + 1; at < Math.min(from + WINDOW, counts.length); at += 1) {
      if ((counts[at] ?? 0) < (counts[best] ?? 0)) best = at;
    }
    chosen.add(best);
  }
  return chosen;
}
