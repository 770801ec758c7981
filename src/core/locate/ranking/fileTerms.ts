import { identifiersOf, identifierTerms } from '../tokens';
import { type Definition, fileDefinition } from './definitions';

/** The words of one file. Depends on its text and definitions only, so it can be kept by content. */
export interface FileTerms {
  /** Vocabulary of the file; numbers below point into it. */
  terms: string[];
  /** Identifiers as written, for references between definitions. */
  identifiers: string[];
  /** Pairs of term and count over the whole text. */
  text: number[];
  definitions: DefinitionTerms[];
}

export interface DefinitionTerms extends Definition {
  /** Pairs of term and count over the lines it owns, with the comment above. */
  body: number[];
  /** Numbers of the identifiers in its code. */
  mentions: number[];
}

/** Longer lines are data or generated; their words would drown the rest. */
const maximumLine = 4_000;
const comment = /^\s*(#|\/\/|\/?\*|--|<!--)/;
/** Belongs to the definition below: comments, decorators, attributes. */
const above = /^\s*(#|\/\/|\/?\*|@|\*\/)/;

/** Counts the words of a text. Each line belongs to the innermost definition around it. */
export function fileTermsOf(text: string, found: readonly Definition[]): FileTerms {
  const lines = text.split('\n');
  const definitions = found.length > 0 ? found : [fileDefinition(lines)];
  const owners = lineOwners(lines, definitions);
  const terms = new Numbering();
  const identifiers = new Numbering();
  const whole = new Map<number, number>();
  const bodies = definitions.map(() => new Map<number, number>());
  const mentions = definitions.map(() => new Set<number>());
  for (const [at, line] of lines.entries()) {
    if (line.length > maximumLine) continue;
    const owner = owners[at] ?? -1;
    const body = bodies[owner];
    const mentioned = comment.test(line) ? undefined : mentions[owner];
    for (const word of identifiersOf(line)) {
      if (mentioned && word.length >= 4) mentioned.add(identifiers.of(word));
      for (const term of identifierTerms(word)) {
        const number = terms.of(term);
        whole.set(number, (whole.get(number) ?? 0) + 1);
        body?.set(number, (body.get(number) ?? 0) + 1);
      }
    }
  }
  return {
    terms: terms.names,
    identifiers: identifiers.names,
    text: pairs(whole),
    definitions: definitions.map((definition, at) => ({
      ...definition,
      body: pairs(bodies[at] as Map<number, number>),
      mentions: [...(mentions[at] as Set<number>)],
    })),
  };
}

/** For every line the innermost definition around it, -1 at module level. */
function lineOwners(lines: readonly string[], definitions: readonly Definition[]): Int32Array {
  const owners = new Int32Array(lines.length).fill(-1);
  const order = definitions.map((_, at) => at);
  const of = (at: number): Definition => definitions[at] as Definition;
  order.sort((a, b) => of(a).start - of(b).start || of(b).end - of(a).end);
  for (const at of order) {
    const { start, end } = of(at);
    owners.fill(at, Math.max(0, start - 1), Math.min(end, lines.length));
  }
  for (const at of order) {
    const outer = owners[of(at).start - 2];
    for (let line = of(at).start - 2; line >= 0 && owners[line] === outer && above.test(lines[line] ?? ''); line--) {
      owners[line] = at;
    }
  }
  return owners;
}

class Numbering {
  readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();

  of(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      this.numbers.set(name, number);
      this.names.push(name);
    }
    return number;
  }
}

function pairs(counts: ReadonlyMap<number, number>): number[] {
  const list: number[] = [];
  for (const [term, count] of counts) list.push(term, count);
  return list;
}
