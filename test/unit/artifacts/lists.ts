import type { GraphLists } from '../../../src/core/graph/artifacts';
import type { GraphNode, LiteralFact } from '../../../src/core/graph/model';

/** Lists of a graph of which only some parts matter; the nodes and literals of code may be of one file or several. */
export function graphLists(
  parts: Partial<Pick<GraphLists, 'edges' | 'artifacts'>> & { nodes: GraphNode[]; literals?: LiteralFact[] },
): GraphLists {
  const { nodes, edges = [], literals = [], artifacts = { nodes: [], literals: [] } } = parts;
  const ids = new Map([...nodes, ...artifacts.nodes].map((node) => [node.id, node]));
  return { files: [], ids, nodes: [nodes], shared: [], edges, literals: [literals], artifacts };
}
