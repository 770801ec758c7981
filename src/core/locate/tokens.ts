const functionWords = new Set(
  (
    'a an the and or but if then else when while where which what who how why is are was were be been being do does did done has have had having i we you it its they them this that these ' +
    'those of to in on at by for with from into onto over under as so not no nor can could should would will may might must shall than too very also only just there here our your their my me us ' +
    'about after before between during each per via out up down off again once more most some any all both few other such own same now new'
  ).split(' '),
);
/** Words of commit messages and wishes that say what to do, not where. */
const actionWords = new Set(
  'add added adds fix fixes fixed support supports update updates improve improves make makes allow allows handle handles change changes ensure implement use uses using want need please let introduce refactor feat chore bug issue instead'.split(
    ' ',
  ),
);
const weakWords = new Set(
  'default option enable disable create include single call run set get value type name file code work show check list better correctly properly'.split(
    ' ',
  ),
);

const identifier = /[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)*/g;

/** Parts of one identifier, lower case, at least two letters each: `maxOutput_bytes` is `max output bytes`. */
export function partsOf(word: string): string[] {
  return word
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part.length >= 2);
}

/** Light stemming: plural, -ing, -ed, final e. It only has to agree with itself. */
export function stem(word: string): string {
  let base = word;
  if (base.length > 4 && base.endsWith('ies')) base = `${base.slice(0, -3)}y`;
  else if (base.length > 3 && base.endsWith('s') && !/(ss|us|is)$/.test(base)) base = base.slice(0, -1);
  if (base.length > 5 && base.endsWith('ing')) base = undoubled(base.slice(0, -3));
  else if (base.length > 4 && base.endsWith('ed')) base = undoubled(base.slice(0, -2));
  if (base.length > 4 && base.endsWith('ion')) base = base.slice(0, -3);
  return base.length > 3 && base.endsWith('e') ? base.slice(0, -1) : base;
}

function undoubled(word: string): string {
  return /([b-df-hj-np-tv-z])\1$/.test(word) && !/(ll|ss|zz)$/.test(word) ? word.slice(0, -1) : word;
}

/** Terms of a source text with their counts: stemmed parts, and for composed identifiers the compound. */
export function termsOf(text: string, into: Map<string, number> = new Map()): Map<string, number> {
  for (const [word] of text.matchAll(identifier)) {
    const parts = partsOf(word);
    for (const part of parts) count(into, stem(part));
    if (parts.length > 1) count(into, parts.join('_'));
  }
  return into;
}

function count(terms: Map<string, number>, term: string): void {
  terms.set(term, (terms.get(term) ?? 0) + 1);
}

export interface QueryTerm {
  term: string;
  weight: number;
}

/**
 * Weighted terms of a request. Words of the first sentence count 1.5, weak words 0.8; neighbours also count as a
 * compound at half weight, since "tool call" is often `tool_call` in code.
 */
export function queryTerms(request: string): QueryTerm[] {
  const firstEnd = /[.!?\n]/.exec(request)?.index ?? request.length;
  const weights = new Map<string, number>();
  const counts = new Map<string, number>();
  let previous: { word: string; end: number } | undefined;
  for (const match of request.matchAll(identifier)) {
    const at = match.index;
    const parts = partsOf(match[0]);
    if (parts.length > 1) raise(weights, parts.join('_'), 1.5);
    for (const part of parts) {
      if (functionWords.has(part) || actionWords.has(part)) {
        previous = undefined;
        continue;
      }
      const term = stem(part);
      counts.set(term, (counts.get(term) ?? 0) + 1);
      raise(weights, term, (at < firstEnd ? 1.5 : 1) * (weakWords.has(part) ? 0.8 : 1));
      if (previous && parts.length === 1 && at - previous.end <= 2) raise(weights, `${previous.word}_${part}`, 0.5);
      previous = { word: part, end: at + match[0].length };
    }
  }
  return [...weights].map(([term, weight]) => ({ term, weight: weight * (counts.get(term) ?? 1) ** 0.25 }));
}

function raise(weights: Map<string, number>, term: string, weight: number): void {
  weights.set(term, Math.max(weights.get(term) ?? 0, weight));
}
