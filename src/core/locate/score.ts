import type { ProgramGraph } from '../graph';
import type { FileRow, Row, SearchIndex } from './searchIndex';
import type { QueryTerm } from './tokens';

export interface Scored {
  row: number;
  score: number;
}

export interface RowScores {
  scores: Map<number, Scored>;
  /** Terms of the request that a row matches, strongest first. */
  matched(row: number): string[];
}

const saturation = 0.8;

function normalized(count: number, length: number, average: number, b: number): number {
  return count === 0 ? 0 : count / (1 - b + (b * length) / average);
}

/**
 * BM25F over definitions with boosts for names, containers and paths, plus a quarter of the score of the whole file.
 * Robertson, Zaragoza: The Probabilistic Relevance Framework (2009), one saturation over all fields of a term; field weights
 * and length normalization as tuned on requests from git histories of harnesses.
 */
export function scoreRows(index: SearchIndex, query: readonly QueryTerm[]): RowScores {
  const total = index.rows.length;
  const sums = new Float64Array(total);
  const gains: { term: string; values: Float64Array }[] = [];
  const { averages } = index;
  for (const { term, weight } of query) {
    const postings = index.postings.get(term) ?? [];
    const paths = (index.filePostings.get(term) ?? []).filter((posting) => posting.base > 0 || posting.folder > 0);
    if (postings.length === 0 && paths.length === 0) continue;
    const idf = Math.log(1 + (total - postings.length + 0.5) / (postings.length + 0.5));
    const values = new Float64Array(total);
    for (const posting of postings) {
      const row = index.rows[posting.row] as Row;
      values[posting.row] =
        normalized(posting.body, row.bodyLength, averages.body, 0.4) +
        3 * normalized(posting.name, row.nameLength, averages.name, 0.5) +
        3 * normalized(posting.container, row.containerLength, averages.container, 0.5);
    }
    const onlyPath = new Set<number>();
    for (const posting of paths) {
      const file = index.files[posting.file] as FileRow;
      const value =
        2 * normalized(posting.base, file.baseLength, averages.base, 0.5) +
        0.5 * normalized(posting.folder, file.folderLength, averages.folder, 0.5);
      for (const row of file.rows) {
        if (values[row] === 0) onlyPath.add(row);
        values[row] = (values[row] as number) + value;
      }
    }
    for (let row = 0; row < total; row++) {
      const value = values[row] as number;
      if (value === 0) continue;
      const gain = weight * idf * ((1.8 * value) / (saturation + value)) * (onlyPath.has(row) ? 0.5 : 1);
      values[row] = gain;
      sums[row] = (sums[row] as number) + gain;
    }
    gains.push({ term, values });
  }
  const whole = scoreFiles(index, query);
  const scores = new Map<number, Scored>();
  for (let row = 0; row < total; row++) {
    const sum = sums[row] as number;
    if (sum === 0) continue;
    const { node, file } = index.rows[row] as Row;
    // A class's own text is short, which length normalization rewards too much.
    scores.set(row, { row, score: (sum + 0.25 * (whole.get(file) ?? 0)) * (node.kind === 'class' ? 0.8 : 1) });
  }
  const matched = (row: number): string[] =>
    gains
      .filter(({ values }) => (values[row] as number) > 0)
      .sort((a, b) => (b.values[row] as number) - (a.values[row] as number))
      .map(({ term }) => term);
  return { scores, matched };
}

function scoreFiles(index: SearchIndex, query: readonly QueryTerm[]): Map<number, number> {
  const scores = new Map<number, number>();
  const { averages } = index;
  for (const { term, weight } of query) {
    const postings = index.filePostings.get(term) ?? [];
    const idf = Math.log(1 + (index.files.length - postings.length + 0.5) / (postings.length + 0.5));
    for (const posting of postings) {
      const file = index.files[posting.file];
      if (!file) continue;
      const value =
        normalized(posting.text, file.textLength, averages.text, 0.75) +
        2 * normalized(posting.base, file.baseLength, averages.base, 0.5) +
        0.5 * normalized(posting.folder, file.folderLength, averages.folder, 0.5);
      scores.set(posting.file, (scores.get(posting.file) ?? 0) + (weight * idf * 1.8 * value) / (saturation + value));
    }
  }
  return scores;
}

/** Adds to each definition a share of its best neighbour over one call, from the strongest thirty definitions. */
export function propagate(index: SearchIndex, graph: ProgramGraph, scores: Map<number, Scored>): void {
  const seeds = [...scores.values()].sort((a, b) => b.score - a.score || a.row - b.row).slice(0, 30);
  const gains = new Map<number, number>();
  for (const seed of seeds) {
    const node = index.rows[seed.row]?.node;
    if (!node) continue;
    const neighbours = [
      ...graph.out(node.id, 'calls').map((edge) => edge.to),
      ...graph.in(node.id, 'calls').map((edge) => edge.from),
    ];
    for (const id of neighbours) {
      const row = index.rowOfNode.get(id);
      if (row !== undefined && row !== seed.row) gains.set(row, Math.max(gains.get(row) ?? 0, 0.12 * seed.score));
    }
  }
  for (const [row, gain] of gains) {
    const scored = scores.get(row);
    if (scored) scored.score += gain;
    else scores.set(row, { row, score: gain });
  }
}

/** BM25 over the words of units; the unit's number in `index.units` to its score and matched terms. */
export function scoreUnits(
  index: SearchIndex,
  query: readonly QueryTerm[],
): Map<number, { score: number; matched: string[] }> {
  const scores = new Map<number, { score: number; matched: string[] }>();
  const total = index.units.length;
  const average = index.units.reduce((sum, unit) => sum + unit.length, 0) / Math.max(1, total) || 1;
  for (const { term, weight } of query) {
    const having = index.units.map((unit) => unit.terms.get(term) ?? 0);
    const frequency = having.filter((count) => count > 0).length;
    if (frequency === 0) continue;
    const idf = Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
    having.forEach((count, number) => {
      const unit = index.units[number];
      if (count === 0 || !unit) return;
      const value = normalized(count, unit.length, average, 0.6);
      const known = scores.get(number) ?? { score: 0, matched: [] };
      known.score += weight * idf * ((1.8 * value) / (saturation + value));
      known.matched.push(term);
      scores.set(number, known);
    });
  }
  return scores;
}
