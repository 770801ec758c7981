import type { GraphNode } from '../graph';
import type { LinkIndex } from './linkIndex';

/** Methods that do the work of a class, the likeliest first. */
const RUNNERS = ['execute', 'run', 'exec', '_execute', '_run', '__call__', 'invoke', 'call', 'forward', 'handle'];
/** Methods that only tell about a tool. */
const TELLS = /(name|info|schema|spec|definition|description|declaration|parameters|init|constructor|get)/i;

/** What does the work of a definition, and how that was found, in words. */
export interface Implementation {
  node: GraphNode;
  how: string;
}

/**
 * The code that runs when a tool is called, from the definition that stands for the tool: a class runs one of its methods or
 * one of a class it makes, a method that only tells about the tool leads to its class, a function may hold what it registers.
 * Null when nothing of that kind is there.
 */
export function implementationOf(index: LinkIndex, node: GraphNode): Implementation | null {
  if (node.kind === 'function' || node.kind === 'method') {
    const inner = innerRunner(index, node);
    if (inner !== undefined) return { node: inner, how: `made by ${node.qualname}` };
    if (node.kind === 'function') return { node, how: 'itself' };
    const owner = classOf(index, node);
    if (owner === undefined || !TELLS.test(node.name)) return { node, how: 'itself' };
    return implementationOf(index, owner) ?? { node, how: 'itself' };
  }
  if (node.kind !== 'class') return null;
  const own = runnerMethod(index, node);
  if (own !== undefined) return { node: own, how: `runs ${node.name}` };
  for (const maker of [node, ...methodsOf(index, node)]) {
    for (const edge of index.graph.out(maker.id, 'constructs')) {
      const made = index.graph.node(edge.to);
      const runner = made?.kind === 'class' ? runnerMethod(index, made) : undefined;
      if (made !== undefined && runner !== undefined && made.file === node.file)
        return { node: runner, how: `runs ${made.name}, which ${node.name} makes` };
    }
  }
  const stem = node.name.replace(/(Tool|Handler|Command)$/, '');
  if (stem.length < 3) return null;
  for (const sibling of index.graph.inFile(node.file)) {
    if (sibling.kind !== 'class' || sibling.id === node.id || !sibling.name.startsWith(stem)) continue;
    const runner = runnerMethod(index, sibling);
    if (runner !== undefined) return { node: runner, how: `runs ${sibling.name}, beside ${node.name}` };
  }
  return null;
}

/** The class around a method. */
export function classOf(index: LinkIndex, node: GraphNode): GraphNode | undefined {
  const path = node.qualname.split('.').slice(0, -1).join('.');
  return index.graph.inFile(node.file).find((one) => one.kind === 'class' && one.qualname === path);
}

export function methodsOf(index: LinkIndex, owner: GraphNode): GraphNode[] {
  const prefix = `${owner.qualname}.`;
  return index.graph
    .inFile(owner.file)
    .filter(
      (one) =>
        (one.kind === 'method' || one.kind === 'function') &&
        one.qualname.startsWith(prefix) &&
        !one.qualname.slice(prefix.length).includes('.'),
    );
}

function runnerMethod(index: LinkIndex, owner: GraphNode): GraphNode | undefined {
  const methods = methodsOf(index, owner);
  for (const name of RUNNERS) {
    const method = methods.find((one) => one.name === name);
    if (method !== undefined) return method;
  }
  return undefined;
}

/** `def tool(): async def execute(): ...; return execute` and object literals with `execute`. */
function innerRunner(index: LinkIndex, node: GraphNode): GraphNode | undefined {
  const inner = methodsOf(index, node);
  return RUNNERS.map((name) => inner.find((one) => one.name === name)).find((one) => one !== undefined);
}
