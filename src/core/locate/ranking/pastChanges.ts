import type { PastChange } from '../../harness';
import { type QueryTerm, termsOf } from '../tokens';
import { rarity } from './lexical';
import { Postings } from './postings';
import { lastName, type SearchIndex } from './searchIndex';
import { bestOf, scaled } from './selection';

/** Past changes as seen from one tree. */
export interface History {
  /** How much each file and row changed, recent changes counting more. */
  fileChurn: Float64Array;
  rowChurn: Float64Array;
  /** The same with only the last few commits in view: work comes in bursts. */
  fileRecent: Float64Array;
  rowRecent: Float64Array;
  /** What each change touched, and the words of its message. */
  changes: readonly PastChange[];
  touched: { files: number[]; rows: number[]; size: number; names: number }[];
  terms: Map<string, number>;
  messages: Postings;
}

/** After so many commits a change counts 1/e. */
const fading = 100;
const burst = 12;
const trailer =
  /^\s*(?:[-*]\s*)?(?:co-?authored-by|signed-off-by|reviewed-by|change-id|generated|assisted-by|acked-by|tested-by|cherry)[^\n]*$/gim;

const messageTerms = new WeakMap<PastChange, Map<string, number>>();

function termsOfMessage(change: PastChange): Map<string, number> {
  let terms = messageTerms.get(change);
  if (!terms) {
    terms = termsOf(change.message.replace(trailer, ' '));
    messageTerms.set(change, terms);
  }
  return terms;
}

/** Lays changes of the past, newest first, over the files and definitions of an index. */
export function layHistory(index: SearchIndex, changes: readonly PastChange[]): History {
  const byBase = new Map<string, number>();
  const bases = new Map<string, number>();
  for (const [file, { path }] of index.files.entries()) {
    const base = path.slice(path.lastIndexOf('/') + 1);
    bases.set(base, (bases.get(base) ?? 0) + 1);
    byBase.set(base, file);
  }
  // A moved file is known again by a name that only it has.
  const fileOf = (path: string): number | undefined => {
    const base = path.slice(path.lastIndexOf('/') + 1);
    return index.fileOfPath.get(path) ?? (bases.get(base) === 1 ? byBase.get(base) : undefined);
  };
  const rowsByName = new Map<string, number[]>();
  for (const [row, { name, file }] of index.rows.entries()) {
    const key = `${file} ${lastName(name)}`;
    const known = rowsByName.get(key);
    if (known) known.push(row);
    else rowsByName.set(key, [row]);
  }
  const fileChurn = new Float64Array(index.files.length);
  const rowChurn = new Float64Array(index.rows.length);
  const fileRecent = new Float64Array(index.files.length);
  const rowRecent = new Float64Array(index.rows.length);
  const terms = new Map<string, number>();
  const lists: number[][] = [];
  const touched: History['touched'] = [];
  for (const [age, change] of changes.entries()) {
    const weight = Math.exp(-age / fading);
    const recent = Math.exp(-age / burst);
    const files: number[] = [];
    const rows: number[] = [];
    let names = 0;
    for (const { path, names: changed } of change.files) {
      names += changed.length;
      const file = fileOf(path);
      if (file === undefined) continue;
      files.push(file);
      fileChurn[file] = (fileChurn[file] as number) + weight;
      fileRecent[file] = (fileRecent[file] as number) + recent;
      const { from, to } = index.files[file] as { from: number; to: number };
      const whole = to - from === 1 && index.rows[from]?.kind === 'file' ? [from] : [];
      for (const row of [...whole, ...changed.flatMap((name) => rowsByName.get(`${file} ${name}`) ?? [])]) {
        rows.push(row);
        rowChurn[row] = (rowChurn[row] as number) + weight;
        rowRecent[row] = (rowRecent[row] as number) + recent;
      }
    }
    touched.push({ files, rows, size: change.files.length, names: Math.max(names, rows.length) });
    const pairs: number[] = [];
    for (const [term, count] of termsOfMessage(change)) {
      let number = terms.get(term);
      if (number === undefined) {
        number = terms.size;
        terms.set(term, number);
      }
      pairs.push(number, count);
    }
    lists.push(pairs);
  }
  const logarithm = (value: number): number => Math.log1p(value);
  return {
    fileChurn: fileChurn.map(logarithm),
    rowChurn: rowChurn.map(logarithm),
    fileRecent: fileRecent.map(logarithm),
    rowRecent: rowRecent.map(logarithm),
    changes,
    touched,
    terms,
    messages: Postings.of(terms.size, lists),
  };
}

const saturation = 1.2;
const bestMessages = 60;

/**
 * Files and rows that changes with a similar message touched, 0 to 1; the most similar counts most. `similar` are the
 * numbers of those changes, most similar first.
 */
export function scoreMessages(
  index: SearchIndex,
  history: History,
  query: readonly QueryTerm[],
): { files: Float64Array; rows: Float64Array; similar: number[] } {
  const files = new Float64Array(index.files.length);
  const rows = new Float64Array(index.rows.length);
  const scores = new Float64Array(history.touched.length);
  for (const { term, weight } of query) {
    const number = history.terms.get(term);
    if (number === undefined) continue;
    const [from, to] = history.messages.range(number);
    const importance = weight * rarity(to - from, scores.length);
    for (let slot = from; slot < to; slot++) {
      const count = history.messages.counts[slot] as number;
      const change = history.messages.documents[slot] as number;
      const length = (history.messages.lengths[change] as number) / history.messages.average;
      const value = ((saturation + 1) * count) / (count + saturation * (0.25 + 0.75 * length));
      scores[change] = (scores[change] as number) + importance * value;
    }
  }
  const similar = bestOf(scores, bestMessages);
  for (const change of similar) {
    const score = scores[change] as number;
    const { files: inFiles, rows: inRows, size, names } = history.touched[change] as History['touched'][number];
    for (const file of inFiles) files[file] = (files[file] as number) + score / Math.sqrt(size);
    for (const row of inRows) rows[row] = (rows[row] as number) + score / Math.sqrt(names);
  }
  return { files: scaled(files), rows: scaled(rows), similar };
}

/** Fewer common changes may be chance. */
const fewestTogether = 3;

/** Files that changed in at least a third of the changes of a file, most often first, at most three. */
export function coChanged(history: History, file: number): { file: number; together: number; times: number }[] {
  const counts = new Map<number, number>();
  let times = 0;
  for (const { files } of history.touched) {
    if (!files.includes(file)) continue;
    times += 1;
    for (const other of new Set(files)) if (other !== file) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, together]) => together >= fewestTogether && 3 * together >= times)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, 3)
    .map(([other, together]) => ({ file: other, together, times }));
}
