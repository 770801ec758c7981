import type { ProgramGraph } from '../graph';
import { type BehaviourMap, kindWords, type Unit } from '../handbook';
import type { LocateAnswer } from './model';
import { Postings, type QueryTerm, rarity, termsOf } from './ranking';

/** The words of the units of a map: kind, title, what people call it, names of what it owns and depends on. */
export interface UnitIndex {
  units: readonly Unit[];
  terms: ReadonlyMap<string, number>;
  words: Postings;
}

/** Larger units say little of each member. */
const namedMembers = 60;

/** Counts the words of every unit. */
export function unitIndexOf(map: BehaviourMap, graph: ProgramGraph): UnitIndex {
  const terms = new Map<string, number>();
  const lists = map.units.map((unit) => {
    const words = kindWords[unit.kind];
    const counts = new Map<string, number>();
    // The kind's words are given twice: they are what a request says when the code says something else.
    for (const text of [words.title, words.synonyms, words.title, unit.title, unit.summary]) termsOf(text, counts);
    for (const id of [...unit.members, ...unit.prompts, ...unit.tools, ...unit.config].slice(0, namedMembers)) {
      const node = graph.node(id);
      if (node) termsOf(`${node.name} ${node.doc ?? ''}`, counts);
    }
    return [...counts].flatMap(([term, count]) => {
      let number = terms.get(term);
      if (number === undefined) {
        number = terms.size;
        terms.set(term, number);
      }
      return [number, count];
    });
  });
  return { units: map.units, terms, words: Postings.of(terms.size, lists) };
}

export interface UnitScore {
  score: number;
  matched: string[];
}

/** BM25 over the words of units; by their number in the map. */
export function scoreUnits(index: UnitIndex, query: readonly QueryTerm[]): Map<number, UnitScore> {
  const scores = new Map<number, UnitScore>();
  for (const { term, weight } of query) {
    const number = index.terms.get(term);
    if (number === undefined) continue;
    const [from, to] = index.words.range(number);
    const importance = weight * rarity(to - from, index.units.length);
    for (let slot = from; slot < to; slot++) {
      const value = index.words.normalized(slot, 0.6);
      const unit = index.words.documents[slot] as number;
      const known = scores.get(unit) ?? { score: 0, matched: [] };
      known.score += importance * ((1.8 * value) / (0.8 + value));
      known.matched.push(term);
      scores.set(unit, known);
    }
  }
  return scores;
}

/** Graph ids of the definitions a unit is about. */
export function placesOfUnit(unit: Unit): Set<string> {
  return new Set([...unit.members, ...unit.sites.map((site) => `${site.file}#${site.symbol}`)]);
}

const maximumUnits = 6;

/**
 * Units by their own words and by their strongest definition.
 *
 * @param strength how well a definition fits, 0 to 1, by graph id; undefined when it does not fit at all
 */
export function rankUnits(
  index: UnitIndex,
  scores: ReadonlyMap<number, UnitScore>,
  strength: (id: string) => number | undefined,
  graph: ProgramGraph,
): LocateAnswer['units'] {
  const largest = Math.max(1e-9, ...[...scores.values()].map(({ score }) => score));
  const found = index.units.flatMap((unit, number) => {
    const own = scores.get(number);
    let best: { id: string; value: number } | undefined;
    for (const id of placesOfUnit(unit)) {
      const value = strength(id);
      if (value !== undefined && (!best || value > best.value)) best = { id, value };
    }
    const score = (own?.score ?? 0) / largest + 0.6 * (best?.value ?? 0);
    if (score === 0) return [];
    const reasons: string[] = [];
    if (own) reasons.push(`its kind, title or members match ${quoted(own.matched)}`);
    const node = best && graph.node(best.id);
    if (node)
      reasons.push(`\`${node.qualname || node.name}\` is its strongest definition (${node.file}:${node.start})`);
    return [{ unit, score: Math.round(score * 1000) / 1000, reasons }];
  });
  return found.sort((a, b) => b.score - a.score || (a.unit.id < b.unit.id ? -1 : 1)).slice(0, maximumUnits);
}

/** The first four words, as code. */
export function quoted(words: readonly string[]): string {
  return words
    .slice(0, 4)
    .map((word) => `\`${word}\``)
    .join(', ');
}
