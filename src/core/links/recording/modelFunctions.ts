import type { GraphNode, ProgramGraph } from '../../graph';
import type { BehaviourMap } from '../../handbook';
import { onlyRepeats } from '../pathClass';

/** A function that asks a model, where a recording is cut. */
export interface ModelFunction {
  file: string;
  name: string;
  start: number;
  end: number;
}

/**
 * The functions of a harness that ask a model: those that call a model's library or address, their callers in the same class,
 * and, where a statement may call several, the methods of classes that look like theirs: also those of simulated models. The agent loop is none, even where it asks the model itself:
 * it is entered only once.
 */
export function modelFunctions(graph: ProgramGraph, map: BehaviourMap): ModelFunction[] {
  const loops = new Set(map.units.filter((unit) => unit.kind === 'main_loop').flatMap((unit) => unit.members));
  // What asks a model through its own class is the model; the class of the loop asks another one.
  const loopClasses = new Set(
    [...loops].map((id) => id.slice(0, Math.max(0, id.lastIndexOf('.')))).filter((id) => id.includes('#')),
  );
  const isLoopClass = (node: GraphNode) => loopClasses.has(`${node.file}#${outer(node)}`);
  const found = new Map<string, GraphNode>();
  const alike = new Map<string, GraphNode[]>();
  for (const node of graph.data.nodes)
    if (node.kind === 'method') alike.set(node.name, [...(alike.get(node.name) ?? []), node]);
  const open: GraphNode[] = [];
  const add = (id: string): void => {
    const node = graph.node(id);
    if (node === undefined || found.has(id) || loops.has(id)) return;
    if (node.kind !== 'function' && node.kind !== 'method') return;
    found.set(id, node);
    open.push(node);
  };
  for (const edge of graph.data.edges)
    if (edge.kind === 'calls' && !onlyRepeats(edge.file) && graph.node(edge.to)?.boundary === 'model') add(edge.from);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const edge of graph.in(node.id, 'calls')) {
      const caller = graph.node(edge.from);
      if (caller === undefined || onlyRepeats(caller.file)) continue;
      if (caller.file === node.file && outer(caller) !== '' && outer(caller) === outer(node)) {
        if (!isLoopClass(caller)) add(caller.id);
      }
      // One statement that may run several functions: the others are other models.
      else if (edge.certain === false)
        for (const other of alike.get(node.name) ?? [])
          if (!isLoopClass(other) && isAlike(graph, node, other)) add(other.id);
    }
  }
  return [...found.values()].map(({ file, name, start, end }) => ({ file, name, start, end }));
}

function outer({ qualname }: GraphNode): string {
  return qualname.includes('.') ? qualname.slice(0, qualname.lastIndexOf('.')) : '';
}

/** Whether the classes of two methods share more than these: one can stand in for the other. */
function isAlike(graph: ProgramGraph, left: GraphNode, right: GraphNode): boolean {
  const names = (node: GraphNode) =>
    graph
      .inFile(node.file)
      .filter((one) => one.kind === 'method' && outer(one) === outer(node) && !one.name.startsWith('__'))
      .map((one) => one.name);
  const own = new Set(names(left));
  return names(right).filter((name) => own.has(name)).length >= 2;
}
