import type { GraphEdge, GraphFile, GraphNode, LiteralFact } from '../model';
import { remembered } from './remembered';

/** What one prompt, descriptor or configuration file says, with no knowledge of other files. */
export interface ArtifactFacts {
  nodes: GraphNode[];
  edges: GraphEdge[];
  literals: LiteralFact[];
}

type Lists<T> = (readonly T[])[];

/**
 * The lists of which a graph is put together, in its order. No list ever changes: where something is taken out, a shorter
 * one stands in its place.
 */
export interface GraphLists {
  files: GraphFile[];
  /** Nodes of `nodes`, `shared` and `artifacts`. */
  ids: NodesById;
  /** Of code: each list is of one file. */
  nodes: Lists<GraphNode>;
  /** What several files of code name, such as an environment variable. */
  shared: readonly GraphNode[];
  /** Of code, then of the artifacts: each list is of one file. */
  edges: Lists<GraphEdge>;
  /** Of code: each list is of one file. */
  literals: Lists<LiteralFact>;
  artifacts: { nodes: readonly GraphNode[]; literals: Lists<LiteralFact> };
}

/** Prompts and configuration keys, those that code names among them. */
export function promptsAndKeys({ nodes, shared, artifacts }: GraphLists): GraphNode[] {
  return ofPromptsAndKeys([...nodes, shared, artifacts.nodes]);
}

const ofPromptsAndKeys = remembered((nodes: readonly GraphNode[]) =>
  nodes.filter(({ kind }) => kind === 'prompt' || kind === 'config'),
);

/** One key of a YAML, JSON or TOML file. Lines count from 1 and are those of the whole entry, key included. */
export interface Entry {
  /** Keys from the root; list positions as `[0]`. */
  path: string[];
  start: number;
  end: number;
  /** First line of the value: for a block string the line after the key. */
  valueStart: number;
  value: EntryValue;
}

export type EntryValue =
  | { kind: 'scalar'; value: string | number | boolean | null; source: string }
  | { kind: 'map'; entries: Entry[] }
  | { kind: 'list'; entries: Entry[]; source: string };

/** The dotted name of an entry, for example `agent.system_template` or `tools[0].name`. */
export function keyOf(path: readonly string[]): string {
  return path.reduce((key, part) => (part.startsWith('[') || key === '' ? key + part : `${key}.${part}`), '');
}

/** The string under `name` of a map entry, when there is one. */
export function stringUnder(entries: readonly Entry[], name: string): string | undefined {
  const found = entries.find((entry) => entry.path.at(-1) === name)?.value;
  return found?.kind === 'scalar' && typeof found.value === 'string' ? found.value : undefined;
}

/** Whether one of its ends can only be known when all files are. */
export function isOpen({ from, to }: GraphEdge): boolean {
  return isOpenEnd(from) || isOpenEnd(to);
}

const isOpenEnd = (end: string) => end.startsWith('path:') || end.startsWith('import:');

/** Turns a character offset into a line number from 1; `starts` comes from {@link lineStarts}. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Offsets at which the lines of a text begin. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Nodes by id, listed once for all who ask for a few of them. */
export type NodesById = ReadonlyMap<string, GraphNode>;
