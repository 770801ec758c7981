import { lastName, type SearchIndex } from './searchIndex';

/** References between rows by name: both lists are by pairs of numbers, `from` mentions `to`. */
export interface References {
  /** Rows that each row mentions, and rows that mention it. */
  targets: Links;
  sources: Links;
}

const shortest = 4;
const mostDefinitions = 4;

/** Lists of rows with the weight of each reference, in flat arrays. */
export class Links {
  private readonly offsets: Int32Array;
  private readonly ends: Int32Array;
  private readonly weights: Float32Array;

  constructor(count: number, from: readonly number[], to: readonly number[], weights: readonly number[]) {
    this.offsets = new Int32Array(count + 1);
    for (const row of from) this.offsets[row + 1] = (this.offsets[row + 1] as number) + 1;
    for (let row = 0; row < count; row++)
      this.offsets[row + 1] = (this.offsets[row + 1] as number) + (this.offsets[row] as number);
    const next = this.offsets.slice();
    this.ends = new Int32Array(from.length);
    this.weights = new Float32Array(from.length);
    for (const [at, row] of from.entries()) {
      const slot = next[row] as number;
      next[row] = slot + 1;
      this.ends[slot] = to[at] as number;
      this.weights[slot] = weights[at] as number;
    }
  }

  /** Calls back for every reference of a row; a weight is 1 where the name has one definition, less where several. */
  each(row: number, visit: (other: number, weight: number) => void): void {
    const to = this.offsets[row + 1] ?? 0;
    for (let slot = this.offsets[row] ?? 0; slot < to; slot++)
      visit(this.ends[slot] as number, this.weights[slot] as number);
  }
}

/**
 * Finds references by the last part of names: it needs no knowledge of any language, so a tree in any of them can be
 * searched before its graph is linked. Short and common names are left out; a definition in the same file is preferred.
 */
export function findReferences(index: SearchIndex): References {
  const definitions = definitionsByName(index);
  const from: number[] = [];
  const to: number[] = [];
  const weights: number[] = [];
  for (const [row, mentioned] of index.mentions.entries()) {
    const file = index.fileOfRow[row];
    for (const identifier of mentioned) {
      let found = definitions.get(identifier);
      if (!found) continue;
      if (found.length > 1) {
        const near = found.filter((target) => index.fileOfRow[target] === file);
        if (near.length > 0) found = near;
      }
      if (found.length > mostDefinitions) continue;
      for (const target of found) {
        if (target === row) continue;
        from.push(row);
        to.push(target);
        weights.push(1 / Math.sqrt(found.length));
      }
    }
  }
  const count = index.rows.length;
  return { targets: new Links(count, from, to, weights), sources: new Links(count, to, from, weights) };
}

function definitionsByName(index: SearchIndex): Map<number, number[]> {
  const definitions = new Map<number, number[]>();
  for (const [row, { name, kind }] of index.rows.entries()) {
    const last = lastName(name);
    const number = kind === 'file' || last.length < shortest ? undefined : index.identifiers.get(last);
    if (number === undefined) continue;
    const known = definitions.get(number);
    if (known) known.push(row);
    else definitions.set(number, [row]);
  }
  return definitions;
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
  const { either, callers, gathering } = hops;
  const best = Math.max(...seeds.map((row) => scores[row] as number), 1e-9);
  for (const seed of seeds) {
    const score = (scores[seed] as number) / best;
    references.targets.each(seed, (row, weight) => {
      either[row] = Math.max(either[row] as number, score * weight);
    });
    references.sources.each(seed, (row, weight) => {
      either[row] = Math.max(either[row] as number, score * weight);
      callers[row] = Math.max(callers[row] as number, score * weight);
      gathering[row] = (gathering[row] as number) + score * weight;
    });
  }
  for (let row = 0; row < gathering.length; row++)
    if ((gathering[row] as number) > 0) gathering[row] = Math.log1p(gathering[row] as number);
  return hops;
}
