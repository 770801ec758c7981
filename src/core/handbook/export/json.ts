import { z } from 'zod';
import { GraphNode, type ProgramGraph } from '../../graph';
import { BehaviourMap } from '../model';

/** A definition, prompt, tool or configuration key that the map names by its id. */
export const ExportedNode = GraphNode.pick({
  id: true,
  kind: true,
  name: true,
  qualname: true,
  file: true,
  start: true,
  end: true,
  signature: true,
  doc: true,
  detail: true,
});

/** The handbook for other programs: the whole map, and what its ids stand for. */
export const HandbookExport = z.object({
  schemaVersion: z.literal(1),
  map: BehaviourMap,
  nodes: z.array(ExportedNode),
});
export type HandbookExport = z.infer<typeof HandbookExport>;

/** The export of a map, with its nodes sorted by id. */
export function handbookJson(map: BehaviourMap, graph: ProgramGraph): HandbookExport {
  const ids = new Set(map.units.flatMap((unit) => [...unit.members, ...unit.prompts, ...unit.tools, ...unit.config]));
  const nodes = [...ids]
    .sort()
    .map((id) => graph.node(id))
    .filter((node) => node !== undefined);
  return { schemaVersion: 1, map, nodes: nodes.map((node) => ExportedNode.parse(node)) };
}
