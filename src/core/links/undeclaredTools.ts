import type { GraphNode } from '../graph';
import type { LinkContext } from './context';
import { classOf, implementationOf, methodsOf } from './implementations';
import type { LinkIndex } from './linkIndex';
import type { Link } from './model';
import { onlyRepeats, pathClassOf } from './pathClass';
import type { Place } from './places';

const PREFIXES = ['execute', 'run', 'handle', 'do', 'tool', 'call'];
const EXECUTORS = /(Executor|Runtime|Toolkit|Environment|Env|Tools|Session|Sandbox)$/;

/**
 * Code in which the name of the tool stands as a string: it records calls, tells them apart, or names the tool for others.
 * Of a constant, the code that reads it counts. Methods that run commands and that the code calls follow.
 */
export function namingCode(index: LinkIndex, step: number, name: string, context: LinkContext, factor: number): Link[] {
  const all = index.named(name);
  const own = all.filter((place) => context.componentFiles?.has(place.file));
  const places = (own.length > 0 ? own : all).filter((place) => !onlyRepeats(place.file));
  const also = places.length > 1 ? `, one of ${places.length} places` : '';
  const links: Link[] = [];
  const link = (place: Place, confidence: number, reason: string) =>
    links.push(index.places.link(step, 'tool', place, confidence * factor, reason));
  for (const place of places.slice(0, 2)) {
    const readers = readersOfConstant(index, place);
    for (const { node, how } of readers.slice(0, 2))
      link(index.places.ofNode(node), 0.8 / readers.length, `runs the tool ${name} that the step calls (${how})`);
    const share = 1 / Math.min(2, places.length);
    link(
      place,
      (readers.length > 0 ? 0.45 : 0.6) * share,
      `the tool name ${name} stands as a string in this code${also}`,
    );
    for (const runner of commandRunners(index, place).slice(0, 1))
      link(
        index.places.ofNode(runner),
        (/(shell|bash|command|exec|run)/i.test(name) ? 0.64 : 0.4) * share,
        `runs commands for the code in which ${name} stands as a string`,
      );
  }
  return links;
}

/** What runs a tool that is declared elsewhere and takes its name from a constant. */
export function constantReaders(
  index: LinkIndex,
  step: number,
  name: string,
  context: LinkContext,
  factor: number,
): Link[] {
  return namingCode(index, step, name, context, factor).filter((link) => link.reason.startsWith('runs the tool'));
}

/** `NAME = 'x'`: the tools that take their name from the constant. */
function readersOfConstant(index: LinkIndex, place: Place): { node: GraphNode; how: string }[] {
  const constants = index.graph
    .inFile(place.file)
    .filter((node) => node.kind === 'variable' && node.start <= place.start && node.end >= place.end);
  const found = new Map<string, { node: GraphNode; how: string }>();
  for (const constant of constants) {
    for (const edge of index.graph.in(constant.id, 'reads')) {
      if (onlyRepeats(edge.file)) continue;
      const reader = index.graph.node(edge.from);
      const owner = reader?.kind === 'class' ? reader : reader && classOf(index, reader);
      const runner = owner === undefined ? null : implementationOf(index, owner);
      // A class that only mentions the tool has the name of another.
      if (runner !== null && owner !== undefined && isNamedAfter(owner.name, constant.name))
        found.set(runner.node.id, {
          node: runner.node,
          how: `${owner.name} takes its name from ${constant.name}; ${runner.how}`,
        });
    }
  }
  return [...found.values()];
}

function isNamedAfter(owner: string, constant: string): boolean {
  const words = (text: string) =>
    text
      .replace(/([a-z\d])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split('_');
  const meaning = words(constant).filter((word) => !['tool', 'name', 'id'].includes(word));
  const has = new Set(words(owner));
  return meaning.length > 0 && meaning.some((word) => has.has(word));
}

/** Methods of the same class that the code at a place calls, and whose names say that they carry commands out. */
function commandRunners(index: LinkIndex, place: Place): GraphNode[] {
  const around = index.graph.enclosing(place.file, place.start);
  if (around === undefined) return [];
  return index.graph.out(around.id, 'calls').flatMap((edge) => {
    const node = index.graph.node(edge.to);
    const carries = /(execute|run|perform|dispatch|invoke)\w*(command|action|tool|call|keystroke)/i;
    return node !== undefined && node.file === place.file && carries.test(node.name) ? [node] : [];
  });
}

/** A shell without a declaration: what runs commands in the environment the trace names, else the handbook's units. */
export function shellRunners(
  index: LinkIndex,
  step: number,
  name: string,
  context: LinkContext,
  factor: number,
): Link[] {
  for (const component of context.components ?? []) {
    const nodes = index.definitionsNamed(component.split('.').at(-1) ?? '').filter((node) => node.kind === 'class');
    const runners = nodes.flatMap((node) => implementationOf(index, node)?.node ?? []);
    if (runners.length === 0 || !runners.some((node) => reachesProcess(index, node))) continue;
    const confidence = (runners.length === 1 ? 0.82 : 0.5) * factor;
    const reason = `runs commands in the ${component} that the trace names; ${name} is a shell`;
    return runners.map((node) => index.places.link(step, 'tool', index.places.ofNode(node), confidence, reason));
  }
  for (const kind of ['tool_shell', 'exec_boundary']) {
    const units = index.places
      .ofKind(kind)
      .filter((unit) => !['test', 'document'].includes(pathClassOf(unit.sites[0]?.file ?? '')));
    const [site] = units[0]?.sites ?? [];
    if (site === undefined) continue;
    const also = units.length > 1 ? `, one of ${units.length}` : '';
    const reason = `${name} is a shell; this unit runs commands${also}`;
    return [index.places.link(step, 'tool', site, (0.6 / units.length) * factor, reason)];
  }
  return [];
}

function reachesProcess(index: LinkIndex, node: GraphNode, depth = 2): boolean {
  return index.graph.out(node.id, 'calls').some((edge) => {
    const called = index.graph.node(edge.to);
    return (
      called?.boundary === 'process' || (depth > 1 && called !== undefined && reachesProcess(index, called, depth - 1))
    );
  });
}

/** Definitions with the name of the tool, which may be something else; what holds other tools of the run is likelier. */
export function namedDefinitions(
  index: LinkIndex,
  step: number,
  name: string,
  context: LinkContext,
  factor: number,
): Link[] {
  const plain = name.split(/__|[./:]/).at(-1) ?? name;
  const names = [plain, `${plain}_tool`, ...PREFIXES.map((prefix) => `${prefix}_${plain}`)];
  const nodes = [...new Set(names.flatMap((one) => index.definitionsNamed(one)))].filter(
    (node) => pathClassOf(node.file) === 'source',
  );
  const ranked = nodes
    .map((node) => ({ node, rank: rankOf(index, node, plain, context) }))
    .sort((left, right) => right.rank - left.rank);
  const top = ranked[0]?.rank ?? 0;
  // Short names are those of many functions; only what speaks for one of them makes it the tool.
  if (top < (plain.length < 4 || nodes.length > 4 ? 2 : 0)) return [];
  const likely = ranked.filter(({ rank }) => rank >= top - 0.5 && rank >= 0.5 * top).slice(0, 3);
  return likely.map(({ node }) => {
    const also = likely.length > 1 ? `, one of ${likely.length}` : '';
    const reason = `has the name of the tool ${name}; no declaration of the tool was found${also}`;
    const place = index.places.ofNode(implementationOf(index, node)?.node ?? node);
    const base = top >= 2 ? 0.7 : 0.5;
    return index.places.link(step, 'tool', place, (base / likely.length + 0.05) * factor, reason);
  });
}

function rankOf(index: LinkIndex, node: GraphNode, plain: string, context: LinkContext): number {
  const owner = node.kind === 'class' ? node : classOf(index, node);
  let rank = 0;
  if (node.decorators?.some((one) => /tool|command|function|register/i.test(one))) rank += 3;
  if (/\w*(Action|Call|Args)\b/.test(node.signature ?? '')) rank += 2;
  if (owner !== undefined && EXECUTORS.test(owner.name)) rank += 1.5;
  if (/(^|\/)(bin|commands|tools?|actions?)\//.test(node.file)) rank += 2;
  if (node.end - node.start < 2) rank -= 2;
  if (owner !== undefined && owner.id !== node.id) {
    const others = methodsOf(index, owner).filter((one) => one.name !== plain && context.toolNames?.has(one.name));
    rank += Math.min(3, 1.5 * others.length);
  }
  return rank;
}
