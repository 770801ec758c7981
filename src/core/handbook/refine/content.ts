import type { OfferedFact } from './material';
import { limits } from './model';

/** Words of services that failed, and of models that decline; they are no documentation. */
const failure =
  /^\s*(?:api\s+)?error\b\s*[:(]|\bHTTP(?:\/\d\S*)?\s*[45]\d\d\b|\bstatus(?: code)?\s*:?\s*[45]\d\d\b|\binternal server error\b|\boverloaded(?:_error)?\b|\bupstream connect\b|\brate[- ]?limit(?:ed)? (?:exceeded|reached)|\binsufficient[_ ]quota\b|\binvalid (?:api|x-api)[- ]key\b|\brequest[_ ]id\b|\btry again later\b|\bas an? (?:ai|language model)\b|\bI(?:'m| am) (?:sorry|unable)\b|\bI (?:cannot|can't) (?:help|assist|answer)\b/i;
const markup = /<\/?[a-z!]|!?\[[^\]]*\]\s*\(|\bjavascript:|&#?\w+;|https?:\/\//i;
/** Names with an inner capital, underscore, dot or call: they must stand in the code. */
const identifier =
  /(?<![\w.])(?:[A-Za-z_$]\w*\([^)]*\)|[A-Za-z$]\w*_\w+|_\w+|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)/g;
const number = /(?<![\w.])\d+(?:[.,]\d+)*(?![\w])/g;
const quote = /`([^`]+)`|"([^"]{3,})"|\u201c([^\u201d]{3,})\u201d/g;

/**
 * Why a sentence about a unit cannot be printed; undefined when its form and every name, number and quote in it agree
 * with the evidence it cites. Whether it is true beyond that is for the reviewer.
 */
export function sentenceProblem(
  text: string,
  evidence: readonly string[],
  facts: readonly OfferedFact[],
): string | undefined {
  const cited = facts.filter((fact) => evidence.includes(fact.id));
  const unknown = evidence.filter((id) => !facts.some((fact) => fact.id === id));
  if (unknown.length > 0) return `it cites ${unknown.slice(0, 3).join(', ')}, which was not given for this unit`;
  if (cited.length === 0) return 'it cites no evidence';
  const words = text.trim().split(/\s+/).length;
  if (words > limits.sentenceWords) return `it has ${words} words; ${limits.sentenceWords} are allowed`;
  if (words < 3) return 'it is no sentence';
  return wordsProblem(text, cited, '');
}

/** Why a title cannot be used; undefined when it can. Its names and numbers must stand in the evidence of the unit. */
export function titleProblem(title: string, facts: readonly OfferedFact[], known: string): string | undefined {
  if (title.trim().length < 3) return 'it is empty';
  if (title.length > limits.titleCharacters)
    return `it has ${title.length} characters; ${limits.titleCharacters} are allowed`;
  if (title.trim().toLowerCase() === known.toLowerCase()) return 'it is the title there is';
  return wordsProblem(title, facts, known);
}

function wordsProblem(text: string, facts: readonly OfferedFact[], known: string): string | undefined {
  const evidence = [known, ...facts.map((fact) => fact.text)].join('\n');
  const names = [evidence, ...facts.map((fact) => fact.heading ?? '')].join('\n');
  if (/[\p{Cc}]/u.test(text)) return 'it has control characters or line breaks';
  if (markup.test(withoutCode(text))) return 'it has markup or an address';
  const failed = failure.exec(text);
  if (failed && !evidence.toLowerCase().includes(failed[0].trim().toLowerCase()))
    return 'it reads like the failure of a service, not like a description';
  const quotable = plain(names);
  for (const match of text.matchAll(quote)) {
    const quoted = match[1] ?? match[2] ?? match[3] ?? '';
    if (!quotable.includes(plain(quoted))) return `it quotes "${quoted.slice(0, 60)}", which is not in the evidence`;
  }
  const prose = withoutCode(text);
  for (const [name] of prose.matchAll(identifier)) {
    const bare = name.replace(/\([^)]*\)$/, '');
    if (!/^(?:e\.g|i\.e)$/.test(bare) && !evidence.includes(bare))
      return `it names ${bare}, which is not in the evidence`;
  }
  for (const [digits] of prose.matchAll(number)) {
    if (
      Number(digits) > 3 &&
      !new RegExp(`(?<!\\d)${digits.replace(/[.,]/g, '[.,_]?')}(?!\\d)`).test(evidence.replace(/_/g, ''))
    )
      return `it states ${digits}, which is not in the evidence`;
  }
  return undefined;
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, ' ');
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** The sentences that fit on a card together, and those that do not. */
export function withinCard<T extends { text: string }>(sentences: readonly T[]): { kept: T[]; over: T[] } {
  const kept: T[] = [];
  let words = 0;
  for (const sentence of sentences) {
    const count = sentence.text.split(/\s+/).length;
    if (kept.length === limits.sentences || words + count > limits.cardWords) break;
    kept.push(sentence);
    words += count;
  }
  return { kept, over: sentences.slice(kept.length) };
}
