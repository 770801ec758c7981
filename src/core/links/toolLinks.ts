import type { GraphNode } from '../graph';
import type { LinkContext } from './context';
import type { LinkIndex } from './linkIndex';
import type { Link } from './model';
import { classWeight, pathClassOf } from './pathClass';

const SHELL = /^(bash|shell|sh|exec|execute|run|run_command|execute_command|bash_command|terminal|command)$/i;
const RUNNERS = ['execute', 'run', 'exec', '_execute', '_run', '__call__', 'invoke', 'call', 'forward', 'handle'];
const PREFIXES = ['execute', 'run', 'handle', 'do', 'tool', 'call'];

/** Links from the name of a called tool to the code that runs it, and to its declaration. `factor` lowers weak uses. */
export function toolLinks(index: LinkIndex, step: number, name: string, context: LinkContext, factor = 1): Link[] {
  const declared = declaredTool(index, step, name, factor);
  if (declared.some((link) => link.reason.startsWith('runs'))) return declared;
  if (SHELL.test(name)) {
    const runners = shellRunners(index, step, name, context, factor);
    if (runners.length > 0)
      return [...runners, ...declared.map((link) => ({ ...link, confidence: link.confidence * 0.7 }))];
  }
  if (declared.length > 0) return declared;
  return [...byText(index, step, name, factor), ...byName(index, step, name, factor)];
}

/** No declaration: code in which the name of the tool stands as a string, as where calls are recorded or told apart. */
function byText(index: LinkIndex, step: number, name: string, factor: number): Link[] {
  const places = index.named(name);
  const also = places.length > 1 ? `, one of ${places.length} places` : '';
  return places
    .slice(0, 2)
    .map((place) =>
      index.places.link(
        step,
        'tool',
        place,
        (0.6 / Math.min(2, places.length)) * factor,
        `the tool name ${name} stands as a string in this code${also}`,
      ),
    );
}

function declaredTool(index: LinkIndex, step: number, name: string, factor: number): Link[] {
  const links: Link[] = [];
  const tools = index.toolsNamed(name);
  for (const tool of tools) {
    const edges = index.graph.out(tool.id, 'implements-tool');
    for (const edge of edges.slice(0, 3)) {
      const found = index.graph.node(edge.to);
      if (found === undefined) continue;
      const node = runnerOf(index, found);
      const certain = edge.certain !== false && edges.length === 1 && tools.length === 1;
      const others = edges.length > 1 ? `; one of ${edges.length} candidates` : '';
      links.push(
        index.places.link(
          step,
          'tool',
          index.places.ofNode(node),
          (certain ? 0.88 : 0.6) * classWeight(node.file) * factor,
          `runs the tool ${tool.name} that the step calls${others}`,
        ),
      );
    }
    const confidence = (links.length === 0 ? 0.7 : 0.5) * classWeight(tool.file) * factor;
    links.push(
      index.places.link(
        step,
        'tool',
        index.places.ofNode(tool),
        confidence,
        `declares the tool ${tool.name} that the step calls`,
      ),
    );
  }
  return links;
}

/** The method that does the work of a class, or the definition itself. */
function runnerOf(index: LinkIndex, node: GraphNode): GraphNode {
  if (node.kind !== 'class') return node;
  for (const name of RUNNERS) {
    const method = index.graph.inFile(node.file).find((one) => one.qualname === `${node.qualname}.${name}`);
    if (method !== undefined) return method;
  }
  return node;
}

/** A shell without a declaration: what runs commands in the environment the trace names, else the handbook's units. */
function shellRunners(index: LinkIndex, step: number, name: string, context: LinkContext, factor: number): Link[] {
  for (const component of context.components ?? []) {
    const nodes = index.definitionsNamed(component.split('.').at(-1) ?? '').filter((node) => node.kind === 'class');
    const runners = nodes.map((node) => runnerOf(index, node)).filter((node) => node.kind !== 'class');
    if (runners.length === 0 || !runners.some((node) => reachesProcess(index, node))) continue;
    return runners.map((node) =>
      index.places.link(
        step,
        'tool',
        index.places.ofNode(node),
        (runners.length === 1 ? 0.82 : 0.5) * factor,
        `runs commands in the ${component} that the trace names; ${name} is a shell`,
      ),
    );
  }
  for (const kind of ['tool_shell', 'exec_boundary']) {
    const units = index.places
      .ofKind(kind)
      .filter((unit) => !['test', 'document'].includes(pathClassOf(unit.sites[0]?.file ?? '')));
    if (units.length === 0) continue;
    return units.slice(0, 3).flatMap((unit) => {
      const site = unit.sites[0];
      if (site === undefined) return [];
      const reason = `${name} is a shell; this unit runs commands${units.length > 1 ? `, one of ${units.length}` : ''}`;
      return [index.places.link(step, 'tool', site, (units.length === 1 ? 0.6 : 0.42) * factor, reason)];
    });
  }
  return [];
}

function reachesProcess(index: LinkIndex, node: GraphNode): boolean {
  return index.graph.out(node.id, 'calls').some((edge) => index.graph.node(edge.to)?.boundary === 'process');
}

/** No declaration: a definition with the name of the tool, which may be something else. */
function byName(index: LinkIndex, step: number, name: string, factor: number): Link[] {
  const plain = name.split(/__|[./:]/).at(-1) ?? name;
  if (plain.length < 4) return [];
  const names = [plain, `${plain}_tool`, ...PREFIXES.map((prefix) => `${prefix}_${plain}`)];
  const nodes = names
    .flatMap((one) => index.definitionsNamed(one))
    .filter((node) => pathClassOf(node.file) === 'source');
  if (nodes.length === 0 || nodes.length > 4) return [];
  return nodes.map((node) => {
    const also = nodes.length > 1 ? `, one of ${nodes.length}` : '';
    const reason = `has the name of the tool ${name}; no declaration of the tool was found${also}`;
    return index.places.link(
      step,
      'tool',
      index.places.ofNode(runnerOf(index, node)),
      (0.5 / nodes.length + 0.05) * factor,
      reason,
    );
  });
}
