import { lastName, type SearchIndex } from './searchIndex';

/** References between rows by name, in both directions. */
export interface References {
  /** Rows that a row mentions, and rows that mention it, with the weight of the reference. */
  targets: readonly Reference[][];
  sources: readonly Reference[][];
}

export interface Reference {
  row: number;
  /** 1 where the name has one definition, less where it has several. */
  weight: number;
}

const shortest = 4;
const mostDefinitions = 4;

/**
 * Finds references by the last part of names: it needs no knowledge of any language, so a tree in any of them can be
 * searched before its graph is linked. Short and common names are left out; a definition in the same file is preferred.
 */
export function findReferences(index: SearchIndex): References {
  const definitions = new Map<number, number[]>();
  for (const [row, { name, kind }] of index.rows.entries()) {
    const last = lastName(name);
    const number = kind === 'file' || last.length < shortest ? undefined : index.identifiers.get(last);
    if (number === undefined) continue;
    const known = definitions.get(number);
    if (known) known.push(row);
    else definitions.set(number, [row]);
  }
  const targets: Reference[][] = index.rows.map(() => []);
  const sources: Reference[][] = index.rows.map(() => []);
  for (const [row, mentioned] of index.mentions.entries()) {
    const file = index.rows[row]?.file;
    for (const identifier of mentioned) {
      let found = definitions.get(identifier);
      if (!found) continue;
      if (found.length > 1) {
        const near = found.filter((target) => index.rows[target]?.file === file);
        if (near.length > 0) found = near;
      }
      if (found.length > mostDefinitions) continue;
      const weight = 1 / Math.sqrt(found.length);
      for (const target of found) {
        if (target === row) continue;
        targets[row]?.push({ row: target, weight });
        sources[target]?.push({ row, weight });
      }
    }
  }
  return { targets, sources };
}

export interface Hops {
  /** What rows gain from their strongest neighbour among the seeds, 0 to 1. */
  either: Float64Array;
  /** From the strongest seed that a row mentions: it calls or lists what is asked for. */
  callers: Float64Array;
  /** ln(1 + sum) over all seeds that a row mentions: a registry mentions many. */
  gathering: Float64Array;
}

/** Passes the scores of the given seeds on over one reference. */
export function hopFrom(references: References, seeds: readonly number[], scores: Float64Array): Hops {
  const hops: Hops = {
    either: new Float64Array(scores.length),
    callers: new Float64Array(scores.length),
    gathering: new Float64Array(scores.length),
  };
  const best = Math.max(...seeds.map((row) => scores[row] as number), 1e-9);
  for (const seed of seeds) {
    const score = (scores[seed] as number) / best;
    for (const { row, weight } of references.targets[seed] ?? [])
      hops.either[row] = Math.max(hops.either[row] as number, score * weight);
    for (const { row, weight } of references.sources[seed] ?? []) {
      hops.either[row] = Math.max(hops.either[row] as number, score * weight);
      hops.callers[row] = Math.max(hops.callers[row] as number, score * weight);
      hops.gathering[row] = (hops.gathering[row] as number) + score * weight;
    }
  }
  hops.gathering = hops.gathering.map((value) => Math.log1p(value));
  return hops;
}
