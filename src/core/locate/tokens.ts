const functionWords = new Set(
  (
    'a an the and or but if then else when while where which what who how why is are was were be been being do does did done has have had having i we you it its they them this that these ' +
    'those of to in on at by for with from into onto over under as so not no nor can could should would will may might must shall than too very also only just there here our your their my me us ' +
    'about above after again against all almost always any because before below between both during each either even every few further get gets got however instead itself let like more most much ' +
    'need needs never new now off once one other out own per rather same since some still such themselves through throughout thus together toward two until up upon use used uses using via was way ' +
    'well whether whose within without yet first'
  ).split(' '),
);
/** Words of commit messages and wishes that say what to do, not where. */
const actionWords = new Set(
  (
    'add added adding adds allow allows avoid better bug change changed changes chore correct correctly ensure ensures feat feature fix fixed fixes fixing handle handled handles handling implement ' +
    'implemented improve improved improvements improves introduce issue issues make makes making please prevent prevents problem proper properly refactor remove removed removes removing support ' +
    'supported supporting supports raise raised lower lowered update updated updates updating want work working works none set show shows'
  ).split(' '),
);
/** Words that are everywhere and say little. */
const weakWords = new Set(
  (
    'default option optional enable disable create include single call run value type name file code check list data need current currently different multiple specific various existing behavior ' +
    'behaviour simple better clean cleanup general useful instead enhance extra small minor'
  ).split(' '),
);

const identifier = /[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)*/g;
const camelPart = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+/g;

/** Parts of one identifier, lower case, at least two letters each: `maxOutput_bytes` is `max output bytes`. */
export function partsOf(word: string): string[] {
  const parts: string[] = [];
  for (const [part] of word.matchAll(camelPart)) {
    if (part.length > 1 && !/^\d/.test(part)) parts.push(part.toLowerCase());
  }
  return parts;
}

/** Light stemming: plural, -ing, -ed, final e. It only has to agree with itself. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  let base = word;
  if (base.length > 4 && base.endsWith('ies')) base = `${base.slice(0, -3)}y`;
  else if (/(sses|xes|ches|shes)$/.test(base)) base = base.slice(0, -2);
  else if (base.endsWith('s') && !/(ss|us|is)$/.test(base)) base = base.slice(0, -1);
  if (base.length > 5 && base.endsWith('ing')) base = undoubled(base.slice(0, -3));
  else if (base.length > 4 && base.endsWith('ed')) base = undoubled(base.slice(0, -2));
  return base.length > 4 && base.endsWith('e') ? base.slice(0, -1) : base;
}

function undoubled(word: string): string {
  const doubled = word.length > 3 && word.at(-1) === word.at(-2) && !/[lsz]$/.test(word);
  return doubled ? word.slice(0, -1) : word;
}

const known = new Map<string, readonly string[]>();
const knownLimit = 200_000;

/**
 * Terms of one identifier: its stemmed parts; for a composed one also the compound of its unstemmed parts, so that
 * `getFooBar` and `get_foo_bar` agree; for one with digits also itself, as `#name`, since `gpt4` and `gpt5` differ.
 */
export function identifierTerms(word: string): readonly string[] {
  let terms = known.get(word);
  if (terms) return terms;
  const parts = partsOf(word);
  const made = parts.map(stem);
  if (parts.length > 1) made.push(parts.join('_'));
  if (/\d/.test(word) && word.length >= 3) made.push(`#${word.toLowerCase()}`);
  terms = made;
  if (known.size >= knownLimit) known.clear();
  known.set(word, terms);
  return terms;
}

/** Identifiers of a text in order, repeated ones too. */
export function identifiersOf(text: string): string[] {
  return text.match(identifier) ?? [];
}

/** Terms of a text with their counts. */
export function termsOf(text: string, into: Map<string, number> = new Map()): Map<string, number> {
  for (const word of identifiersOf(text)) {
    for (const term of identifierTerms(word)) into.set(term, (into.get(term) ?? 0) + 1);
  }
  return into;
}

export interface QueryTerm {
  term: string;
  weight: number;
  /** As the request writes it, for people. */
  word?: string;
  /** Two neighbouring words joined: a guess at a name, no word of the request. */
  joined?: boolean;
  /** It stands in the first sentence, which says what is wanted; the rest says how or why. */
  first?: boolean;
}

/**
 * Weighted terms of a request. Words of the first sentence count 1.5, weak words 0.8; neighbours also count as a
 * compound at half weight, since "tool call" is often `tool_call` in code.
 */
export function queryTerms(request: string): QueryTerm[] {
  const firstEnd = /[.!?\n](\s|$)/.exec(request)?.index ?? request.length;
  const weights = new Map<string, number>();
  const counts = new Map<string, number>();
  const joined = new Map<string, number>();
  const first = new Set<string>();
  const written = new Map<string, string>();
  const write = (term: string, word: string): void => {
    if (!written.has(term)) written.set(term, word);
  };
  let previous: { word: string; end: number } | undefined;
  for (const match of request.matchAll(identifier)) {
    const at = match.index;
    const place = at < firstEnd ? 1.5 : 1;
    const parts = partsOf(match[0]);
    for (const term of identifierTerms(match[0]).slice(parts.length)) {
      raise(weights, term, place);
      write(term, match[0]);
      if (at < firstEnd) first.add(term);
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    for (const part of parts) {
      if (functionWords.has(part) || actionWords.has(part)) {
        previous = undefined;
        continue;
      }
      const term = stem(part);
      counts.set(term, (counts.get(term) ?? 0) + 1);
      if (at < firstEnd) first.add(term);
      write(term, parts.length === 1 ? match[0].toLowerCase() : part);
      raise(weights, term, place * (weakWords.has(part) ? 0.8 : 1));
      if (previous && parts.length === 1 && at - previous.end <= 2) raise(joined, `${previous.word}_${part}`, 0.5);
      previous = { word: part, end: at + match[0].length };
    }
  }
  const terms: QueryTerm[] = [...weights].map(([term, weight]) => ({
    term,
    weight: weight * (counts.get(term) ?? 1) ** 0.25,
    ...(first.has(term) ? { first: true } : {}),
    ...(written.has(term) ? { word: written.get(term) } : {}),
  }));
  for (const [term, weight] of joined) if (!weights.has(term)) terms.push({ term, weight, joined: true });
  return terms;
}

function raise(weights: Map<string, number>, term: string, weight: number): void {
  weights.set(term, Math.max(weights.get(term) ?? 0, weight));
}
