import { type QueryTerm, queryTerms } from '../tokens';
import { scoreWords } from './lexical';
import { cosineAt, type Meaning, relatedTerms, requestVector } from './meaning';
import { shareOfNames } from './names';
import { type History, scoreMessages } from './pastChanges';
import { hopFrom, type References } from './references';
import { searchableKind } from './searchable';
import type { SearchIndex } from './searchIndex';
import { bestOf, largest, ranksOf, scaled } from './selection';

/** A tree made ready for requests. */
export interface Corpus {
  index: SearchIndex;
  references: References;
  /** Absent where nothing is known of the past. */
  history?: History;
  /** Absent without a table of term vectors. */
  meaning?: Meaning;
}

/** One value a file or row, for each thing that speaks for it; those that are costly only for candidates. */
export type Signals = Record<string, Float64Array>;

export interface RequestSignals {
  query: QueryTerm[];
  files: Signals;
  rows: Signals;
  /** Files and rows that can be answers at all, best by a rough sum first. */
  fileCandidates: number[];
  rowCandidates: number[];
  /** Past changes with a similar message, by their number, most similar first. */
  similar: number[];
}

const fileCandidates = 80;
const rowCandidates = 300;
const seeds = 30;

/** Requests about what the model is told are answered by the text that tells it. */
const promptCue =
  /\b(prompts?|instructions?|instruct|ask(s|ed|ing)? the (agent|model|llm|assistant|user)|tell(s|ing)? (the )?(agent|model|llm|assistant|it)|remind(er|s)?|guidelines?|wording|persona|(agent|model|llm|assistant) (to|should|must|not)|encourage|discourage)\b/i;

/**
 * Everything the ranking weighs for a request. There are no candidates when the harness knows none of its words.
 *
 * @param units how much the behaviour units of each row speak for it, 0 to 1
 */
export function signalsOf(corpus: Corpus, request: string, units?: Float64Array): RequestSignals {
  const { index, history } = corpus;
  const query = queryTerms(request);
  const words = scoreWords(index, query);
  const past = history ? scoreMessages(index, history, query) : undefined;
  const hops = hopFrom(corpus.references, bestOf(words.rows, seeds), words.rows);
  const names = shareOfNames(index, query);
  const fixed = fixedOf(index);
  const asksForText = promptCue.test(request);
  const near = nearness(corpus, query);
  const { none } = fixed;
  const largestRow = Math.max(largest(words.rows), 1e-9);
  const largestFile = Math.max(largest(words.files), 1e-9);
  const files: Signals = {
    words: divided(words.files, largestFile),
    path: divided(words.filePaths, largestFile),
    coverage: words.fileCoverage,
    churn: history?.fileChurn ?? none.files,
    messages: past?.files ?? none.files,
    hop: scaled(maximumPerFile(index, hops.either)),
    gathering: maximumPerFile(index, hops.gathering),
    first: words.fileFirst,
    nameShare: names.files,
    recent: history?.fileRecent ?? none.files,
    isText: fixed.fileIsText,
    promptCue: asksForText ? fixed.fileIsText : none.files,
    textCosine: near?.files ?? none.files,
  };
  const rows: Signals = {
    words: divided(words.rows, largestRow),
    name: divided(words.rowNames, largestRow),
    coverage: words.rowCoverage,
    churn: history?.rowChurn ?? none.rows,
    messages: past?.rows ?? none.rows,
    hop: hops.either,
    callers: hops.callers,
    gathering: hops.gathering,
    first: words.rowFirst,
    nameShare: names.rows,
    recent: history?.rowRecent ?? none.rows,
    isText: fixed.rowIsText,
    promptCue: asksForText ? fixed.rowIsText : none.rows,
    related: near ? divided(near.related, largestRow, 2) : none.rows,
    unit: units ?? none.rows,
    length: fixed.length,
    isClass: fixed.isClass,
  };
  const isKnown = query.some(({ term }) => index.terms.has(term) || history?.terms.has(term)) || near?.isKnown || units;
  const signals = { query, files, rows, fileCandidates: [], rowCandidates: [], similar: past?.similar ?? [] };
  if (!isKnown) return signals;
  const ofFiles = candidates(files, ['messages', 'hop', 'churn', 'textCosine'], fileCandidates);
  const ofRows = candidates(rows, ['messages', 'hop', 'churn', 'related', 'unit'], rowCandidates);
  const cosines = near?.cosinesOf(ofFiles, ofRows) ?? { files: none.files, rows: none.rows, rowsNear: [] };
  for (const row of cosines.rowsNear) if (!ofRows.includes(row)) ofRows.push(row);
  files.cosine = cosines.files;
  rows.cosine = cosines.rows;
  files.rank = logarithmic(ranksOf(words.files, ofFiles), ofFiles, index.files.length);
  rows.rank = logarithmic(ranksOf(words.rows, ofRows), ofRows, index.rows.length);
  rows.rankInFile = ranksInFiles(index, words.rows, ofRows);
  return { ...signals, fileCandidates: ofFiles, rowCandidates: ofRows };
}

interface Fixed {
  length: Float64Array;
  isClass: Float64Array;
  rowIsText: Float64Array;
  fileIsText: Float64Array;
  none: { files: Float64Array; rows: Float64Array };
}

/** What does not depend on the request. */
const fixedSignals = new WeakMap<SearchIndex, Fixed>();

function fixedOf(index: SearchIndex): Fixed {
  let fixed = fixedSignals.get(index);
  if (!fixed) {
    const fileIsText = Float64Array.from(index.files, ({ path }) => (searchableKind(path) === 'text' ? 1 : 0));
    fixed = {
      length: index.body.lengths.map((value) => Math.log1p(value)),
      isClass: Float64Array.from(index.rows, (row) => (row.kind === 'class' ? 1 : 0)),
      rowIsText: Float64Array.from(index.rows, ({ file }) => fileIsText[file] as number),
      fileIsText,
      none: { files: new Float64Array(index.files.length), rows: new Float64Array(index.rows.length) },
    };
    fixedSignals.set(index, fixed);
  }
  return fixed;
}

/** Rows that only their meaning makes candidates. */
const nearRows = 60;

/** How near files and rows are to the request in meaning, whatever their words. */
function nearness({ index, meaning }: Corpus, query: readonly QueryTerm[]) {
  const vector = meaning && requestVector(index, meaning, query);
  if (!vector) return undefined;
  const terms = relatedTerms(meaning, query, vector);
  const files = new Float64Array(index.files.length);
  for (let file = 0; file < files.length; file++) files[file] = cosineAt(meaning.files, file, vector);
  return {
    isKnown: terms.length > 0,
    files,
    related: scoreWords(index, terms).rows,
    /** Of the candidates, and of all rows in the candidate files. */
    cosinesOf(ofFiles: readonly number[], ofRows: readonly number[]) {
      const rows = new Float64Array(index.rows.length);
      const best = new Float64Array(index.files.length);
      const near = new Float64Array(index.rows.length);
      for (const row of ofRows) rows[row] = cosineAt(meaning.rows, row, vector);
      for (const file of ofFiles) {
        const { from, to } = index.files[file] as { from: number; to: number };
        for (let row = from; row < to; row++) {
          const value = cosineAt(meaning.rows, row, vector);
          rows[row] = value;
          near[row] = value;
          if (value > (best[file] as number)) best[file] = value;
        }
      }
      return { rows, files: best, rowsNear: bestOf(near, nearRows) };
    },
  };
}

/** Best by words with a share of every other signal. */
function candidates(signals: Signals, others: readonly string[], count: number): number[] {
  const sum = (signals.words as Float64Array).slice();
  for (const name of others) {
    const values = signals[name] as Float64Array;
    const share = 0.3 / Math.max(largest(values), 1e-9);
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + share * (values[at] as number);
  }
  return bestOf(sum, count);
}

/** In place: these lists are made anew for each request. */
function divided(values: Float64Array, by: number, most = Number.POSITIVE_INFINITY): Float64Array {
  for (let at = 0; at < values.length; at++) values[at] = Math.min(most, (values[at] as number) / by);
  return values;
}

/** -ln(1 + rank), at the places of the candidates. */
function logarithmic(ranks: readonly number[], places: readonly number[], length: number): Float64Array {
  const values = new Float64Array(length);
  for (const [at, place] of places.entries()) values[place] = -Math.log1p(ranks[at] as number);
  return values;
}

/** The same among the rows of the same file. */
function ranksInFiles(index: SearchIndex, values: Float64Array, rows: readonly number[]): Float64Array {
  const ranks = new Float64Array(values.length);
  for (const row of rows) {
    const { from, to } = index.files[index.fileOfRow[row] as number] as { from: number; to: number };
    let better = 0;
    for (let other = from; other < to; other++) {
      const difference = (values[other] as number) - (values[row] as number);
      if (difference > 0 || (difference === 0 && other < row)) better += 1;
    }
    ranks[row] = -Math.log1p(better);
  }
  return ranks;
}

function maximumPerFile(index: SearchIndex, values: Float64Array): Float64Array {
  const best = new Float64Array(index.files.length);
  for (let row = 0; row < values.length; row++) {
    const file = index.fileOfRow[row] as number;
    if ((values[row] as number) > (best[file] as number)) best[file] = values[row] as number;
  }
  return best;
}
