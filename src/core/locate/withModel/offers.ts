import type { BehaviourMap } from '../../handbook';
import type { Prepared } from '../prepare';
import type { Ranked } from '../ranking';
import { placesOfUnit } from '../units';
import { type Offer, tokensOf } from './levels';

/** So many units and files fit on one screen of an overview. */
const offeredFiles = 60;
const offeredRows = 200;
const longestSource = 6_000;

/** Units by how well their definitions fit, then the files that fit best. */
export function overviewOffers(map: BehaviourMap, { corpus, rowOfNode }: Prepared, ranked: Ranked): Offer[] {
  const places = new Map(ranked.rows.map(({ row }, place) => [row, place]));
  const units = map.units.map((unit, number) => {
    const rows = [...placesOfUnit(unit)].flatMap((id) => rowOfNode.get(id) ?? []);
    const place = Math.min(...rows.map((row) => places.get(row) ?? ranked.rows.length), ranked.rows.length);
    // Behaviours with a known kind are the map; the rest is only shown where words lead there.
    return {
      place: unit.kind === 'other' ? place + 40 : place,
      id: `u${number}`,
      text: `${unit.title}: ${unit.summary}`,
    };
  });
  units.sort((a, b) => a.place - b.place);
  const files = ranked.files.slice(0, offeredFiles).map(({ file }) => {
    const { path, from, to } = corpus.index.files[file] as (typeof corpus.index.files)[number];
    const names = corpus.index.rows.slice(from, to).map(({ name }) => name);
    return { id: `f${file}`, text: `${path}: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' …' : ''}` };
  });
  const half = Math.ceil(units.length / 2);
  return [...units.slice(0, half), ...files, ...units.slice(half)].map(({ id, text }) => ({
    id,
    text: line(text, 240),
  }));
}

/** Rows of the chosen units and files, those the ranking likes first; the best of the ranking are always among them. */
export function rowsBehind(
  ids: readonly string[],
  map: BehaviourMap,
  { corpus, rowOfNode }: Prepared,
  ranked: Ranked,
): number[] {
  const chosen = new Set<number>();
  for (const id of ids) {
    const number = Number(id.slice(1));
    if (id.startsWith('u')) {
      const unit = map.units[number];
      for (const node of unit ? placesOfUnit(unit) : []) chosen.add(rowOfNode.get(node) ?? -1);
    } else {
      const file = corpus.index.files[number];
      for (let row = file?.from ?? 0; row < (file?.to ?? 0); row++) chosen.add(row);
    }
  }
  chosen.delete(-1);
  const places = new Map(ranked.rows.map(({ row }, place) => [row, place]));
  for (const { row } of ranked.rows.slice(0, 15)) chosen.add(row);
  const last = ranked.rows.length;
  return [...chosen].sort((a, b) => (places.get(a) ?? last) - (places.get(b) ?? last) || a - b).slice(0, offeredRows);
}

/** One line a definition: where it is and how it begins. */
export function definitionOffers(rows: readonly number[], { corpus, sources }: Prepared): Offer[] {
  return rows.map((row) => {
    const { name, start, end, file } = corpus.index.rows[row] as (typeof corpus.index.rows)[number];
    const path = corpus.index.files[file]?.path ?? '';
    const head = sources.lines(path)[start - 1]?.trim() ?? '';
    return { id: `d${row}`, text: line(`${path}:${start}-${end} ${name} | ${head}`, 200) };
  });
}

/** The source of the chosen definitions; long ones are cut and say so. */
export function sourceOffers(ids: readonly string[], { corpus, sources }: Prepared): Offer[] {
  return ids.map((id) => {
    const { name, start, end, file } = corpus.index.rows[Number(id.slice(1))] as (typeof corpus.index.rows)[number];
    const path = corpus.index.files[file]?.path ?? '';
    const text = sources.text(path, start, end);
    const shown = text.length > longestSource ? `${text.slice(0, longestSource)}\n(cut here)` : text;
    return { id, text: `${path}:${start}-${end} ${name}\n${shown}\n` };
  });
}

/** What handing over every file that a request can be about would take. */
export function tokensOfAll({ corpus, sources }: Prepared): number {
  let sum = 0;
  for (const { path } of corpus.index.files) sum += tokensOf(sources.lines(path).join('\n'));
  return sum;
}

function line(text: string, longest: number): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > longest ? `${flat.slice(0, longest - 1)}…` : flat;
}
