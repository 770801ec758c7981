import { hashText } from '../../graph';
import type { Sources } from '../derive/sources';
import type { BehaviourMap, Site, Unit } from '../model';
import { kindWords } from '../vocabulary';

/** Something a sentence may cite. */
export interface OfferedFact {
  /** e1, e2, ... in one request. */
  id: string;
  text: string;
  /** Where the text stands; its line numbers bear nothing out. */
  heading?: string;
  /** Lines of a site of the unit: `hash+from-to`, counted from the site's first line. Absent for facts of the graph. */
  place?: string;
}

/** One unit as a model sees it. */
export interface OfferedUnit {
  /** u1, u2, ... in one request. */
  alias: string;
  unit: Unit;
  facts: OfferedFact[];
}

const linesOfCode = 100;
const linesOfOneFact = 25;
const charactersOfOneLine = 240;
const mostListed = 6;

/** Numbers units and evidence for one request. The code of a unit comes in pieces that can be cited alone. */
export function offer(units: readonly Unit[], map: BehaviourMap, sources: Sources): OfferedUnit[] {
  let number = 0;
  const titles = new Map(map.units.map((unit) => [unit.id, unit.title]));
  return units.map((unit, index) => {
    const facts: Omit<OfferedFact, 'id'>[] = [...codeFacts(unit, sources)];
    facts.push(...unit.reasons.slice(0, 4).map((text) => ({ text: `Why it was found: ${text}` })));
    const names = (ids: readonly string[]) =>
      ids
        .slice(0, mostListed)
        .map((id) => titles.get(id) ?? id)
        .join('; ');
    if (unit.callers.length > 0) facts.push({ text: `Called by: ${names(unit.callers)}` });
    if (unit.calls.length > 0) facts.push({ text: `Calls, in this order: ${names(unit.calls)}` });
    return {
      alias: `u${index + 1}`,
      unit,
      facts: facts.map((fact) => ({ id: `e${++number}`, ...fact })),
    };
  });
}

function codeFacts(unit: Unit, sources: Sources): Omit<OfferedFact, 'id'>[] {
  const facts: Omit<OfferedFact, 'id'>[] = [];
  let left = linesOfCode;
  for (const site of unit.sites) {
    for (let from = site.start; from <= site.end && left > 0; from += linesOfOneFact) {
      const to = Math.min(site.end, from + Math.min(linesOfOneFact, left) - 1);
      const lines = sources.lines(site.file).slice(from - 1, to);
      if (lines.length === 0) continue;
      left -= lines.length;
      const text = lines.map((line) => line.slice(0, charactersOfOneLine)).join('\n');
      const name = site.symbol === '' ? site.file : `${site.symbol} in ${site.file}`;
      facts.push({ text, heading: `${name}, lines ${from}-${to}`, place: placeIn(site, from, to) });
    }
  }
  return facts;
}

function placeIn(site: Site, from: number, to: number): string {
  return `${site.hash}+${from - site.start}-${to - site.start}`;
}

/** The unit and its evidence as text of a prompt. */
export function offeredText({ alias, unit, facts }: OfferedUnit): string {
  const head = `${alias}: "${unit.title}", kind ${kindWords[unit.kind].title.toLowerCase()}, stage ${unit.stage}`;
  return [head, ...facts.map(block)].join('\n');
}

/** The mark depends on the text and does not occur in it, so no text can hold the line that ends it. */
function block({ id, heading, text }: OfferedFact): string {
  let mark = hashText(text).slice(0, 8);
  while (text.includes(mark)) mark = hashText(`${mark}\n${text}`).slice(0, 8);
  return `<<<data ${mark} ${id}${heading ? ` ${heading.replace(/\s+/g, ' ')}` : ''}\n${text}\ndata>>> ${mark}`;
}
