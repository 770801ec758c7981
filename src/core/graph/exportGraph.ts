import { z } from 'zod';
import { GraphEdge, GraphNode } from './model';
import type { ProgramGraph } from './programGraph';

/** Lines count from 1, both ends included; those of what lies outside the harness are 0. */
const ExportedNode = GraphNode.pick({
  id: true,
  kind: true,
  name: true,
  qualname: true,
  file: true,
  start: true,
  end: true,
});
type ExportedNode = z.infer<typeof ExportedNode>;

const ExportedEdge = GraphEdge.pick({ from: true, to: true, kind: true, file: true, line: true }).extend({
  certain: z.literal(false).optional(),
});

/** The graph as other programs read it: `index --export FILE` of the command line writes it. */
export const GraphExport = z.object({ nodes: z.array(ExportedNode), edges: z.array(ExportedEdge) });
export type GraphExport = z.infer<typeof GraphExport>;

/**
 * Nodes and edges without what only this program needs. Beyond the graph it names the library functions that are called
 * (`boundary:library:NAME`) and the constructors that a decorator generates (`Class.__init__` over the lines of the class),
 * so that every call that could be resolved has both of its ends here.
 */
export function exportGraph({ data }: ProgramGraph): GraphExport {
  const nodes: ExportedNode[] = [];
  const edges: GraphExport['edges'] = [];
  const known = new Set<string>();
  const add = ({ id, kind, name, qualname, file, start, end }: ExportedNode) => {
    if (known.has(id)) return;
    known.add(id);
    nodes.push({ id, kind, name, qualname, file, start, end });
  };
  for (const node of data.nodes) add(node);
  const generated = new Map<string, string>();
  for (const node of data.nodes) {
    const id = `${node.id}.__init__`;
    if (!isDataClass(node) || known.has(id)) continue;
    add({ ...node, id, kind: 'method', name: '__init__', qualname: `${node.qualname}.__init__` });
    edges.push({ from: node.id, to: id, kind: 'contains', file: node.file, line: node.start });
    generated.set(node.id, id);
  }
  for (const { from, to, kind, file, line, certain } of data.edges) {
    edges.push({ from, to, kind, file, line, ...(certain === false ? { certain } : {}) });
    const made = kind === 'constructs' ? generated.get(to) : undefined;
    if (made) edges.push({ from, to: made, kind: 'calls', file, line });
  }
  for (const { from, name, file, line } of data.libraryCalls ?? []) {
    const id = `boundary:library:${name}`;
    add({ id, kind: 'boundary', name, qualname: name, file: '', start: 0, end: 0 });
    edges.push({ from, to: id, kind: 'calls', file, line });
  }
  return { nodes, edges };
}

/** The decorators of the standard library and of attrs that write a constructor. */
function isDataClass({ kind, decorators }: GraphNode): boolean {
  return (
    kind === 'class' &&
    (decorators ?? []).some((text) => /^@(?:\w+\.)*(?:dataclass|attrs|attr\.s|define|mutable|frozen)\b/.test(text))
  );
}
