import type { QueryTerm } from '../tokens';
import { rarity } from './lexical';
import type { Postings } from './postings';
import type { SearchIndex } from './searchIndex';
import { normalize, type TermVectors } from './termVectors';

/** Directions of the rows and files of an index. */
export interface Meaning {
  vectors: TermVectors;
  rows: Float32Array;
  files: Float32Array;
  /** Rarity of each term of the index that the table knows; absent ones are 0. */
  rarities: Float64Array;
  /** Terms of the index that the table knows, with their number there. */
  known: { term: string; word: number }[];
}

/** Gives every row the direction of its own words and of its name, each half; every file that of all its words. */
export function meaningOf(index: SearchIndex, vectors: TermVectors): Meaning {
  const { dimensions } = vectors;
  const words = new Int32Array(index.terms.size).fill(-1);
  const rarities = new Float64Array(index.terms.size);
  const known: Meaning['known'] = [];
  for (const [term, number] of index.terms) {
    const word = vectors.numbers.get(term);
    if (word === undefined) continue;
    words[number] = word;
    known.push({ term, word });
    const [from, to] = index.body.range(number);
    rarities[number] = rarity(to - from, index.rows.length);
  }
  const rowCount = index.rows.length;
  const rows = new Float32Array(rowCount * dimensions);
  const names = new Float32Array(rowCount * dimensions);
  const files = new Float32Array(index.files.length * dimensions);
  const bases = new Float32Array(index.files.length * dimensions);
  const addAll = (postings: Postings, into: Float32Array): void => {
    for (let term = 0; term < words.length; term++) {
      const word = words[term] as number;
      if (word < 0) continue;
      const [from, to] = postings.range(term);
      for (let slot = from; slot < to; slot++) {
        const weight = (rarities[term] as number) * (1 + Math.log(postings.counts[slot] as number));
        vectors.add(word, weight, into, (postings.documents[slot] as number) * dimensions);
      }
    }
  };
  addAll(index.body, rows);
  addAll(index.name, names);
  addAll(index.text, files);
  addAll(index.base, bases);
  for (let row = 0; row < rowCount; row++) {
    const offset = row * dimensions;
    const file = (index.rows[row] as { file: number }).file * dimensions;
    for (let at = 0; at < dimensions; at++)
      names[offset + at] = (names[offset + at] as number) + (bases[file + at] as number);
    normalize(names, offset, dimensions);
    normalize(rows, offset, dimensions);
    for (let at = offset; at < offset + dimensions; at++) rows[at] = (rows[at] as number) + (names[at] as number);
    normalize(rows, offset, dimensions);
  }
  for (let file = 0; file < index.files.length; file++) normalize(files, file * dimensions, dimensions);
  return { vectors, rows, files, rarities, known };
}

/** The direction of a request; undefined when the table knows none of its words. */
export function requestVector(
  index: SearchIndex,
  meaning: Meaning,
  query: readonly QueryTerm[],
): Float32Array | undefined {
  const { vectors } = meaning;
  const vector = new Float32Array(vectors.dimensions);
  let any = false;
  for (const { term, weight, joined } of query) {
    const word = vectors.numbers.get(term);
    if (word === undefined || joined) continue;
    const number = index.terms.get(term);
    const importance = number === undefined ? rarity(0, index.rows.length) : (meaning.rarities[number] as number);
    vectors.add(word, weight * importance, vector);
    any = true;
  }
  normalize(vector, 0, vectors.dimensions);
  return any ? vector : undefined;
}

/** Cosine of a vector with one of a list of directions, not below 0. */
export function cosineAt(directions: Float32Array, at: number, vector: Float32Array): number {
  const offset = at * vector.length;
  let sum = 0;
  for (let dimension = 0; dimension < vector.length; dimension++)
    sum += (directions[offset + dimension] as number) * (vector[dimension] as number);
  return Math.max(0, sum);
}

const neighbours = 15;
const nearest = 0.4;

/** Words of the source that mean what the request says and are not in it, with their cosine as weight. */
export function relatedTerms(meaning: Meaning, query: readonly QueryTerm[], vector: Float32Array): QueryTerm[] {
  const asked = new Set(query.map(({ term }) => term));
  const found: QueryTerm[] = [];
  for (const { term, word } of meaning.known) {
    if (asked.has(term)) continue;
    const weight = meaning.vectors.cosine(word, vector);
    if (weight >= nearest) found.push({ term, weight });
  }
  return found.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, neighbours);
}
