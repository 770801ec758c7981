import type { GraphEdge, GraphNode, ProgramGraph } from '../../graph';
import { hopCost, isFunction, looksLikeHop, type Reach } from './reach';
import type { Sources } from './sources';
import { isDispatch } from './suspects';

/** What the lines of a loop lead to and do. */
export interface LoopBody {
  header: string;
  model?: Way;
  execution?: Way;
  /** Where the conversation grows: on the loop's own lines, or in a function they call. */
  appends?: { place: string; own: boolean };
  /** Model and execution are reached by different calls, here or in a function of the same class or file. */
  alternates: boolean;
  /** The body speaks of tool calls or actions. */
  readsCalls: boolean;
  returnsAnswer: boolean;
  /** It asks a person at a terminal. */
  readsTerminal: boolean;
}

export interface Way {
  cost: number;
  /** The call, with its place. */
  via: string;
  line: number;
}

interface BodyInput {
  graph: ProgramGraph;
  reach: Reach;
  sources: Sources;
}

const conversation =
  /\b(?:\w*messages|history|conversation|transcript|context|chat|thread|memory|trajectory|events|state\.\w+)\s*(?:\.\w+)?\s*\.\s*(?:append|extend|push|add\w*|insert|unshift|concat)\s*\(|\badd_?(?:to_?)?(?:messages?|history|step|observation|tool_?results?|user_message)\w*\s*\(|messages\s*=\s*\[\s*\.\.\.|\w*[mM]essages\s*=\s*append\s*\(/i;
const toolCalls = /\b(?:tool_?calls?|tool_?uses?|function_?calls?|actions?|tool_?results?)\b/i;
/** As far away as the dispatch is taken to be at most. */
const dispatchCost = 4;
const terminal = /\binput\s*\(\s*["'f)]|\bprompt\s*\(\s*["']|readline|\bconsole\.input\(|stdin\.read/;

export function readBody(node: GraphNode, range: { start: number; end: number }, input: BodyInput): LoopBody {
  const { graph, reach, sources } = input;
  const lines = sources.lines(node.file);
  const header = (lines[range.start - 1] ?? '').trim();
  const ways = waysOf(node, range, input);
  const callees = calleesIn(node, range, input);
  const near = nearCallees(callees, node, input);
  const model = ways.model;
  const text = sources.text(node.file, range.start, range.end);
  const own = appendLine(node, range, sources);
  const inner = own ?? callees.map((callee) => appendLine(callee, callee, sources)).find(Boolean);
  return {
    header,
    ...(model ? { model } : {}),
    ...(ways.execution ? { execution: ways.execution } : {}),
    ...(inner ? { appends: { place: inner, own: own !== undefined } } : {}),
    alternates: areApart(ways) || near.some((callee) => areApart(waysOf(callee, callee, { graph, reach, sources }))),
    readsCalls:
      toolCalls.test(text) ||
      near.some((callee) => toolCalls.test(sources.text(callee.file, callee.start, callee.end))),
    returnsAnswer: model !== undefined && /^\s*return\b/.test(lines[model.line - 1] ?? ''),
    readsTerminal: terminal.test(text),
  };
}

type Ways = { model?: Way; execution?: Way };

/** Different lines, and neither is merely the way to the other. */
function areApart({ model, execution }: Ways): boolean {
  return model !== undefined && execution !== undefined && model.line !== execution.line;
}

/** Cheapest ways from the lines of a range to both boundaries. */
function waysOf(node: GraphNode, range: { start: number; end: number }, { graph, reach }: BodyInput): Ways {
  const ways: Ways = {};
  let dispatch: Way | undefined;
  const take = (which: 'model' | 'execution', cost: number, line: number, file: string, text: string): void => {
    if (cost < (ways[which]?.cost ?? Number.POSITIVE_INFINITY))
      ways[which] = { cost, line, via: `${short(text)} (${file}:${line})` };
  };
  const inside = (item: { line: number }): boolean => item.line >= range.start && item.line <= range.end;
  for (const edge of reach.calls(node.id)) {
    if (!inside(edge)) continue;
    const text = edge.text ?? graph.node(edge.to)?.name ?? edge.to;
    const hop = hopCost(edge);
    const [toModel, toExecution] = [reach.model.get(edge.to), reach.execution.get(edge.to)];
    if (toModel !== undefined) take('model', toModel + hop, edge.line, edge.file, text);
    if (toExecution === undefined) continue;
    take('execution', toExecution + hop, edge.line, edge.file, text);
    if (isDispatch(text)) {
      const cost = Math.min(dispatchCost, toExecution + hop);
      if (!dispatch || cost < dispatch.cost)
        dispatch = { cost, line: edge.line, via: `${short(text)} (${edge.file}:${edge.line})` };
    }
  }
  for (const edge of reach.modelSites.get(node.id) ?? [])
    if (inside(edge)) take('model', 0, edge.line, edge.file, edge.text ?? edge.to);
  for (const edge of reach.executionSites.get(node.id) ?? [])
    if (inside(edge)) take('execution', 0, edge.line, edge.file, edge.text ?? edge.to);
  for (const call of reach.suspects.get(node.id) ?? []) {
    if (!inside(call)) continue;
    if (call.kind !== 'execution') take('model', looksLikeHop, call.line, call.file, call.text);
    if (call.kind !== 'model') take('execution', looksLikeHop, call.line, call.file, call.text);
  }
  // Hooks and clean-up may be nearer to a process than the tools are.
  if (dispatch && dispatch.line !== ways.model?.line) ways.execution = dispatch;
  return ways;
}

function calleesIn(node: GraphNode, range: { start: number; end: number }, { graph, reach }: BodyInput): GraphNode[] {
  return reach
    .calls(node.id)
    .filter((edge: GraphEdge) => edge.line >= range.start && edge.line <= range.end)
    .flatMap((edge) => graph.node(edge.to) ?? [])
    .filter(isFunction);
}

/** Functions of the same class or file that the loop runs through, up to three calls deep. */
function nearCallees(first: readonly GraphNode[], node: GraphNode, input: BodyInput): GraphNode[] {
  const found = first.filter((callee) => isNear(callee, node));
  let level = found;
  for (let depth = 1; depth < 3 && found.length < 16; depth++) {
    level = level
      .flatMap((callee) => calleesIn(callee, callee, input))
      .filter((callee) => callee !== node && isNear(callee, node) && !found.includes(callee));
    found.push(...new Set(level));
  }
  return found;
}

function isNear(callee: GraphNode, node: GraphNode): boolean {
  if (callee.file !== node.file || callee.end - callee.start >= 400) return false;
  const owner = node.qualname.slice(0, Math.max(0, node.qualname.lastIndexOf('.')));
  // A method runs through methods of its class; another class of the file is somebody else.
  return owner === '' || !callee.qualname.includes('.') || callee.qualname.startsWith(`${owner}.`);
}

function appendLine(node: GraphNode, range: { start: number; end: number }, sources: Sources): string | undefined {
  const lines = sources.lines(node.file);
  for (let line = range.start; line <= Math.min(range.end, lines.length); line++) {
    if (conversation.test(lines[line - 1] ?? '')) return `${node.file}:${line}`;
  }
  return undefined;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('`', "'").trim();
  return `\`${line.length > 60 ? `${line.slice(0, 60)}...` : line}\``;
}
