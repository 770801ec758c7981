import { InputError, throwIfCancelled } from '../errors';
import type { ProgramGraph } from '../graph';
import { type BehaviourMap, siteState, unitAt } from '../handbook';
import type { Harness } from '../harness';
import type { WorkOptions } from '../progress';
import { companions } from './companions';
import type { LocateAnswer, LocatedSite } from './model';
import { placeOf } from './place';
import { planOf } from './plan';
import { checkPremises } from './premises';
import { type Prepared, prepare } from './prepare';
import { type Ranked, rank } from './ranking';
import { reasonsOf } from './reasons';
import { queryTerms } from './tokens';
import { placesOfUnit, rankUnits, scoreUnits, type UnitScore } from './units';

export interface LocateInput extends WorkOptions {
  harness: Harness;
  graph: ProgramGraph;
  map: BehaviourMap;
  /** How many sites, 10 when absent. */
  limit?: number;
}

/** Requests are pasted from terminals; the letters of a colour would become a part of the word behind it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
const colourCodes = /\u001b\[[0-9;?]*[A-Za-z]/g;

/**
 * Units and sites behind a request in words, best first, each site checked against the working tree. Without a match
 * the lists are empty.
 * @throws InputError when the request has no word to look for; CancelledError.
 */
export async function locate(request: string, input: LocateInput): Promise<LocateAnswer> {
  const said = request.replace(colourCodes, ' ');
  const query = queryTerms(said);
  if (query.length === 0) {
    throw new InputError('The request has no word to look for.', {
      code: 'usage',
      nextStep: 'Say what should be found in English words or names of the code.',
    });
  }
  const prepared = await prepare(input);
  throwIfCancelled(input.signal, 'Looking for the place');
  const unitScores = scoreUnits(prepared.units, query);
  const support = unitSupport(prepared, unitScores);
  const ranked = rank(prepared.corpus, said, support?.values);
  const best = ranked.rows.slice(0, input.limit ?? 10);
  const sites = await Promise.all(best.map((one) => verified(one, ranked, prepared, support?.titles, input)));
  const units = rankUnits(prepared.units, unitScores, strengthOf(ranked, prepared), input.graph);
  const first = units.slice(0, 3).map((item) => item.unit);
  return {
    request,
    units,
    sites,
    alsoLookAt: companions(sites, first, input.graph, prepared),
    premises: checkPremises(request, input.graph, prepared.sources),
    plan: planOf(request, sites, units, input.map),
  };
}

/** How much units whose words match speak for each row, 0 to 1, and the title of the strongest. */
function unitSupport({ corpus, units, rowOfNode }: Prepared, scores: ReadonlyMap<number, UnitScore>) {
  if (scores.size === 0) return undefined;
  const largest = Math.max(...[...scores.values()].map(({ score }) => score));
  const values = new Float64Array(corpus.index.rows.length);
  const titles = new Map<number, string>();
  for (const [number, { score }] of scores) {
    const unit = units.units[number];
    // What is in no kind has words of its own members only, which they have already.
    if (!unit || unit.kind === 'other') continue;
    for (const id of placesOfUnit(unit)) {
      const row = rowOfNode.get(id);
      if (row === undefined) continue;
      // A unit of many definitions says little of each.
      const value = score / largest / Math.sqrt(Math.max(1, unit.members.length / 2));
      if (value <= (values[row] as number)) continue;
      values[row] = value;
      titles.set(row, unit.title);
    }
  }
  return titles.size === 0 ? undefined : { values, titles };
}

/** Relative to the best row, by graph id. */
function strengthOf(ranked: Ranked, { rowOfNode }: Prepared): (id: string) => number | undefined {
  const best = ranked.rows[0]?.score ?? 0;
  const values = new Map(ranked.rows.map(({ row, score }) => [row, Math.exp(score - best)]));
  return (id) => {
    const row = rowOfNode.get(id);
    return row === undefined ? undefined : values.get(row);
  };
}

async function verified(
  { row, score }: Ranked['rows'][number],
  ranked: Ranked,
  prepared: Prepared,
  titles: ReadonlyMap<number, string> | undefined,
  input: LocateInput,
): Promise<LocatedSite> {
  const place = placeOf(row, ranked.signals.query, prepared, input.graph);
  const now = await siteState(input.harness, prepared.sources.site(place.file, place.symbol, place.start, place.end));
  const unit = unitAt(input.map, place.file, place.start);
  const best = ranked.rows[0]?.score ?? score;
  return {
    file: place.file,
    symbol: place.symbol,
    start: now.start,
    end: now.end,
    // Relative to the best one: the scores of a linear model mean nothing by themselves.
    score: Math.round(Math.exp(score - best) * 1000) / 1000,
    reason: reasonsOf(row, ranked, prepared, titles?.get(row)).join('; '),
    state: now.state,
    ...(unit ? { unit: unit.id } : {}),
  };
}
