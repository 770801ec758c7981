import type { GraphNode } from '../graph';
import type { LinkContext } from './context';
import { implementationOf } from './implementations';
import type { LinkIndex } from './linkIndex';
import type { Link } from './model';
import { classWeight, onlyRepeats, pathClassOf } from './pathClass';
import { constantReaders, namedDefinitions, namingCode, shellRunners } from './undeclaredTools';

const SHELL = /^(bash|shell|sh|exec|execute|run|run_command|execute_command|bash_command|terminal|command)$/i;

/** Links from the name of a called tool to the code that runs it, and to its declaration. `factor` lowers weak uses. */
export function toolLinks(index: LinkIndex, step: number, name: string, context: LinkContext, factor = 1): Link[] {
  const declared = declaredTool(index, step, name, factor);
  if (declared.some((link) => link.reason.startsWith('runs'))) return declared;
  if (SHELL.test(name)) {
    const found = [
      ...shellRunners(index, step, name, context, factor),
      ...namingCode(index, step, name, context, factor),
      ...namedDefinitions(index, step, name, context, factor),
    ];
    if (found.length > 0)
      return [...found, ...declared.map((link) => ({ ...link, confidence: link.confidence * 0.7 }))];
  }
  if (declared.length > 0) return [...constantReaders(index, step, name, context, factor), ...declared];
  const named = [
    ...namingCode(index, step, name, context, factor),
    ...namedDefinitions(index, step, name, context, factor),
  ];
  return named;
}

function declaredTool(index: LinkIndex, step: number, name: string, factor: number): Link[] {
  const links: Link[] = [];
  const all = index.toolsNamed(name);
  // Tests declare tools of the names of real ones; what only a test declares is found by its name.
  const tools = all.filter((tool) => !onlyRepeats(tool.file));
  for (const tool of tools) {
    const found = implementationsOf(index, tool);
    for (const { node, how, certain } of found.slice(0, 3)) {
      const sure = certain && found.length === 1 && tools.length === 1;
      const others = found.length > 1 ? `; one of ${found.length} candidates` : '';
      const reason = `runs the tool ${tool.name} that the step calls${how === 'itself' ? '' : ` (${how})`}${others}`;
      const confidence = (sure ? 0.88 : 0.6) * classWeight(node.file) * factor;
      links.push(index.places.link(step, 'tool', index.places.ofNode(node), confidence, reason));
    }
    const confidence = (links.length === 0 ? 0.7 : 0.5) * classWeight(tool.file) * factor;
    const reason = `declares the tool ${tool.name} that the step calls`;
    links.push(index.places.link(step, 'tool', index.places.ofNode(tool), confidence, reason));
  }
  return links;
}

/** What runs a declared tool: what the graph knows, else what stands around the declaration. */
function implementationsOf(index: LinkIndex, tool: GraphNode): { node: GraphNode; how: string; certain: boolean }[] {
  const edges = index.graph.out(tool.id, 'implements-tool');
  const known = edges.flatMap((edge) => {
    const node = index.graph.node(edge.to);
    if (node === undefined) return [];
    const { node: runner, how } = implementationOf(index, node) ?? { node, how: 'itself' };
    return [{ node: runner, how, certain: edge.certain !== false }];
  });
  if (known.length > 0) return known;
  const told = dispatchersOf(index, tool);
  const around = index.graph.enclosing(tool.file, tool.start);
  if (around === undefined || pathClassOf(tool.file) === 'test') return told;
  const found = implementationOf(index, around);
  // A function around a declaration lists tools; a class is the tool.
  return found === null || found.node.id === around.id ? told : [{ ...found, certain: true }];
}

/** A tool declared in a variable: functions that turn calls into something, and read the variable to tell its calls apart. */
function dispatchersOf(index: LinkIndex, tool: GraphNode) {
  const variable = index.graph
    .inFile(tool.file)
    .find((node) => node.kind === 'variable' && node.start <= tool.start && node.end >= tool.start);
  const readers = (variable ? index.graph.in(variable.id, 'reads') : []).flatMap((edge) => {
    const node = onlyRepeats(edge.file) ? undefined : index.graph.node(edge.from);
    const handles = /(respon|action|call|dispatch|execut|handle|convert|parse)/i;
    return node !== undefined && node.kind !== 'file' && handles.test(node.name) ? [node] : [];
  });
  return [...new Set(readers)].map((node) => ({ node, how: `tells calls of ${tool.name} apart`, certain: false }));
}
