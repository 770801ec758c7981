import type { ProgramGraph } from '../graph';
import type { Prepared } from './prepare';
import { type QueryTerm, termsOf, wholeFile } from './ranking';

export interface Place {
  file: string;
  /** Empty for a text. */
  symbol: string;
  start: number;
  end: number;
}

/** Where a row lies. In a long text it is the prompt, key or tool of it that has most words of the request. */
export function placeOf(row: number, query: readonly QueryTerm[], prepared: Prepared, graph: ProgramGraph): Place {
  const { index } = prepared.corpus;
  const { name, start, end, file: number } = index.rows[row] as (typeof index.rows)[number];
  const file = index.files[number]?.path ?? '';
  if (name !== wholeFile) return { file, symbol: name, start, end };
  let best: Place = { file, symbol: '', start, end };
  let most = 0;
  for (const node of graph.inFile(file)) {
    if (node.kind !== 'prompt' && node.kind !== 'config' && node.kind !== 'tool') continue;
    if (node.end - node.start >= end - start) continue;
    const words = termsOf(`${node.name} ${prepared.sources.text(file, node.start, node.end)}`);
    let value = 0;
    for (const { term, weight } of query) if (words.has(term)) value += weight;
    // Among equals the narrower one says more.
    if (value <= most) continue;
    most = value;
    best = { file, symbol: node.qualname, start: node.start, end: node.end };
  }
  return best;
}
