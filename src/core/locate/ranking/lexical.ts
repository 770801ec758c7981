import type { QueryTerm } from '../tokens';
import type { Postings } from './postings';
import type { SearchIndex } from './searchIndex';

/** Scores by words, for every row and file of an index. */
export interface LexicalScores {
  /** BM25F over all fields, with a share of the file's text. */
  rows: Float64Array;
  files: Float64Array;
  /** The same over names and paths alone. */
  rowNames: Float64Array;
  filePaths: Float64Array;
  /** Share of the request's words, by rarity, that occur at all. */
  rowCoverage: Float64Array;
  fileCoverage: Float64Array;
  /** The same for the words of the first sentence. */
  rowFirst: Float64Array;
  fileFirst: Float64Array;
}

const saturation = 0.8;

/** Rarity of a term (Robertson, Sparck Jones; never negative). */
export function rarity(having: number, total: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5));
}

function saturated(frequency: number): number {
  return ((saturation + 1) * frequency) / (saturation + frequency);
}

/**
 * BM25F (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009): one saturation over all fields of a term.
 * Field weights and length normalization were chosen on requests from git histories of harnesses.
 */
export function scoreWords(index: SearchIndex, query: readonly QueryTerm[]): LexicalScores {
  const rowCount = index.rows.length;
  const fileCount = index.files.length;
  const scores: LexicalScores = {
    rows: new Float64Array(rowCount),
    files: new Float64Array(fileCount),
    rowNames: new Float64Array(rowCount),
    filePaths: new Float64Array(fileCount),
    rowCoverage: new Float64Array(rowCount),
    fileCoverage: new Float64Array(fileCount),
    rowFirst: new Float64Array(rowCount),
    fileFirst: new Float64Array(fileCount),
  };
  const matched = new Uint8Array(rowCount);
  const work = {
    named: new Float64Array(rowCount),
    full: new Float64Array(rowCount),
    own: new Int32Array(rowCount),
    path: new Float64Array(fileCount),
    whole: new Float64Array(fileCount),
    names: new Float64Array(fileCount),
  };
  const wholes = new Float64Array(fileCount);
  let totalRow = 0;
  let totalFile = 0;
  let totalRowFirst = 0;
  let totalFileFirst = 0;
  for (const [step, { term, weight, first }] of query.entries()) {
    const number = index.terms.get(term);
    if (number === undefined) {
      // A word that is nowhere is still a word that was asked for.
      totalRow += weight * rarity(0, rowCount);
      totalFile += weight * rarity(0, fileCount);
      if (first) totalRowFirst += weight * rarity(0, rowCount);
      if (first) totalFileFirst += weight * rarity(0, fileCount);
      continue;
    }
    const having = collectRows(index, number, step + 1, work);
    for (const row of having) matched[row] = 1;
    collectFiles(index, number, having, work);
    const importance = weight * rarity(having.length, rowCount);
    totalRow += importance;
    for (const row of having) scores.rowCoverage[row] = (scores.rowCoverage[row] as number) + importance;
    if (first) {
      totalRowFirst += importance;
      for (const row of having) scores.rowFirst[row] = (scores.rowFirst[row] as number) + importance;
    }
    for (let file = 0; file < fileCount; file++) {
      const path = work.path[file] as number;
      const { from, to } = index.files[file] as { from: number; to: number };
      if (path > 0 || (work.names[file] as number) > 0 || (work.whole[file] as number) > 0) {
        for (let row = from; row < to; row++) {
          const full = (work.full[row] as number) + path;
          if (full === 0) continue;
          const named = (work.named[row] as number) + path;
          scores.rows[row] = (scores.rows[row] as number) + importance * saturated(full);
          if (named > 0) scores.rowNames[row] = (scores.rowNames[row] as number) + importance * saturated(named);
          work.full[row] = 0;
          work.named[row] = 0;
        }
      }
    }
    const holding = countHolding(work, fileCount);
    const fileImportance = weight * rarity(holding, fileCount);
    totalFile += fileImportance;
    if (first) totalFileFirst += fileImportance;
    for (let file = 0; file < fileCount; file++) {
      const outer = (work.path[file] as number) + Math.min(work.names[file] as number, 3);
      const full = (work.whole[file] as number) + outer;
      if (full === 0) continue;
      wholes[file] = (wholes[file] as number) + fileImportance * saturated(full);
      if (outer > 0) scores.filePaths[file] = (scores.filePaths[file] as number) + fileImportance * saturated(outer);
      scores.fileCoverage[file] = (scores.fileCoverage[file] as number) + fileImportance;
      if (first) scores.fileFirst[file] = (scores.fileFirst[file] as number) + fileImportance;
    }
    work.path.fill(0);
    work.whole.fill(0);
    work.names.fill(0);
  }
  for (let row = 0; row < rowCount; row++) {
    // A match of the path alone does not make a definition relevant.
    if (matched[row] === 0) scores.rows[row] = (scores.rows[row] as number) / 2;
    const file = (index.rows[row] as { file: number }).file;
    scores.files[file] = Math.max(scores.files[file] as number, scores.rows[row] as number);
    scores.rowCoverage[row] = (scores.rowCoverage[row] as number) / Math.max(totalRow, 1e-9);
    scores.rowFirst[row] = (scores.rowFirst[row] as number) / Math.max(totalRowFirst, 1e-9);
  }
  for (let row = 0; row < rowCount; row++) {
    const own = scores.rows[row] as number;
    const file = (index.rows[row] as { file: number }).file;
    if (own > 0) scores.rows[row] = own + 0.25 * (wholes[file] as number);
  }
  for (let file = 0; file < fileCount; file++) {
    scores.files[file] = (scores.files[file] as number) + 0.5 * (wholes[file] as number);
    scores.fileCoverage[file] = (scores.fileCoverage[file] as number) / Math.max(totalFile, 1e-9);
    scores.fileFirst[file] = (scores.fileFirst[file] as number) / Math.max(totalFileFirst, 1e-9);
  }
  return scores;
}

interface Work {
  named: Float64Array;
  full: Float64Array;
  own: Int32Array;
  path: Float64Array;
  whole: Float64Array;
  names: Float64Array;
}

/** Adds what rows themselves have of a term; returns the rows that have any. */
function collectRows(index: SearchIndex, term: number, step: number, work: Work): number[] {
  const having: number[] = [];
  const add = (postings: Postings, b: number, boost: number, isName: boolean): void => {
    const [from, to] = postings.range(term);
    for (let slot = from; slot < to; slot++) {
      const row = postings.documents[slot] as number;
      const value = boost * postings.normalized(slot, b);
      work.full[row] = (work.full[row] as number) + value;
      if (isName) work.named[row] = (work.named[row] as number) + value;
      if (work.own[row] !== step) {
        work.own[row] = step;
        having.push(row);
      }
    }
  };
  add(index.body, 0.4, 1, false);
  add(index.name, 0.5, 3, true);
  add(index.container, 0.5, 3, true);
  return having;
}

function collectFiles(index: SearchIndex, term: number, having: readonly number[], work: Work): void {
  const add = (postings: Postings, into: Float64Array, b: number, boost: number): void => {
    const [from, to] = postings.range(term);
    for (let slot = from; slot < to; slot++) {
      const file = postings.documents[slot] as number;
      into[file] = (into[file] as number) + boost * postings.normalized(slot, b);
    }
  };
  add(index.text, work.whole, 0.75, 1);
  add(index.base, work.path, 0.5, 2);
  add(index.folder, work.path, 0.5, 0.5);
  const [from, to] = index.name.range(term);
  for (let slot = from; slot < to; slot++) {
    const file = (index.rows[index.name.documents[slot] as number] as { file: number }).file;
    work.names[file] = (work.names[file] as number) + 1;
  }
  for (const row of having) {
    // A container or comment above a definition may lie outside the text that is counted.
    const file = (index.rows[row] as { file: number }).file;
    if (work.whole[file] === 0 && work.path[file] === 0 && work.names[file] === 0) work.whole[file] = 1e-9;
  }
}

function countHolding(work: Work, files: number): number {
  let count = 0;
  for (let file = 0; file < files; file++) {
    if ((work.whole[file] as number) > 0 || (work.path[file] as number) > 0) count++;
  }
  return count;
}
