import { type GraphLists, remembered } from '../artifacts';
import type { CallFact } from '../fileFacts';
import type { Language } from '../languages/language';
import type { GraphEdge, GraphNode } from '../model';
import { type FileEntry, symbolId } from './symbolTable';
import { isTestFile } from './testFiles';

/** A call that may run a loop in a library. */
export interface LoopCall {
  call: CallFact;
  file: string;
  language: Language;
}

/**
 * Where a library runs the loop, the call of it counts as a loop of its function, from which the tools of the harness may
 * be called. Without that no function would seem to carry out what the model asks for.
 *
 * @returns the edges to the tools
 */
export function joinLibraryLoops(lists: GraphLists, loops: readonly LoopCall[]): GraphEdge[] {
  const made: GraphEdge[] = [];
  if (loops.length === 0) return made;
  const { ids, edges } = lists;
  const crossed = new Map<string, GraphNode>();
  for (const { from, to, line } of crossings(edges)) {
    const target = ids.get(to);
    if (target) crossed.set(`${from} ${line}`, target);
  }
  const runners = toolRunners(lists);
  const looping = new Map<string, GraphNode>();
  for (const { file, call, language } of loops) {
    const id = symbolId(file, call.scope);
    const node = looping.get(id) ?? ids.get(id);
    const boundary = node && crossed.get(`${id} ${call.line}`);
    if (!boundary || !language.libraryLoops!.some((loop) => loop.call.test(boundary.name))) continue;
    // The node itself belongs to its file, which may be joined again.
    looping.set(id, { ...node, loops: [...(node.loops ?? []), { start: call.line, end: call.end ?? call.line }] });
    for (const to of runners)
      made.push({ from: id, to, kind: 'calls', file, line: call.line, text: call.text, certain: false });
  }
  const files = new Set([...looping.values()].map(({ file }) => file));
  lists.nodes = lists.nodes.map((list) =>
    list[0] && files.has(list[0].file) ? list.map((node) => looping.get(node.id) ?? node) : list,
  );
  return made;
}

const crossings = remembered((edges: readonly GraphEdge[]) =>
  edges.filter(({ to }) => to.startsWith('boundary:model:')),
);

/** Calls in functions that hand tools to a library. */
export function loopsIn(file: FileEntry): LoopCall[] {
  const { language, path } = file;
  const rules = language.libraryLoops ?? [];
  if (rules.length === 0 || isTestFile(path)) return [];
  const { calls } = file.facts;
  const scopes = new Set(
    calls.flatMap(({ callee, scope }) => (rules.some((rule) => rule.tools.test(callee)) ? scope : [])),
  );
  return calls.flatMap((call) => (!call.construct && scopes.has(call.scope) ? { call, file: path, language } : []));
}

/** Functions that implement the tools of the harness. */
function toolRunners({ ids, edges }: GraphLists): string[] {
  const found = new Set<string>();
  for (const { to } of implementing(edges)) if (!isTestFile(ids.get(to)?.file ?? '')) found.add(to);
  return [...found];
}

const implementing = remembered((edges: readonly GraphEdge[]) =>
  edges.filter(({ kind }) => kind === 'implements-tool'),
);
