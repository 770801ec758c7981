import { z } from 'zod';
import {
  EdgeKind,
  type GraphData,
  type GraphEdge,
  type GraphFile,
  type GraphNode,
  type LibraryCall,
  type LiteralFact,
  type UnresolvedCall,
} from './model';

/** From, to, kind, file and line as numbers; then, when needed, text and 1 for "not certain". */
const PackedEdge = z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()]).rest(z.union([z.string(), z.number()]));

/**
 * The outline of a part of a stored graph. Nodes and the like were checked when they were made and are stored under a format
 * version, so they are not looked at one by one: that would take longer than linking.
 */
const PackedPart = z.strictObject({
  root: z.string().optional(),
  files: z.array(z.custom<GraphFile>(isObject)).optional(),
  nodes: z.array(z.custom<GraphNode>(isObject)).optional(),
  literals: z.array(z.custom<LiteralFact>(isObject)).optional(),
  unresolved: z.array(z.custom<UnresolvedCall>(isObject)).optional(),
  libraryCalls: z.array(z.custom<LibraryCall>(isObject)).optional(),
  /** Ids and paths that edges of this part are the first to name. */
  ids: z.array(z.string()).optional(),
  paths: z.array(z.string()).optional(),
  edges: z.array(z.custom<z.infer<typeof PackedEdge>>(Array.isArray)).optional(),
  isLast: z.literal(true).optional(),
});
type PackedPart = z.infer<typeof PackedPart>;

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Items of a part: the text of one and what it is made of never need much memory at once. */
const partSize = 8192;
const plainLists = ['files', 'nodes', 'literals', 'unresolved', 'libraryCalls'] as const;

/** JSON of a graph in parts, in which edges name their ends by number: a quarter of the plain size, and quicker to read. */
export function* packGraph(data: GraphData): Generator<string> {
  const text = (part: PackedPart) => JSON.stringify(part);
  yield text({ root: data.root, ...(data.libraryCalls ? { libraryCalls: [] } : {}) });
  for (const name of plainLists)
    for (const items of slices<unknown>(data[name] ?? [])) yield JSON.stringify({ [name]: items });
  const ids = new Numbering();
  const paths = new Numbering();
  for (const items of slices(data.edges)) {
    const edges = items.map((edge) => packEdge(edge, ids, paths));
    yield text({ ids: ids.takeNew(), paths: paths.takeNew(), edges });
  }
  yield text({ isLast: true });
}

function* slices<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += partSize) yield list.slice(at, at + partSize);
}

function packEdge(edge: GraphEdge, ids: Numbering, paths: Numbering): z.infer<typeof PackedEdge> {
  const { from, to, kind, file, line, text, certain } = edge;
  const kindNumber = EdgeKind.options.indexOf(kind);
  const packed: z.infer<typeof PackedEdge> = [ids.of(from), ids.of(to), kindNumber, paths.of(file), line];
  if (text !== undefined || certain === false) packed.push(text ?? 0);
  if (certain === false) packed.push(1);
  return packed;
}

/** The graph in the parts of {@link packGraph}. @throws ZodError, SyntaxError, RangeError when they are something else */
export function unpackGraph(parts: Iterable<string>): GraphData {
  const data: GraphData = { root: '', files: [], nodes: [], literals: [], unresolved: [], edges: [] };
  const ids: string[] = [];
  const paths: string[] = [];
  let isComplete = false;
  for (const text of parts) {
    const part = PackedPart.parse(JSON.parse(text));
    data.root = part.root ?? data.root;
    for (const name of plainLists) {
      if (!part[name]) continue;
      data[name] ??= [];
      const list: unknown[] = data[name];
      for (const item of part[name]) list.push(item);
    }
    for (const id of part.ids ?? []) ids.push(id);
    for (const path of part.paths ?? []) paths.push(path);
    for (const packed of part.edges ?? []) data.edges.push(unpackEdge(packed, ids, paths));
    isComplete ||= part.isLast === true;
  }
  if (!isComplete) throw new RangeError('A part of the graph is missing.');
  return data;
}

function unpackEdge(packed: z.infer<typeof PackedEdge>, ids: readonly string[], paths: readonly string[]): GraphEdge {
  const [from, to, kind, file, line, text, uncertain] = packed;
  const edge: GraphEdge = { from: ids[from]!, to: ids[to]!, kind: EdgeKind.options[kind]!, file: paths[file]!, line };
  if (typeof text === 'string') edge.text = text;
  if (uncertain === 1) edge.certain = false;
  return edge;
}

class Numbering {
  private readonly known = new Map<string, number>();
  private fresh: string[] = [];

  of(text: string): number {
    let number = this.known.get(text);
    if (number === undefined) {
      number = this.known.size;
      this.known.set(text, number);
      this.fresh.push(text);
    }
    return number;
  }

  /** Those that got a number since the last time, in order. */
  takeNew(): string[] {
    const { fresh } = this;
    this.fresh = [];
    return fresh;
  }
}
