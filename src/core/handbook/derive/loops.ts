import type { GraphNode, ProgramGraph } from '../../graph';
import { isForeignFile, isInterfaceFile, isTestFile, wordsOf } from '../vocabulary';
import { hopCost, isFunction, looksLikeHop, type Reach } from './reach';
import type { Sources } from './sources';

/** Below this score both boundaries are so far away that the loop is some other one, such as the prompt of a terminal. */
export const leastScore = 8;

/** A function whose own loop reaches the model and carries out actions. */
export interface FoundLoop {
  node: GraphNode;
  start: number;
  end: number;
  /** Larger is likelier. */
  score: number;
  reasons: string[];
  /** True when the function calls itself again instead of looping. */
  recursive: boolean;
}

const conversation =
  /\b(?:\w*messages|history|conversation|transcript|context|chat|thread|memory|trajectory|events|state\.\w+)\s*(?:\.\w+)?\s*\.\s*(?:append|extend|push|add\w*|insert|unshift|concat)\s*\(|\badd_?(?:to_?)?(?:messages?|history|step|observation|tool_?results?|user_message)\w*\s*\(|messages\s*=\s*\[\s*\.\.\./i;

/**
 * Agent loops, likeliest first. A loop counts when calls on its lines lead to a model and to an execution boundary; order
 * by what it appends to, how few hops both are away, and how far it is from an entry point. Where no loop qualifies,
 * functions that reach both and come back to themselves are taken.
 */
export function findLoops(
  graph: ProgramGraph,
  reach: Reach,
  sources: Sources,
  entryDistance: ReadonlyMap<string, number>,
): FoundLoop[] {
  const functions = graph.functions().filter((node) => !isTestFile(node.file) && !isForeignFile(node.file));
  const found: FoundLoop[] = [];
  for (const node of functions) {
    if (!reach.model.has(node.id) || !reach.execution.has(node.id)) continue;
    for (const range of outermost(node.loops ?? [])) {
      const loop = scored(node, range, graph, reach, sources, entryDistance);
      if (loop) found.push(loop);
    }
  }
  if (found.length === 0) {
    for (const node of functions) {
      if (!reach.model.has(node.id) || !reach.execution.has(node.id) || !returnsToItself(node.id, reach)) continue;
      const loop = scored(node, node, graph, reach, sources, entryDistance);
      if (loop)
        found.push({
          ...loop,
          recursive: true,
          reasons: [...loop.reasons, 'it calls itself again instead of looping'],
        });
    }
  }
  found.sort((a, b) => b.score - a.score || (a.node.id < b.node.id ? -1 : 1));
  const seen = new Set<string>();
  return found.filter((loop) => !seen.has(loop.node.id) && seen.add(loop.node.id));
}

function outermost(loops: readonly { start: number; end: number }[]): { start: number; end: number }[] {
  return loops.filter(
    (loop) =>
      !loops.some(
        (other) =>
          other !== loop &&
          other.start <= loop.start &&
          loop.end <= other.end &&
          (other.start < loop.start || other.end > loop.end),
      ),
  );
}

function scored(
  node: GraphNode,
  range: { start: number; end: number },
  graph: ProgramGraph,
  reach: Reach,
  sources: Sources,
  entryDistance: ReadonlyMap<string, number>,
): FoundLoop | undefined {
  const inRange = (line: number): boolean => line >= range.start && line <= range.end;
  let model = Number.POSITIVE_INFINITY;
  let execution = Number.POSITIVE_INFINITY;
  let modelVia = '';
  let executionVia = '';
  const callees: GraphNode[] = [];
  for (const edge of reach.calls(node.id)) {
    if (!inRange(edge.line)) continue;
    const callee = graph.node(edge.to);
    if (isFunction(callee)) callees.push(callee);
    const toModel = (reach.model.get(edge.to) ?? Number.POSITIVE_INFINITY) + hopCost(edge);
    const toExecution = (reach.execution.get(edge.to) ?? Number.POSITIVE_INFINITY) + hopCost(edge);
    if (toModel < model) [model, modelVia] = [toModel, `\`${edge.text ?? callee?.name}\` (${edge.file}:${edge.line})`];
    if (toExecution < execution)
      [execution, executionVia] = [toExecution, `\`${edge.text ?? callee?.name}\` (${edge.file}:${edge.line})`];
  }
  for (const edge of reach.modelSites.get(node.id) ?? []) {
    if (inRange(edge.line)) [model, modelVia] = [0, `\`${edge.text ?? edge.to}\` (${edge.file}:${edge.line})`];
  }
  for (const edge of reach.executionSites.get(node.id) ?? []) {
    if (inRange(edge.line)) [execution, executionVia] = [0, `\`${edge.text ?? edge.to}\` (${edge.file}:${edge.line})`];
  }
  for (const call of reach.suspects.get(node.id) ?? []) {
    if (!inRange(call.line)) continue;
    const via = `\`${call.text}\` (${call.file}:${call.line})`;
    if (call.kind === 'model' && model > looksLikeHop) [model, modelVia] = [looksLikeHop, via];
    if (call.kind === 'execution' && execution > looksLikeHop) [execution, executionVia] = [looksLikeHop, via];
  }
  if (!Number.isFinite(model) || !Number.isFinite(execution)) return undefined;

  const reasons = [
    `the loop reaches the model through ${short(modelVia)}`,
    `and carries out actions through ${short(executionVia)}`,
  ];
  let score = 20 - 1.2 * (model + execution);
  const header = (sources.lines(node.file)[range.start - 1] ?? '').trim();
  const appends =
    appendLine(node, range, sources) ?? callees.map((callee) => appendLine(callee, callee, sources)).find(Boolean);
  if (appends) {
    score += 4;
    reasons.push(`it appends to the conversation (${appends})`);
  }
  if (/^(?:async\s+)?(?:while|do\b|for\s*\(\s*;|for\s+\w+\s+in\s+(?:range|count|itertools))/.test(header)) score += 2;
  // A loop over tasks or instances runs many agents; a loop over attempts repeats one call.
  if (
    /\b(?:instances?|tasks?|files|examples|dataset|attempts?|retry|retries|problems?|futures|workers)\b/i.test(header)
  )
    score -= 4;
  // A loop that returns what the turn gave back only repeats it after an error.
  if (/^(?:return)\b/.test(lineOf(modelVia, sources)) && !appendLine(node, range, sources)) score -= 8;
  const words = [...wordsOf(node.name), ...wordsOf(node.qualname)];
  if (words.some((word) => ['loop', 'turn', 'turns', 'step'].includes(word))) score += 2;
  if (words.some((word) => ['run', 'agent', 'react', 'solve', 'process', 'submit'].includes(word))) score += 1;
  if (
    words.some((word) =>
      ['retry', 'compact', 'summarize', 'main', 'batch', 'benchmark', 'interactive', 'mode'].includes(word),
    )
  )
    score -= 2;
  if (isInterfaceFile(node.file) || /(^|\/)(examples?|benchmarks?|scripts?|demos?|modes|extra)\//.test(node.file))
    score -= 4;
  const distance = entryDistance.get(node.id);
  score -= distance === undefined ? 2 : Math.min(2, 0.2 * distance);
  return { node, start: range.start, end: range.end, score, reasons, recursive: false };
}

function appendLine(node: GraphNode, range: { start: number; end: number }, sources: Sources): string | undefined {
  const lines = sources.lines(node.file);
  for (let line = range.start; line <= Math.min(range.end, lines.length); line++) {
    if (conversation.test(lines[line - 1] ?? '')) return `${node.file}:${line}`;
  }
  return undefined;
}

/** Source line that a "`text` (file:line)" points at, trimmed. */
function lineOf(via: string, sources: Sources): string {
  const found = /\(([^()]+):(\d+)\)$/.exec(via);
  return (sources.lines(found?.[1] ?? '')[Number(found?.[2] ?? 0) - 1] ?? '').trim();
}

function short(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/`([^`]{60})[^`]*`/, '`$1...`');
}

/** Whether a function leads back to itself within four calls. */
function returnsToItself(id: string, reach: Reach): boolean {
  let frontier = [id];
  const seen = new Set<string>();
  for (let depth = 0; depth < 4; depth++) {
    const next: string[] = [];
    for (const from of frontier) {
      for (const edge of reach.calls(from)) {
        if (edge.kind === 'contains' || edge.certain === false) continue;
        if (edge.to === id) return true;
        if (!seen.has(edge.to)) {
          seen.add(edge.to);
          next.push(edge.to);
        }
      }
    }
    frontier = next;
  }
  return false;
}
