import type { GraphNode } from '../../graph';
import type { PageContext } from './links';

const limitName = /(?:^|_|\b)(?:max|limit|budget|timeout|threshold)|[a-z](?:Limit|Max|Budget|Timeout)\b|limit$/i;
const mostLimits = 6;
const leastLimits = 2;
/** What bounds a run of an agent and not the program around it. */
const ofTurns =
  /turn|step|iteration|round|cost|budget|token|context|output|observation|compact|compress|retr(?:y|ies)|attempt|command|tool|agent/i;

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
  const homes = new Map(map.units.map((unit) => [unit.id, unit]));
  const rank = (node: GraphNode): number => {
    if (inLoop.has(node.id)) return ofTurns.test(node.name) ? 0 : 1;
    const readers = graph.in(node.id, 'reads').map((edge) => homes.get(evidence.homeOf(edge.from) ?? '')?.stage ?? '');
    const isUsed = readers.some((stage) => /^(?:loop|side_flow|cross_cut|onset)$/.test(stage));
    return (ofTurns.test(node.name) ? 1 : 3) + (isUsed ? 0.5 : 1.5);
  };
  const ranked = limits
    .map((node, index) => ({ node, index, rank: rank(node) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  // What nothing of a run reads bounds something else, as long as there are others to show.
  const used = ranked.filter((item) => item.rank < 4);
  return (used.length >= leastLimits ? used : ranked).slice(0, mostLimits).map(({ node }) => node);
}

function attributesReadBy(members: readonly string[], graph: PageContext['graph']): string[] {
  return members.flatMap((id) => graph.out(id, 'reads').map((edge) => edge.to));
}
