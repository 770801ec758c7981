import { type QueryTerm, queryTerms } from '../tokens';
import { scoreWords } from './lexical';
import { cosines, type Meaning, relatedTerms, requestVector } from './meaning';
import { shareOfNames } from './names';
import { bestOf, type History, scaled, scoreMessages } from './pastChanges';
import { hopFrom, type References } from './references';
import { searchableKind } from './searchable';
import type { SearchIndex } from './searchIndex';

/** A tree made ready for requests. */
export interface Corpus {
  index: SearchIndex;
  references: References;
  /** Absent where nothing is known of the past. */
  history?: History;
  /** Absent without a table of term vectors. */
  meaning?: Meaning;
}

/** One value a file or row, for each thing that speaks for it. */
export type Signals = Record<string, Float64Array>;

export interface RequestSignals {
  query: QueryTerm[];
  files: Signals;
  rows: Signals;
  /** Files and rows that can be answers at all, in no order. */
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
  const largestFile = Math.max(largest(words.files), 1e-9);
  const largestRow = Math.max(largest(words.rows), 1e-9);
  const fileWords = words.files.map((value) => value / largestFile);
  const rowWords = words.rows.map((value) => value / largestRow);
  const past = history ? scoreMessages(index, history, query) : undefined;
  const hops = hopFrom(corpus.references, bestOf(words.rows, seeds), words.rows);
  const none = { files: new Float64Array(index.files.length), rows: new Float64Array(index.rows.length) };
  const names = shareOfNames(index, query);
  const texts = Float64Array.from(index.files, ({ path }) => (searchableKind(path) === 'text' ? 1 : 0));
  const textRows = Float64Array.from(index.rows, ({ file }) => texts[file] as number);
  const cue = promptCue.test(request) ? 1 : 0;
  const near = meaningSignals(corpus, query, largestRow);
  const files: Signals = {
    words: fileWords,
    path: words.filePaths.map((value) => value / largestFile),
    coverage: words.fileCoverage,
    rank: negativeLogRanks(words.files),
    churn: history?.fileChurn ?? none.files,
    messages: past?.files ?? none.files,
    hop: scaled(maximumPerFile(index, hops.either)),
    gathering: maximumPerFile(index, hops.gathering),
    first: words.fileFirst,
    nameShare: names.files,
    recent: history?.fileRecent ?? none.files,
    isText: texts,
    promptCue: texts.map((value) => value * cue),
    cosine: near ? maximumPerFile(index, near.rows) : none.files,
    textCosine: near?.files ?? none.files,
  };
  const rows: Signals = {
    words: rowWords,
    name: words.rowNames.map((value) => value / largestRow),
    coverage: words.rowCoverage,
    rank: negativeLogRanks(words.rows),
    churn: history?.rowChurn ?? none.rows,
    messages: past?.rows ?? none.rows,
    hop: hops.either,
    callers: hops.callers,
    gathering: hops.gathering,
    first: words.rowFirst,
    nameShare: names.rows,
    recent: history?.rowRecent ?? none.rows,
    isText: textRows,
    promptCue: textRows.map((value) => value * cue),
    cosine: near?.rows ?? none.rows,
    related: near?.related ?? none.rows,
    unit: units ?? none.rows,
    length: index.body.lengths.map((value) => Math.log1p(value)),
    isClass: Float64Array.from(index.rows, (row) => (row.kind === 'class' ? 1 : 0)),
    rankInFile: ranksInFiles(index, words.rows),
  };
  const isKnown = query.some(({ term }) => index.terms.has(term) || history?.terms.has(term)) || near?.isKnown || units;
  if (!isKnown) return { query, files, rows, fileCandidates: [], rowCandidates: [], similar: [] };
  return {
    query,
    files,
    rows,
    fileCandidates: candidates(files, ['messages', 'hop', 'churn', 'cosine', 'textCosine'], fileCandidates),
    rowCandidates: candidates(rows, ['messages', 'hop', 'churn', 'cosine', 'related', 'unit'], rowCandidates),
    similar: past?.similar ?? [],
  };
}

/** How near files and rows are to the request in meaning, whatever their words. */
function meaningSignals({ index, meaning }: Corpus, query: readonly QueryTerm[], largestRow: number) {
  const vector = meaning && requestVector(index, meaning, query);
  if (!vector) return undefined;
  const terms = relatedTerms(index, meaning, query, vector);
  const related = scoreWords(index, terms).rows;
  return {
    isKnown: terms.length > 0,
    rows: cosines(meaning.rows, vector),
    files: cosines(meaning.files, vector),
    related: related.map((value) => Math.min(2, value / largestRow)),
  };
}

/** Best by words with a share of every other signal. */
function candidates(signals: Signals, others: readonly string[], count: number): number[] {
  const sum = (signals.words as Float64Array).slice();
  for (const name of others) {
    const values = scaled(signals[name] as Float64Array);
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + 0.3 * (values[at] as number);
  }
  return bestOf(sum, count);
}

function largest(values: Float64Array): number {
  let found = 0;
  for (const value of values) if (value > found) found = value;
  return found;
}

/** -ln(1 + rank) with the best at rank 0; what scored nothing shares the last rank. */
function negativeLogRanks(values: Float64Array): Float64Array {
  const order = bestOf(values, values.length);
  const ranks = new Float64Array(values.length).fill(-Math.log1p(order.length));
  for (const [rank, at] of order.entries()) ranks[at] = -Math.log1p(rank);
  return ranks;
}

function ranksInFiles(index: SearchIndex, values: Float64Array): Float64Array {
  const ranks = new Float64Array(values.length);
  for (const { from, to } of index.files) {
    const order = Array.from({ length: to - from }, (_, at) => from + at);
    order.sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
    for (const [rank, row] of order.entries()) ranks[row] = -Math.log1p(rank);
  }
  return ranks;
}

function maximumPerFile(index: SearchIndex, values: Float64Array): Float64Array {
  const best = new Float64Array(index.files.length);
  for (const [row, { file }] of index.rows.entries())
    best[file] = Math.max(best[file] as number, values[row] as number);
  return best;
}
