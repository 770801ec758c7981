import { append } from '../lists';
import type { GraphEdge } from '../model';
import type { GraphLists } from './facts';

/** `uses-prompt` edges from the functions that read a variable into which the compiler put a prompt file. */
export function linkReaders({ ids, edges: lists }: GraphLists, edges: readonly GraphEdge[]): GraphEdge[] {
  const prompts = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    if (edge.kind !== 'uses-prompt' || ids.get(edge.from)?.kind !== 'variable') continue;
    append(prompts, edge.from, edge);
  }
  if (prompts.size === 0) return [];
  const found: GraphEdge[] = [];
  for (const list of lists) {
    for (const { kind, from, to, file, line, text } of list) {
      if (kind !== 'reads') continue;
      for (const held of prompts.get(to) ?? []) {
        const edge: GraphEdge = { from, to: held.to, kind: 'uses-prompt', file, line };
        if (text !== undefined) edge.text = text;
        if (held.certain === false) edge.certain = false;
        found.push(edge);
      }
    }
  }
  return found;
}
