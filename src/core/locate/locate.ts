import { InputError, throwIfCancelled } from '../errors';
import type { ProgramGraph } from '../graph';
import { type BehaviourMap, loadSources, type Sources, siteState, unitAt } from '../handbook';
import type { Harness } from '../harness';
import type { WorkOptions } from '../progress';
import type { LocateAnswer, LocatedSite } from './model';
import { companions, planOf } from './plan';
import { checkPremises } from './premises';
import { propagate, type Scored, scoreRows, scoreUnits } from './score';
import { buildSearchIndex, type SearchIndex } from './searchIndex';
import { queryTerms } from './tokens';

export interface LocateInput extends WorkOptions {
  harness: Harness;
  graph: ProgramGraph;
  map: BehaviourMap;
  /** How many sites, 10 when absent. */
  limit?: number;
}

/** Share of a unit's score that its definitions get, and that a unit gets from its best definition. */
const unitShare = 0.3;
const maximumUnits = 6;

interface Prepared {
  map: BehaviourMap;
  index: SearchIndex;
  sources: Sources;
}

/** One index a graph; a refresh makes a new graph and so a new index. */
const prepared = new WeakMap<ProgramGraph, Prepared>();

/**
 * Units and sites behind a request in words, best first, each site checked against the working tree.
 * @throws InputError when the request has no word to look for; CancelledError.
 */
export async function locate(request: string, input: LocateInput): Promise<LocateAnswer> {
  const query = queryTerms(request);
  if (query.length === 0) {
    throw new InputError('The request has no word to look for.', {
      code: 'usage',
      nextStep: 'Say in words what should be found.',
    });
  }
  const { index, sources } = await prepare(input);
  throwIfCancelled(input.signal, 'Looking for the place');
  const { scores: rows, matched } = scoreRows(index, query);
  propagate(index, input.graph, rows);
  const unitScores = scoreUnits(index, query);
  const reasons = new Map<number, string>();
  for (const [number, { score }] of unitScores) {
    const unit = index.units[number]?.unit;
    if (!unit) continue;
    const symbols = unit.sites.map((site) => `${site.file}#${site.symbol}`);
    for (const id of new Set([...unit.members, ...symbols])) {
      const row = index.rowOfNode.get(id);
      if (row === undefined) continue;
      const known = rows.get(row) ?? { row, score: 0 };
      // A unit of many definitions says little of each.
      known.score += (unitShare * score) / Math.sqrt(Math.max(1, unit.members.length / 2));
      rows.set(row, known);
      if (!reasons.has(row) && unit.kind !== 'other') reasons.set(row, unit.title);
    }
  }
  const ranked = [...rows.values()].sort((a, b) => b.score - a.score || a.row - b.row);
  const best = ranked.slice(0, input.limit ?? 10);
  const sites = await verified(best, index, sources, (row) => reasonOf(matched(row), reasons.get(row)), input);
  const units = rankUnits(index, unitScores, rows);
  return {
    request,
    units,
    sites,
    alsoLookAt: companions(
      sites,
      units.slice(0, 3).map((item) => item.unit),
      input.graph,
      sources,
    ),
    premises: checkPremises(request, input.graph, sources),
    plan: planOf(request, sites, units, input.map),
  };
}

async function prepare(input: LocateInput): Promise<Prepared> {
  const known = prepared.get(input.graph);
  if (known && known.map === input.map) return known;
  const sources = await loadSources(input.graph, input.harness, input);
  const made = { map: input.map, sources, index: buildSearchIndex(input.graph, input.map, sources) };
  prepared.set(input.graph, made);
  return made;
}

async function verified(
  ranked: readonly Scored[],
  index: SearchIndex,
  sources: Sources,
  reason: (row: number) => string,
  input: LocateInput,
): Promise<LocatedSite[]> {
  return Promise.all(
    ranked.flatMap((scored) => {
      const node = index.rows[scored.row]?.node;
      if (!node) return [];
      return [
        (async (): Promise<LocatedSite> => {
          const now = await siteState(input.harness, sources.nodeSite(node));
          const unit = unitAt(input.map, node.file, node.start);
          return {
            file: node.file,
            symbol: node.qualname,
            start: now.start,
            end: now.end,
            score: Math.round(scored.score * 1000) / 1000,
            reason: reason(scored.row),
            state: now.state,
            ...(unit ? { unit: unit.id } : {}),
          };
        })(),
      ];
    }),
  );
}

function reasonOf(matched: readonly string[], unit: string | undefined): string {
  const words = matched.slice(0, 4).map((term) => `\`${term}\``);
  const parts: string[] = [];
  if (words.length > 0) parts.push(`matches ${words.join(', ')}`);
  if (unit) parts.push(`belongs to "${unit}"`);
  if (parts.length === 0) parts.push('is called by or calls a strong match');
  return parts.join('; ');
}

function rankUnits(
  index: SearchIndex,
  unitScores: ReadonlyMap<number, { score: number; matched: string[] }>,
  rows: ReadonlyMap<number, Scored>,
): LocateAnswer['units'] {
  const found = index.units.flatMap(({ unit }, number) => {
    const own = unitScores.get(number);
    let best: Scored | undefined;
    for (const id of new Set([...unit.members, ...unit.sites.map((site) => `${site.file}#${site.symbol}`)])) {
      const row = index.rowOfNode.get(id);
      const scored = row === undefined ? undefined : rows.get(row);
      if (scored && (!best || scored.score > best.score)) best = scored;
    }
    const score = (own?.score ?? 0) + unitShare * (best?.score ?? 0);
    if (score === 0) return [];
    const reasons = own
      ? [
          `its kind, title or members match ${own.matched
            .slice(0, 4)
            .map((term) => `\`${term}\``)
            .join(', ')}`,
        ]
      : [];
    const node = best && index.rows[best.row]?.node;
    if (node)
      reasons.push(`\`${node.qualname || node.name}\` is its strongest definition (${node.file}:${node.start})`);
    return [{ unit, score: Math.round(score * 1000) / 1000, reasons }];
  });
  return found.sort((a, b) => b.score - a.score || (a.unit.id < b.unit.id ? -1 : 1)).slice(0, maximumUnits);
}
