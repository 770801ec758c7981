import type { GraphNode } from '../../graph';
import type { PageContext } from './links';

const limitName = /(?:^|_|\b)(?:max|limit|budget|timeout|threshold)|[a-z](?:Limit|Max|Budget|Timeout)\b|limit$/i;
const mostLimits = 6;

/** A key, constant or attribute that bounds something and carries a number. */
export function isLimit(node: GraphNode): boolean {
  return (
    (node.kind === 'config' || node.kind === 'variable' || node.kind === 'attribute') &&
    node.file !== '' &&
    limitName.test(node.name) &&
    /^[\d_.,\s*eE+-]+$/.test(node.detail ?? '') &&
    /\d/.test(node.detail ?? '')
  );
}

/** Limits with a number, at most six: those that the loop and its checks use first, then by place. */
export function limitValues({ graph, map, evidence }: PageContext): GraphNode[] {
  const inLoop = new Set<string>();
  for (const unit of map.units) {
    if (unit.stage !== 'loop') continue;
    const weight = unit.kind === 'limits' || unit.kind === 'main_loop' || unit.order !== undefined;
    if (weight)
      for (const id of [...unit.config, ...unit.members, ...attributesReadBy(unit.members, graph)]) inLoop.add(id);
    if (weight) for (const id of unit.registers) inLoop.add(id.replace(/^register:/, ''));
  }
  const apart = new Set(map.units.filter((unit) => unit.apart === true).map((unit) => unit.id));
  const isShown = (id: string): boolean => {
    const home = evidence.homeOf(id);
    return home !== undefined && !apart.has(home);
  };
  const limits = graph.data.nodes.filter((node) => isLimit(node) && isShown(node.id));
  const rank = (node: GraphNode): number => (inLoop.has(node.id) ? 0 : 1);
  return limits
    .map((node, index) => ({ node, index }))
    .sort((a, b) => rank(a.node) - rank(b.node) || a.index - b.index)
    .slice(0, mostLimits)
    .map(({ node }) => node);
}

function attributesReadBy(members: readonly string[], graph: PageContext['graph']): string[] {
  return members.flatMap((id) => graph.out(id, 'reads').map((edge) => edge.to));
}
