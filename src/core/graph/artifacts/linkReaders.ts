import { append } from '../lists';
import type { GraphData, GraphEdge } from '../model';
import type { NodesById } from './facts';

/** `uses-prompt` edges from the functions that read a variable into which the compiler put a prompt file. */
export function linkReaders(data: GraphData, byId: NodesById, edges: readonly GraphEdge[]): GraphEdge[] {
  const prompts = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    if (edge.kind !== 'uses-prompt' || byId.get(edge.from)?.kind !== 'variable') continue;
    append(prompts, edge.from, edge);
  }
  if (prompts.size === 0) return [];
  const found: GraphEdge[] = [];
  for (const { kind, from, to, file, line, text } of data.edges) {
    if (kind !== 'reads') continue;
    for (const held of prompts.get(to) ?? []) {
      const edge: GraphEdge = { from, to: held.to, kind: 'uses-prompt', file, line };
      if (text !== undefined) edge.text = text;
      if (held.certain === false) edge.certain = false;
      found.push(edge);
    }
  }
  return found;
}
