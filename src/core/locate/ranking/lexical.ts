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
  const scorer = new WordScorer(index);
  for (const term of query) scorer.add(term);
  return scorer.finish();
}

/** Room to add up one term; empty between terms, so requests can share it. */
interface Scratch {
  full: Float64Array;
  named: Float64Array;
  path: Float64Array;
  whole: Float64Array;
  names: Float64Array;
  /** The last term that touched a row or file. */
  rowStep: Int32Array;
  fileStep: Int32Array;
  step: number;
}

const scratches = new WeakMap<SearchIndex, Scratch>();

function scratchOf(index: SearchIndex): Scratch {
  let scratch = scratches.get(index);
  if (!scratch) {
    const [rows, files] = [index.rows.length, index.files.length];
    scratch = {
      full: new Float64Array(rows),
      named: new Float64Array(rows),
      path: new Float64Array(files),
      whole: new Float64Array(files),
      names: new Float64Array(files),
      rowStep: new Int32Array(rows),
      fileStep: new Int32Array(files),
      step: 0,
    };
    scratches.set(index, scratch);
  }
  return scratch;
}

class WordScorer {
  private readonly scores: LexicalScores;
  private readonly wholes: Float64Array;
  private readonly matched: Uint8Array;
  private readonly scratch: Scratch;
  private readonly totals = { row: 0, file: 0, rowFirst: 0, fileFirst: 0 };

  constructor(private readonly index: SearchIndex) {
    const [rows, files] = [index.rows.length, index.files.length];
    this.scores = {
      rows: new Float64Array(rows),
      files: new Float64Array(files),
      rowNames: new Float64Array(rows),
      filePaths: new Float64Array(files),
      rowCoverage: new Float64Array(rows),
      fileCoverage: new Float64Array(files),
      rowFirst: new Float64Array(rows),
      fileFirst: new Float64Array(files),
    };
    this.matched = new Uint8Array(rows);
    this.wholes = new Float64Array(files);
    this.scratch = scratchOf(index);
  }

  add({ term, weight, first }: QueryTerm): void {
    const step = ++this.scratch.step;
    const number = this.index.terms.get(term);
    const rows = number === undefined ? [] : this.collectRows(number, step);
    const files = number === undefined ? [] : this.collectFiles(number, step);
    // A word that is nowhere is still a word that was asked for.
    const importance = weight * rarity(rows.length, this.index.rows.length);
    const fileImportance = weight * rarity(files.length, this.index.files.length);
    this.totals.row += importance;
    this.totals.file += fileImportance;
    if (first) this.totals.rowFirst += importance;
    if (first) this.totals.fileFirst += fileImportance;
    this.scoreRows(rows, importance, first === true);
    this.scorePaths(files, importance, step);
    this.scoreFiles(files, fileImportance, first === true);
  }

  finish(): LexicalScores {
    const { scores, wholes, totals } = this;
    const { fileOfRow } = this.index;
    for (let row = 0; row < fileOfRow.length; row++) {
      const file = fileOfRow[row] as number;
      // A match of the path alone does not make a definition relevant.
      let own = scores.rows[row] as number;
      if (this.matched[row] === 0) own /= 2;
      if (own > (scores.files[file] as number)) scores.files[file] = own;
      scores.rows[row] = own > 0 ? own + 0.25 * (wholes[file] as number) : 0;
    }
    for (let file = 0; file < wholes.length; file++)
      scores.files[file] = (scores.files[file] as number) + 0.5 * (wholes[file] as number);
    divide(scores.rowCoverage, totals.row);
    divide(scores.fileCoverage, totals.file);
    divide(scores.rowFirst, totals.rowFirst);
    divide(scores.fileFirst, totals.fileFirst);
    return scores;
  }

  /** Adds what rows themselves have of a term; returns the rows that have any. */
  private collectRows(term: number, step: number): number[] {
    const having: number[] = [];
    const add = (postings: Postings, b: number, boost: number, isName: boolean): void => {
      const [from, to] = postings.range(term);
      for (let slot = from; slot < to; slot++) {
        const row = postings.documents[slot] as number;
        const value = boost * postings.normalized(slot, b);
        this.scratch.full[row] = (this.scratch.full[row] as number) + value;
        if (isName) this.scratch.named[row] = (this.scratch.named[row] as number) + value;
        if (this.scratch.rowStep[row] === step) continue;
        this.scratch.rowStep[row] = step;
        having.push(row);
      }
    };
    add(this.index.body, 0.4, 1, false);
    add(this.index.name, 0.5, 3, true);
    add(this.index.container, 0.5, 3, true);
    return having;
  }

  /** The same for files: their text, their path and the names of their definitions. */
  private collectFiles(term: number, step: number): number[] {
    const having: number[] = [];
    const touch = (file: number): void => {
      if (this.scratch.fileStep[file] === step) return;
      this.scratch.fileStep[file] = step;
      having.push(file);
    };
    const add = (postings: Postings, into: Float64Array, b: number, boost: number): void => {
      const [from, to] = postings.range(term);
      for (let slot = from; slot < to; slot++) {
        const file = postings.documents[slot] as number;
        into[file] = (into[file] as number) + boost * postings.normalized(slot, b);
        touch(file);
      }
    };
    add(this.index.text, this.scratch.whole, 0.75, 1);
    add(this.index.base, this.scratch.path, 0.5, 2);
    add(this.index.folder, this.scratch.path, 0.5, 0.5);
    const { name, fileOfRow } = this.index;
    const [from, to] = name.range(term);
    for (let slot = from; slot < to; slot++) {
      const file = fileOfRow[name.documents[slot] as number] as number;
      this.scratch.names[file] = (this.scratch.names[file] as number) + 1;
      touch(file);
    }
    return having;
  }

  private scoreRows(having: readonly number[], importance: number, first: boolean): void {
    const { scores } = this;
    const { path } = this.scratch;
    const { fileOfRow } = this.index;
    for (const row of having) {
      const outer = path[fileOfRow[row] as number] as number;
      const named = (this.scratch.named[row] as number) + outer;
      scores.rows[row] =
        (scores.rows[row] as number) + importance * saturated((this.scratch.full[row] as number) + outer);
      if (named > 0) scores.rowNames[row] = (scores.rowNames[row] as number) + importance * saturated(named);
      scores.rowCoverage[row] = (scores.rowCoverage[row] as number) + importance;
      if (first) scores.rowFirst[row] = (scores.rowFirst[row] as number) + importance;
      this.matched[row] = 1;
      this.scratch.full[row] = 0;
      this.scratch.named[row] = 0;
    }
  }

  /** Rows that have only the path of their file to do with a term. */
  private scorePaths(files: readonly number[], importance: number, step: number): void {
    const { rows, rowNames } = this.scores;
    for (const file of files) {
      const outer = this.scratch.path[file] as number;
      if (outer === 0) continue;
      const gain = importance * saturated(outer);
      const { from, to } = this.index.files[file] as { from: number; to: number };
      for (let row = from; row < to; row++) {
        if (this.scratch.rowStep[row] === step) continue;
        rows[row] = (rows[row] as number) + gain;
        rowNames[row] = (rowNames[row] as number) + gain;
      }
    }
  }

  private scoreFiles(having: readonly number[], importance: number, first: boolean): void {
    const { scores, wholes } = this;
    for (const file of having) {
      const outer = (this.scratch.path[file] as number) + Math.min(this.scratch.names[file] as number, 3);
      wholes[file] = (wholes[file] as number) + importance * saturated((this.scratch.whole[file] as number) + outer);
      if (outer > 0) scores.filePaths[file] = (scores.filePaths[file] as number) + importance * saturated(outer);
      scores.fileCoverage[file] = (scores.fileCoverage[file] as number) + importance;
      if (first) scores.fileFirst[file] = (scores.fileFirst[file] as number) + importance;
      this.scratch.path[file] = 0;
      this.scratch.whole[file] = 0;
      this.scratch.names[file] = 0;
    }
  }
}

function divide(values: Float64Array, total: number): void {
  if (total <= 0) return;
  for (let at = 0; at < values.length; at++) values[at] = (values[at] as number) / total;
}
