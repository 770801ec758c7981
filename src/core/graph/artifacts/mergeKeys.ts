import { append } from '../lists';
import type { GraphEdge, GraphNode } from '../model';
import { maximumUsers } from './codeLiterals';
import { type GraphLists, promptsAndKeys } from './facts';
import { remembered } from './remembered';

/**
 * Code that asks for a key, as in `config.get('step_limit')`, and a configuration file that sets it speak of one thing: the
 * reads go to the keys of the files, and the node that only repeated the name goes away. Variables of the environment stay.
 */
export function mergeKeys(lists: GraphLists): GraphEdge[] {
  const set = new Map<string, GraphNode[]>();
  const named: GraphNode[] = [];
  for (const node of promptsAndKeys(lists)) {
    if (node.id.includes('#') && node.qualname !== '') append(set, node.name, node);
    if (node.kind === 'config' && node.id === `config:${node.name}` && !/^[A-Z0-9_]+$/.test(node.name))
      named.push(node);
  }
  const merged = new Map<string, GraphNode[]>();
  for (const { id, name } of named) {
    const keys = set.get(name) ?? [];
    if (keys.length > 0 && keys.length <= maximumUsers) merged.set(id, keys);
  }
  if (merged.size === 0) return [];
  const edges: GraphEdge[] = [];
  for (const edge of edgesToKeys(lists.edges)) {
    const keys = merged.get(edge.to) ?? [];
    for (const { id, kind } of keys) {
      const moved: GraphEdge = { ...edge, to: id, kind: kind === 'prompt' ? 'uses-prompt' : 'reads' };
      if (keys.length > 1) moved.certain = false;
      edges.push(moved);
    }
  }
  lists.edges = lists.edges.map((list) =>
    edgesToKeys([list]).some(({ to }) => merged.has(to)) ? list.filter(({ to }) => !merged.has(to)) : list,
  );
  const isLeft = ({ id }: GraphNode) => !merged.has(id);
  lists.shared = lists.shared.filter(isLeft);
  lists.artifacts.nodes = lists.artifacts.nodes.filter(isLeft);
  return edges;
}

const edgesToKeys = remembered((edges: readonly GraphEdge[]) => edges.filter(({ to }) => to.startsWith('config:')));
