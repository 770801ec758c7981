import type { GraphNode, ProgramGraph } from '../graph';
import { type BehaviourMap, isForeignFile, isTestFile, kindWords, type Sources, type Unit } from '../handbook';
import { termsOf } from './tokens';

/** One thing that can be found: a definition, a prompt, a configuration key. */
export interface Row {
  node: GraphNode;
  file: number;
  bodyLength: number;
  nameLength: number;
  containerLength: number;
}

export interface FileRow {
  path: string;
  rows: number[];
  textLength: number;
  baseLength: number;
  folderLength: number;
}

/** Occurrences of a term: row numbers with counts in body, name and container. */
export interface Posting {
  row: number;
  body: number;
  name: number;
  container: number;
}

export interface FilePosting {
  file: number;
  text: number;
  base: number;
  folder: number;
}

/** Inverted index of one harness, in memory. */
export interface SearchIndex {
  rows: Row[];
  files: FileRow[];
  postings: Map<string, Posting[]>;
  filePostings: Map<string, FilePosting[]>;
  averages: { body: number; name: number; container: number; text: number; base: number; folder: number };
  units: UnitRow[];
  rowOfNode: Map<string, number>;
}

export interface UnitRow {
  unit: Unit;
  terms: Map<string, number>;
  length: number;
}

const searchable = new Set(['function', 'method', 'class', 'variable', 'prompt', 'config', 'tool']);

/** Builds the index; a class row holds the class without its methods, so that a method outranks its class. */
export function buildSearchIndex(graph: ProgramGraph, map: BehaviourMap, sources: Sources): SearchIndex {
  const index: SearchIndex = {
    rows: [],
    files: [],
    postings: new Map(),
    filePostings: new Map(),
    units: [],
    rowOfNode: new Map(),
    averages: { body: 1, name: 1, container: 1, text: 1, base: 1, folder: 1 },
  };
  for (const file of graph.data.files) {
    if (isTestFile(file.path) || isForeignFile(file.path) || !sources.has(file.path)) continue;
    addFile(index, file.path, graph, sources);
  }
  const average = (values: number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length) || 1;
  index.averages = {
    body: average(index.rows.map((row) => row.bodyLength)),
    name: average(index.rows.map((row) => row.nameLength)),
    container: average(index.rows.map((row) => row.containerLength)),
    text: average(index.files.map((file) => file.textLength)),
    base: average(index.files.map((file) => file.baseLength)),
    folder: average(index.files.map((file) => file.folderLength)),
  };
  index.units = map.units.map((unit) => unitRow(unit, graph));
  return index;
}

function addFile(index: SearchIndex, path: string, graph: ProgramGraph, sources: Sources): void {
  const number = index.files.length;
  const slash = path.lastIndexOf('/');
  const text = termsOf(sources.text(path, 1, Number.MAX_SAFE_INTEGER).slice(0, 10 * maximumText));
  const base = termsOf(path.slice(slash + 1).replace(/\.[^.]*$/, ''));
  const folder = termsOf(path.slice(0, Math.max(0, slash)));
  const file: FileRow = { path, rows: [], textLength: sum(text), baseLength: sum(base), folderLength: sum(folder) };
  index.files.push(file);
  for (const term of new Set([...text.keys(), ...base.keys(), ...folder.keys()])) {
    push(index.filePostings, term, {
      file: number,
      text: text.get(term) ?? 0,
      base: base.get(term) ?? 0,
      folder: folder.get(term) ?? 0,
    });
  }
  const nodes = graph.inFile(path).filter((node) => searchable.has(node.kind));
  for (const node of nodes) {
    if (isNested(node, nodes)) continue;
    const row = index.rows.length;
    const body = termsOf(ownText(node, nodes, sources));
    const name = termsOf(node.name);
    const container = termsOf(node.qualname.slice(0, Math.max(0, node.qualname.lastIndexOf('.'))));
    index.rows.push({
      node,
      file: number,
      bodyLength: sum(body),
      nameLength: sum(name),
      containerLength: sum(container),
    });
    index.rowOfNode.set(node.id, row);
    file.rows.push(row);
    for (const term of new Set([...body.keys(), ...name.keys(), ...container.keys()])) {
      push(index.postings, term, {
        row,
        body: body.get(term) ?? 0,
        name: name.get(term) ?? 0,
        container: container.get(term) ?? 0,
      });
    }
  }
}

/** Functions inside functions are found as part of the outer one. */
function isNested(node: GraphNode, nodes: readonly GraphNode[]): boolean {
  if (node.kind !== 'function' || !node.qualname.includes('.')) return false;
  const parent = node.qualname.slice(0, node.qualname.lastIndexOf('.'));
  return nodes.some((other) => other.qualname === parent && (other.kind === 'function' || other.kind === 'method'));
}

/** Longer texts and lines are generated or data; their words would drown the rest. */
const maximumText = 40_000;
const maximumLine = 1_000;

function ownText(node: GraphNode, nodes: readonly GraphNode[], sources: Sources): string {
  const text = rawText(node, nodes, sources).slice(0, maximumText);
  return text.length < maximumLine
    ? text
    : text
        .split('\n')
        .filter((line) => line.length <= maximumLine)
        .join('\n');
}

function rawText(node: GraphNode, nodes: readonly GraphNode[], sources: Sources): string {
  if (
    sources
      .lines(node.file)
      .slice(node.start - 1, node.end)
      .some((line) => line.length > maximumText)
  )
    return node.name;
  const above = commentAbove(node, sources);
  if (node.kind !== 'class') return `${above}\n${sources.text(node.file, node.start, node.end)}\n${node.doc ?? ''}`;
  const methods = nodes.filter((other) => other.kind === 'method' && other.qualname.startsWith(`${node.qualname}.`));
  const kept: string[] = [above];
  let line = node.start;
  for (const method of methods) {
    if (method.start > line) kept.push(sources.text(node.file, line, method.start - 1));
    line = Math.max(line, method.end + 1);
  }
  if (line <= node.end) kept.push(sources.text(node.file, line, node.end));
  return kept.join('\n');
}

/** Comment lines directly above a definition belong to it. */
function commentAbove(node: GraphNode, sources: Sources): string {
  const lines = sources.lines(node.file);
  let line = node.start - 1;
  while (line >= 1 && /^\s*(?:#|\/\/|\/?\*)/.test(lines[line - 1] ?? '')) line--;
  return lines.slice(line, node.start - 1).join('\n');
}

function unitRow(unit: Unit, graph: ProgramGraph): UnitRow {
  const words = kindWords[unit.kind];
  const terms = new Map<string, number>();
  // The kind's words are given twice: they are what a request says when the code says something else.
  for (const text of [words.title, words.synonyms, words.title, unit.title, unit.summary]) termsOf(text, terms);
  for (const id of [...unit.members, ...unit.prompts, ...unit.tools, ...unit.config].slice(0, 60)) {
    const node = graph.node(id);
    if (node) termsOf(`${node.name} ${node.doc ?? ''}`, terms);
  }
  return { unit, terms, length: sum(terms) };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function sum(terms: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of terms.values()) total += count;
  return total;
}
