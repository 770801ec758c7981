import { append } from '../lists';
import type { GraphData, GraphEdge, GraphNode } from '../model';
import { maximumUsers } from './codeLiterals';
import { retain } from './facts';

/**
 * Code that asks for a key, as in `config.get('step_limit')`, and a configuration file that sets it speak of one thing: the
 * reads go to the keys of the files, and the node that only repeated the name goes away. Variables of the environment stay.
 */
export function mergeKeys(data: GraphData): GraphEdge[] {
  const set = new Map<string, GraphNode[]>();
  for (const node of data.nodes) {
    const isKey = (node.kind === 'config' || node.kind === 'prompt') && node.id.includes('#');
    if (isKey && node.qualname !== '') append(set, node.name, node);
  }
  const merged = new Map<string, GraphNode[]>();
  for (const node of data.nodes) {
    if (node.kind !== 'config' || node.id !== `config:${node.name}` || /^[A-Z0-9_]+$/.test(node.name)) continue;
    const keys = set.get(node.name) ?? [];
    if (keys.length > 0 && keys.length <= maximumUsers) merged.set(node.id, keys);
  }
  if (merged.size === 0) return [];
  const edges: GraphEdge[] = [];
  for (const edge of data.edges) {
    const keys = merged.get(edge.to) ?? [];
    for (const { id, kind } of keys) {
      const moved: GraphEdge = { ...edge, to: id, kind: kind === 'prompt' ? 'uses-prompt' : 'reads' };
      if (keys.length > 1) moved.certain = false;
      edges.push(moved);
    }
  }
  retain(data.edges, ({ to }) => !merged.has(to));
  retain(data.nodes, ({ id }) => !merged.has(id));
  return edges;
}
