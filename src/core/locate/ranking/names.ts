import type { QueryTerm } from '../tokens';
import { rarity } from './lexical';
import type { Postings } from './postings';
import type { SearchIndex } from './searchIndex';

/** Rarity of all words of each name, by index: names do not change while requests come. */
const totals = new WeakMap<SearchIndex, { rows: Float64Array; files: Float64Array }>();

/** Share of each name, by the rarity of its words, that the request says: `cycleModel` is said whole or in part. */
export function shareOfNames(
  index: SearchIndex,
  query: readonly QueryTerm[],
): { rows: Float64Array; files: Float64Array } {
  let whole = totals.get(index);
  if (!whole) {
    const all = [...index.terms.values()];
    whole = { rows: sumOf(index.name, all, index.rows.length), files: sumOf(index.base, all, index.files.length) };
    totals.set(index, whole);
  }
  const said = query.flatMap(({ term }) => index.terms.get(term) ?? []);
  const of = (part: Float64Array, total: Float64Array): Float64Array =>
    part.map((value, at) => (value === 0 ? 0 : value / (total[at] as number)));
  return {
    rows: of(sumOf(index.name, said, index.rows.length), whole.rows),
    files: of(sumOf(index.base, said, index.files.length), whole.files),
  };
}

function sumOf(postings: Postings, terms: readonly number[], documents: number): Float64Array {
  const sums = new Float64Array(documents);
  for (const term of terms) {
    const [from, to] = postings.range(term);
    const value = rarity(to - from, documents);
    for (let slot = from; slot < to; slot++) {
      const document = postings.documents[slot] as number;
      sums[document] = (sums[document] as number) + value;
    }
  }
  return sums;
}
