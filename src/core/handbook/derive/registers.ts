import type { GraphEdge, GraphNode, ProgramGraph } from '../../graph';
import type { Register, RegisterSite } from '../model';
import { isTestFile } from '../vocabulary';
import { fileRegisters } from './fileRegisters';
import type { FoundLoop } from './loops';
import { objectRegisters } from './objectRegisters';
import { type Reach, reachedFrom } from './reach';
import type { Relevance } from './relevance';
import type { Scope } from './scope';
import type { Sources } from './sources';
import type { Step } from './steps';

const maximumRegisters = 60;
/** Relevance of a file from which its state is looked at although no call leads there from the loop. */
const nearFile = 1.6;
const fileWeight = 14;
const localWeight = 30;
const objectWeight = 22;
const stateWord =
  /messages|history|queue|pending|attempt|retry|count|n_|cost|usage|stats|tokens|mode|state|trajectory|active|cancel|abort|turn|step|index|info|last|current|consecutive|total/i;

export interface RegisterInput {
  loops: readonly FoundLoop[];
  steps: readonly Step[];
  graph: ProgramGraph;
  reach: Reach;
  sources: Sources;
  relevance: Relevance;
  scope: Scope;
}

const constantValue =
  /(?:^|[^=!<>])=\s*(?:0(?:\.0)?|-1|None|null|undefined|False|True|false|true|""|''|\[\]|\{\}|new (?:Map|Set)\(\)|set\(\)|dict\(\)|list\(\)|\w*\.?time\(\))\s*;?\s*(?:[#/].*)?$/;

/**
 * State that crosses iterations or stages: attributes of the class that holds the loop and of classes near it, module
 * variables that functions write, files that are written and read back, and locals of the loop function that the loop
 * writes and reads.
 */
export function findRegisters(input: RegisterInput): Register[] {
  const { loops, graph, reach, sources, relevance, scope } = input;
  const reached = reachedFrom(
    loops.slice(0, 1).map((loop) => loop.node.id),
    reach,
  );
  const near = (id: string): boolean => reached.has(id) || relevance.ofFile(graph.node(id)?.file ?? '') >= nearFile;
  const weighed: { register: Register; weight: number }[] = [];
  for (const node of graph.data.nodes) {
    if ((node.kind !== 'attribute' && node.kind !== 'variable') || !scope.isInside(node.file)) continue;
    if (/^_*$/.test(node.name)) continue;
    const register = fromGraph(node, graph, near, sources);
    if (register) weighed.push({ register, weight: weightOf(node, register, input) });
  }
  for (const register of fileRegisters(graph, sources, near)) weighed.push({ register, weight: fileWeight });
  const first = loops[0];
  if (first && first.shape !== 'self' && first.shape !== 'events')
    for (const register of localRegisters(first, sources)) weighed.push({ register, weight: localWeight });
  if (first)
    for (const register of objectRegisters(first, graph, sources)) weighed.push({ register, weight: objectWeight });
  return weighed
    .sort((x, y) => y.weight - x.weight || (x.register.id < y.register.id ? -1 : 1))
    .slice(0, maximumRegisters)
    .map((item) => item.register);
}

/** State of an object that writes itself weighs more than fields of a record that others fill in. */
function weightOf(node: GraphNode, register: Register, { graph, loops, steps, relevance }: RegisterInput): number {
  const owner = ownerOf(node);
  const writes = graph.in(node.id, 'writes').filter((edge) => !isInitializer(graph.node(edge.from), node));
  const own = writes.filter((edge) => edge.from.startsWith(`${node.file}#${owner}.`)).length;
  const touched = new Set(steps.filter((step) => step.phase === 'loop').map((step) => step.node.id));
  const inSteps = register.sites.filter(({ site }) => touched.has(`${site.file}#${site.symbol}`)).length;
  const loop = loops[0]?.node;
  const isLoopClass = loop?.file === node.file && owner !== '' && loop.qualname.startsWith(`${owner}.`);
  const isOnPath = [...relevance.onPath].some((id) => id.startsWith(`${node.file}#${owner}.`));
  return (
    3 * relevance.ofFile(node.file) +
    (node.kind === 'variable' ? 3 : writes.length === 0 ? 0 : (6 * own) / writes.length) +
    (isLoopClass ? 8 : isOnPath ? 5 : 0) +
    Math.min(6, 1.5 * inSteps) +
    (stateWord.test(node.name) ? 2 : 0)
  );
}

function ownerOf(node: GraphNode): string {
  return node.qualname.slice(0, Math.max(0, node.qualname.lastIndexOf('.')));
}

function fromGraph(
  node: GraphNode,
  graph: ProgramGraph,
  near: (id: string) => boolean,
  sources: Sources,
): Register | undefined {
  const writes = graph.in(node.id, 'writes');
  const reads = graph.in(node.id, 'reads');
  const later = writes.filter((edge) => !isInitializer(graph.node(edge.from), node));
  // Written in the loop and read there, or written outside and read in it: it crosses a border of iterations or stages.
  if (!later.some((edge) => near(edge.from)) || !reads.some((edge) => near(edge.from))) return undefined;
  const sites: RegisterSite[] = [];
  const add = (access: RegisterSite['access'], edge: GraphEdge): void => {
    if (isTestFile(edge.file)) return;
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
  const owner = ownerOf(node);
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
    /^\s*(?:(?:let|var|const)\s+)?(?:mut\s+)?([A-Za-z_$][\w$]*)(?:\s*,\s*[A-Za-z_$][\w$]*)*\s*(?::\s*[^=]+?)?\s*(?:[-+*/|&:]|\|\||\?\?)?=(?![=>])/;
  const declaration = /^\s*var\s+([A-Za-z_]\w*)\s+[\w.*[\]]+\s*$/;
  const change =
    /^\s*(?:await\s+)?([A-Za-z_$][\w$]*)(?:\.(?:append|extend|push|add|set|insert|update|unshift|splice|pop|shift|clear)\s*\(|\+\+|--|\[[^\]]+\]\s*=(?!=))/;
  for (let line = node.start + 1; line < loop.start; line++) {
    const text = lines[line - 1] ?? '';
    const name = assignment.exec(text)?.[1] ?? declaration.exec(text)?.[1];
    if (name && !/^_*$/.test(name) && !names.has(name))
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
  // What callbacks of a library's loop capture is read when the library is done.
  const isLibrary = loop.shape === 'library';
  const last = isLibrary ? node.end : loop.end;
  for (const [name, sites] of names) {
    const written = sites.length;
    const use = new RegExp(`(?<![\\w$.'"])${name.replace(/\$/g, '\\$')}(?![\\w$'"]|\\s*=[^=>])`);
    let reads = 0;
    for (let line = loop.start; line <= last; line++) {
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
      registers.push({
        id: `register:${node.id}.${name}`,
        name,
        owner: node.qualname,
        scope: isLibrary ? 'closure' : 'local',
        sites,
      });
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
