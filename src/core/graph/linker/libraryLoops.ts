import type { GraphData, GraphNode } from '../model';
import { type FileEntry, symbolId } from './symbolTable';
import { isTestFile } from './testFiles';

/**
 * Where a library runs the loop, the call of it counts as a loop of its function, from which the tools of the harness may
 * be called. Without that no function would seem to carry out what the model asks for.
 */
export function joinLibraryLoops(data: GraphData, files: ReadonlyMap<string, FileEntry>): void {
  const loops = [...files.values()].flatMap((file) => loopsIn(file).map((call) => ({ file, call })));
  if (loops.length === 0) return;
  const nodes = new Map(data.nodes.map((node) => [node.id, node]));
  const crossed = new Map<string, GraphNode>();
  for (const { from, to, line } of data.edges) {
    const target = nodes.get(to);
    if (target?.boundary === 'model') crossed.set(`${from} ${line}`, target);
  }
  const runners = toolRunners(data, nodes);
  for (const { file, call } of loops) {
    const node = nodes.get(symbolId(file.path, call.scope));
    const boundary = node && crossed.get(`${node.id} ${call.line}`);
    if (!boundary || !file.language.libraryLoops!.some((loop) => loop.call.test(boundary.name))) continue;
    node.loops = [...(node.loops ?? []), { start: call.line, end: call.end ?? call.line }];
    for (const to of runners)
      data.edges.push({
        from: node.id,
        to,
        kind: 'calls',
        file: file.path,
        line: call.line,
        text: call.text,
        certain: false,
      });
  }
}

/** Calls in functions that hand tools to a library. */
function loopsIn(file: FileEntry) {
  const rules = file.language.libraryLoops ?? [];
  if (rules.length === 0 || isTestFile(file.path)) return [];
  const { calls } = file.facts;
  const scopes = new Set(
    calls.flatMap(({ callee, scope }) => (rules.some((rule) => rule.tools.test(callee)) ? scope : [])),
  );
  return calls.filter(({ scope, construct }) => !construct && scopes.has(scope));
}

/** Functions that implement the tools of the harness. */
function toolRunners(data: GraphData, nodes: ReadonlyMap<string, GraphNode>): string[] {
  const found = new Set<string>();
  for (const { kind, to } of data.edges)
    if (kind === 'implements-tool' && !isTestFile(nodes.get(to)?.file ?? '')) found.add(to);
  return [...found];
}
