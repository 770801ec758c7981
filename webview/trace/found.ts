import type { ToTracePage } from '../shared/traceProtocol';

/** How far a search or filter is. */
export interface Found {
  /** Steps that pass the filter, of those looked through; null before the first answer. */
  steps: readonly number[] | null;
  hits: readonly number[];
  /** Last step that was looked through. */
  upTo: number;
  done: boolean;
}

export const nothingFound: Found = { steps: null, hits: [], upTo: 0, done: true };

/** With the next part of a search; the first part takes the place of what an earlier search found. */
export function withFound(found: Found, part: Extract<ToTracePage, { type: 'found' }>): Found {
  const first = part.from === 1;
  return {
    steps: first ? part.steps : [...(found.steps ?? []), ...part.steps],
    hits: first ? part.hits : [...found.hits, ...part.hits],
    upTo: part.to,
    done: part.done,
  };
}

/** The hit after the selected step, or before it; from the end it goes on at the beginning. Null without hits. */
export function nextHit(hits: readonly number[], selected: number, direction: 1 | -1): number | null {
  if (hits.length === 0) return null;
  const next = direction === 1 ? hits.find((n) => n > selected) : hits.findLast((n) => n < selected);
  return next ?? (direction === 1 ? hits[0]! : hits.at(-1)!);
}

/** "3 of 17 hits", "17 hits", and how far the search is while it goes on. */
export function hitWords(found: Found, selected: number, stepCount: number): string {
  const { hits } = found;
  const at = hits.indexOf(selected);
  const total = hits.length.toLocaleString('en-US');
  const noun = hits.length === 1 ? 'step' : 'steps';
  const words = hits.length === 0 ? 'no hit' : at >= 0 ? `${at + 1} of ${total} ${noun}` : `${total} ${noun}`;
  if (found.done) return words;
  return `${words}, looked through ${found.upTo.toLocaleString('en-US')} of ${stepCount.toLocaleString('en-US')}`;
}
