import type { Prepared } from './prepare';
import type { Postings, QueryTerm, Ranked, SearchIndex } from './ranking';
import { quoted } from './units';

/** Why a row is shown, strongest reason first; never empty. */
export function reasonsOf(row: number, ranked: Ranked, { corpus }: Prepared, unit: string | undefined): string[] {
  const { index, history } = corpus;
  const { signals } = ranked;
  const reasons: string[] = [];
  const words = matchedTerms(index, row, signals.query);
  if (words.length > 0) reasons.push(`matches ${quoted(words)}`);
  if (unit) reasons.push(`belongs to "${unit}"`);
  const change = signals.similar.find((number) => history?.touched[number]?.rows.includes(row));
  const subject = change === undefined ? undefined : history?.changes[change]?.message.split('\n')[0];
  if (subject) reasons.push(`changed by an earlier commit like this: "${subject.slice(0, 80)}"`);
  if (reasons.length < 2 && (signals.rows.hop?.[row] ?? 0) >= 0.6) reasons.push('calls or is called by a strong match');
  if (reasons.length === 0) reasons.push('is close in meaning, or its file is');
  return reasons;
}

/** Words of the request that a row has, as the request writes them, heaviest first, none twice. */
export function matchedTerms(index: SearchIndex, row: number, query: readonly QueryTerm[]): string[] {
  const file = index.rows[row]?.file ?? -1;
  const found = query
    .filter(({ term }) => {
      const number = index.terms.get(term);
      if (number === undefined) return false;
      return (
        [index.body, index.name, index.container].some((postings) => has(postings, number, row)) ||
        has(index.base, number, file)
      );
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ term, word }) => word ?? term);
  return [...new Set(found)];
}

/** Documents of a term are in ascending order. */
function has(postings: Postings, term: number, document: number): boolean {
  let [low, high] = postings.range(term);
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = postings.documents[middle] as number;
    if (found === document) return true;
    if (found < document) low = middle + 1;
    else high = middle;
  }
  return false;
}
