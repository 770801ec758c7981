import type { GraphEdge, GraphNode, ProgramGraph } from '../../graph';
import type { Register, RegisterSite } from '../model';
import { isTestFile } from '../vocabulary';
import type { FoundLoop } from './loops';
import type { Reach } from './reach';
import type { Sources } from './sources';
import type { Step } from './steps';

const maximumRegisters = 60;
const constantValue =
  /(?:^|[^=!<>])=\s*(?:0(?:\.0)?|-1|None|null|undefined|False|True|false|true|""|''|\[\]|\{\}|new (?:Map|Set)\(\)|set\(\)|dict\(\)|list\(\)|\w*\.?time\(\))\s*;?\s*(?:[#/].*)?$/;

/**
 * State that crosses iterations or stages: attributes of the class that holds the loop and of classes the loop reaches,
 * module variables that functions write, and locals of the loop function that the loop writes and reads.
 */
export function findRegisters(
  loops: readonly FoundLoop[],
  steps: readonly Step[],
  graph: ProgramGraph,
  reach: Reach,
  sources: Sources,
): Register[] {
  const reached = reachedFrom(loops.slice(0, 1), reach);
  const registers: Register[] = [];
  for (const node of graph.data.nodes) {
    if (node.kind !== 'attribute' && node.kind !== 'variable') continue;
    if (isTestFile(node.file)) continue;
    const register = fromGraph(node, graph, reached, sources);
    if (register) registers.push(register);
  }
  const first = loops[0];
  if (first && !first.recursive) registers.push(...localRegisters(first, sources));
  const touched = new Set(steps.filter((step) => step.phase === 'loop').map((step) => step.node.id));
  const weight = (register: Register): number =>
    register.sites.filter((site) => touched.has(`${site.site.file}#${site.site.symbol}`)).length * 100 +
    register.sites.length;
  return registers
    .map((register) => ({ register, weight: weight(register) }))
    .sort((a, b) => b.weight - a.weight || (a.register.id < b.register.id ? -1 : 1))
    .slice(0, maximumRegisters)
    .map((item) => item.register);
}

/** Functions the loops may run, with no limit on depth. */
export function reachedFrom(loops: readonly FoundLoop[], reach: Reach): Set<string> {
  const reached = new Set(loops.map((loop) => loop.node.id));
  const queue = [...reached];
  for (let at = 0; at < queue.length; at++) {
    for (const edge of reach.calls(queue[at] as string)) {
      if (reached.has(edge.to)) continue;
      reached.add(edge.to);
      queue.push(edge.to);
    }
  }
  return reached;
}

function fromGraph(
  node: GraphNode,
  graph: ProgramGraph,
  reached: ReadonlySet<string>,
  sources: Sources,
): Register | undefined {
  const writes = graph.in(node.id, 'writes');
  const reads = graph.in(node.id, 'reads');
  const later = writes.filter((edge) => !isInitializer(graph.node(edge.from), node));
  // Written in the loop and read there, or written outside and read in it: it crosses a border of iterations or stages.
  if (!later.some((edge) => reached.has(edge.from)) || !reads.some((edge) => reached.has(edge.from))) return undefined;
  const sites: RegisterSite[] = [];
  const add = (access: RegisterSite['access'], edge: GraphEdge): void => {
    const symbol = graph.node(edge.from)?.kind === 'file' ? '' : (graph.node(edge.from)?.qualname ?? '');
    const site = sources.site(edge.file, symbol, edge.line, edge.line);
    if (
      !sites.some(
        (other) => other.access === access && other.site.file === site.file && other.site.start === site.start,
      )
    ) {
      sites.push({ access, site });
    }
  };
  if (node.kind === 'variable') sites.push({ access: 'init', site: sources.nodeSite(node) });
  for (const edge of writes) {
    const line = sources.lines(edge.file)[edge.line - 1] ?? '';
    if (isInitializer(graph.node(edge.from), node)) add('init', edge);
    else add(constantValue.test(line) ? 'reset' : 'write', edge);
  }
  for (const edge of reads) add('read', edge);
  const owner = node.qualname.slice(0, Math.max(0, node.qualname.lastIndexOf('.')));
  return {
    id: `register:${node.id}`,
    name: node.name,
    owner: owner || node.file,
    scope: node.kind === 'attribute' ? 'attribute' : 'global',
    sites,
  };
}

function isInitializer(from: GraphNode | undefined, register: GraphNode): boolean {
  if (!from) return false;
  if (from.kind === 'class') return true;
  return from.kind === 'file'
    ? register.kind === 'variable'
    : /^(__init__|__post_init__|__new__|constructor|model_post_init)$/.test(from.name);
}

/** Locals set before the loop (or captured), written inside it and read inside it. */
function localRegisters(loop: FoundLoop, sources: Sources): Register[] {
  const { node } = loop;
  const lines = sources.lines(node.file);
  const names = new Map<string, RegisterSite[]>();
  const assignment =
    /^\s*(?:(?:let|var|const)\s+)?([A-Za-z_$][\w$]*)\s*(?::\s*[^=]+?)?\s*(?:[-+*/|&]|\|\||\?\?)?=(?![=>])/;
  const change =
    /^\s*(?:await\s+)?([A-Za-z_$][\w$]*)(?:\.(?:append|extend|push|add|set|insert|update|unshift|splice|pop|shift|clear)\s*\(|\+\+|--|\[[^\]]+\]\s*=(?!=))/;
  for (let line = node.start + 1; line < loop.start; line++) {
    const name = assignment.exec(lines[line - 1] ?? '')?.[1];
    if (name && !names.has(name))
      names.set(name, [{ access: 'init', site: sources.site(node.file, node.qualname, line, line) }]);
  }
  for (const name of parametersOf(node)) {
    if (!names.has(name))
      names.set(name, [{ access: 'init', site: sources.site(node.file, node.qualname, node.start, node.start) }]);
  }
  // Locals of an outer loop live across the rounds of the loops inside it.
  for (const range of node.loops ?? []) {
    if (range.start !== loop.start) continue;
    for (let line = loop.start + 1; line <= loop.end; line++) {
      const text = lines[line - 1] ?? '';
      const name = /^\s*(?:let|var)\s/.test(text) ? assignment.exec(text)?.[1] : undefined;
      if (name && !names.has(name))
        names.set(name, [{ access: 'init', site: sources.site(node.file, node.qualname, line, line) }]);
    }
  }
  const registers: Register[] = [];
  for (const [name, sites] of names) {
    const written = sites.length;
    const use = new RegExp(`(?<![\\w$.'"])${name.replace(/\$/g, '\\$')}(?![\\w$'"]|\\s*=[^=>])`);
    let reads = 0;
    for (let line = loop.start; line <= loop.end; line++) {
      const text = (lines[line - 1] ?? '').replace(/\s(?:#|\/\/).*$/, '');
      const isInit = sites.some((site) => site.access === 'init' && site.site.start === line);
      const site = sources.site(node.file, node.qualname, line, line);
      if (!isInit && assignment.exec(text)?.[1] === name)
        sites.push({ access: constantValue.test(text) ? 'reset' : 'write', site });
      else if (change.exec(text)?.[1] === name) sites.push({ access: 'write', site });
      else if (!isInit && use.test(text)) {
        sites.push({ access: 'read', site });
        reads++;
      }
    }
    if (sites.length - reads > written && reads > 0) {
      registers.push({ id: `register:${node.id}.${name}`, name, owner: node.qualname, scope: 'local', sites });
    }
  }
  return registers;
}

function parametersOf(node: GraphNode): string[] {
  const inside = /\((.*)\)/s.exec(node.signature ?? '')?.[1] ?? '';
  return inside
    .split(',')
    .map((part) => /^\s*(?:\.\.\.|\*{1,2})?([A-Za-z_$][\w$]*)/.exec(part)?.[1] ?? '')
    .filter((name) => name !== '' && name !== 'self' && name !== 'this' && name !== 'cls');
}
