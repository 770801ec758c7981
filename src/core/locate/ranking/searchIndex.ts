import { identifiersOf, identifierTerms } from '../tokens';
import { type Definition, wholeFile } from './definitions';
import type { FileTerms } from './fileTerms';
import { Postings } from './postings';

/** A definition that can be found. */
export interface Row extends Definition {
  file: number;
}

export interface SearchFile {
  path: string;
  /** Its rows: from, to (exclusive). */
  from: number;
  to: number;
}

/** Everything the ranking knows of one tree, in memory. Immutable. */
export interface SearchIndex {
  files: SearchFile[];
  rows: Row[];
  terms: Map<string, number>;
  /** Over rows: own words, last name, the names around it. */
  body: Postings;
  name: Postings;
  container: Postings;
  /** Over files: all words, file name without ending, folders. */
  text: Postings;
  base: Postings;
  folder: Postings;
  /** Numbers of identifiers that rows mention, and rows by the last part of their name. */
  mentions: Int32Array[];
  identifiers: Map<string, number>;
  fileOfPath: Map<string, number>;
  fileOfRow: Int32Array;
}

/** Builds the index of a tree; files in the given order. */
export function buildSearchIndex(sources: readonly { path: string; terms: FileTerms }[]): SearchIndex {
  const terms = new Map<string, number>();
  const identifiers = new Map<string, number>();
  const files: SearchFile[] = [];
  const rows: Row[] = [];
  const mentions: Int32Array[] = [];
  const lists = { body: [], name: [], container: [], text: [], base: [], folder: [] } as Record<
    'body' | 'name' | 'container' | 'text' | 'base' | 'folder',
    number[][]
  >;
  const counted = (text: string): number[] => {
    const counts = new Map<number, number>();
    for (const word of identifiersOf(text)) {
      for (const term of identifierTerms(word)) {
        const number = numberOf(terms, term);
        counts.set(number, (counts.get(number) ?? 0) + 1);
      }
    }
    return [...counts].flat();
  };
  for (const { path, terms: own } of sources) {
    const toTerm = own.terms.map((term) => numberOf(terms, term));
    const toIdentifier = own.identifiers.map((word) => numberOf(identifiers, word));
    const slash = path.lastIndexOf('/');
    const file = files.length;
    lists.text.push(translated(own.text, toTerm));
    lists.base.push(counted(path.slice(slash + 1).replace(/\.[^.]*$/, '')));
    lists.folder.push(counted(path.slice(0, Math.max(0, slash))));
    const from = rows.length;
    for (const { body, mentions: mentioned, ...definition } of own.definitions) {
      rows.push({ ...definition, file });
      mentions.push(Int32Array.from(mentioned, (word) => toIdentifier[word] as number));
      lists.body.push(translated(body, toTerm));
      const dot = definition.name.lastIndexOf('.');
      const named = definition.name === wholeFile ? '' : definition.name;
      lists.name.push(counted(named.slice(dot + 1)));
      lists.container.push(counted(named.slice(0, Math.max(0, dot))));
    }
    files.push({ path, from, to: rows.length });
  }
  const postings = (field: keyof typeof lists): Postings => Postings.of(terms.size, lists[field]);
  return {
    files,
    rows,
    terms,
    body: postings('body'),
    name: postings('name'),
    container: postings('container'),
    text: postings('text'),
    base: postings('base'),
    folder: postings('folder'),
    mentions,
    identifiers,
    fileOfRow: Int32Array.from(rows, (row) => row.file),
    fileOfPath: new Map(files.map(({ path }, file) => [path, file])),
  };
}

function numberOf(numbers: Map<string, number>, name: string): number {
  let number = numbers.get(name);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(name, number);
  }
  return number;
}

function translated(pairs: readonly number[], numbers: readonly number[]): number[] {
  const list = new Array<number>(pairs.length);
  for (let at = 0; at < pairs.length; at += 2) {
    list[at] = numbers[pairs[at] as number] as number;
    list[at + 1] = pairs[at + 1] as number;
  }
  return list;
}

/** The last part of a dotted name. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
