import type { CallFact } from '../fileFacts';
import type { Language } from '../languages/language';
import type { GraphData, GraphNode } from '../model';
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
 */
export function joinLibraryLoops(data: GraphData, loops: readonly LoopCall[]): void {
  if (loops.length === 0) return;
  const nodes = new Map(data.nodes.map((node) => [node.id, node]));
  const crossed = new Map<string, GraphNode>();
  for (const { from, to, line } of data.edges) {
    const target = nodes.get(to);
    if (target?.boundary === 'model') crossed.set(`${from} ${line}`, target);
  }
  const runners = toolRunners(data, nodes);
  const looping = new Map<string, GraphNode>();
  for (const { file, call, language } of loops) {
    const id = symbolId(file, call.scope);
    const node = looping.get(id) ?? nodes.get(id);
    const boundary = node && crossed.get(`${id} ${call.line}`);
    if (!boundary || !language.libraryLoops!.some((loop) => loop.call.test(boundary.name))) continue;
    // The node itself belongs to its file, which may be joined again.
    looping.set(id, { ...node, loops: [...(node.loops ?? []), { start: call.line, end: call.end ?? call.line }] });
    for (const to of runners)
      data.edges.push({ from: id, to, kind: 'calls', file, line: call.line, text: call.text, certain: false });
  }
  if (looping.size > 0) data.nodes = data.nodes.map((node) => looping.get(node.id) ?? node);
}

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
function toolRunners(data: GraphData, nodes: ReadonlyMap<string, GraphNode>): string[] {
  const found = new Set<string>();
  for (const { kind, to } of data.edges)
    if (kind === 'implements-tool' && !isTestFile(nodes.get(to)?.file ?? '')) found.add(to);
  return [...found];
}
