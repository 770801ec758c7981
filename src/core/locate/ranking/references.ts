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

/** What rows gain from their strongest neighbour among the given seeds, 0 to 1. */
export function hopFrom(references: References, seeds: readonly number[], scores: Float64Array): Float64Array {
  const gains = new Float64Array(scores.length);
  const best = Math.max(...seeds.map((row) => scores[row] as number), 1e-9);
  for (const seed of seeds) {
    const score = (scores[seed] as number) / best;
    for (const list of [references.targets[seed], references.sources[seed]]) {
      for (const { row, weight } of list ?? []) gains[row] = Math.max(gains[row] as number, score * weight);
    }
  }
  return gains;
}
