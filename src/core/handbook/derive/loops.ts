import type { GraphNode, ProgramGraph } from '../../graph';
import { wordsOf } from '../vocabulary';
import { type LoopBody, readBody } from './loopBody';
import { isFunction, type Reach } from './reach';
import type { Scope } from './scope';
import type { Sources } from './sources';
import { statementsOf } from './statements';

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
  /** `self`: calls itself again instead of looping; `library`: a library loops and calls back; `events`: events step it. */
  shape: 'loop' | 'self' | 'library' | 'events';
}

export interface LoopInput {
  graph: ProgramGraph;
  reach: Reach;
  sources: Sources;
  scope: Scope;
  entryDistance: ReadonlyMap<string, number>;
}

/** Options by which a library takes the body of its loop. */
const callbackKey =
  /^\s*["']?(?:prepare_?step|on_?(?:tool\w*|step\w*|text\w*|chunk|finish|retry|message|reasoning\w*)|stop_?when|max_?(?:steps|turns|iterations)|callbacks|hooks|canUseTool)["']?\s*[:=(]/gim;
const leastCallbacks = 2;
const roleLoss = { harness: 0, aside: 4, example: 4, interface: 4, outside: 99 } as const;

/**
 * Agent loops, likeliest first. A loop counts when calls on its lines lead to a model and to an execution boundary; order
 * by what its body does with the conversation, by how few hops both are away, and how far it is from an entry point. A call
 * that hands a library the body of its loop counts as one, and a function that calls itself. Where nothing of this is
 * found, functions that come back to themselves through others and those that events step are taken.
 */
export function findLoops(input: LoopInput): FoundLoop[] {
  const { graph, reach, scope } = input;
  const functions = graph.functions().filter((node) => scope.isInside(node.file) && reach.model.has(node.id));
  const both = functions.filter((node) => reach.execution.has(node.id));
  const found: FoundLoop[] = [];
  for (const node of both) {
    for (const range of outermost(node.loops ?? [])) add(found, scored(node, range, 'loop', input));
    const again = callsItself(node, graph);
    if (again) add(found, scored(node, node, 'self', input), 'it calls itself again instead of looping', again);
  }
  for (const [id, calls] of [...reach.modelSites, ...reach.suspects]) {
    const node = graph.node(id);
    if (!isFunction(node) || !scope.isInside(node.file)) continue;
    for (const call of calls) add(found, libraryLoop(node, call.line, input));
  }
  for (const node of functions)
    if (isStepped(node, input)) add(found, scored(node, node, 'events', input), 'events make it run again', 0);
  if (!found.some((loop) => loop.score >= leastScore)) {
    for (const node of both)
      if (returnsToItself(node.id, reach))
        add(found, scored(node, node, 'self', input), 'it calls itself again through others instead of looping', -1);
  }
  found.sort((a, b) => b.score - a.score || (a.node.id < b.node.id ? -1 : 1));
  // A library's loop says more about a function than that it starts itself again for the next request.
  const libraries = new Set(found.filter((loop) => loop.shape === 'library').map((loop) => loop.node.id));
  const seen = new Set<string>();
  return found.filter((loop) => {
    if (seen.has(loop.node.id) || (loop.shape === 'self' && libraries.has(loop.node.id))) return false;
    return seen.add(loop.node.id);
  });
}

function add(found: FoundLoop[], loop: FoundLoop | undefined, reason?: string, bonus = 0): void {
  if (!loop) return;
  found.push({ ...loop, score: loop.score + bonus, reasons: reason ? [...loop.reasons, reason] : loop.reasons });
}

type Lines = { start: number; end: number };

function outermost(loops: readonly Lines[]): Lines[] {
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

/** Worth of a call of itself; a generator that yields all of its next run is a loop in all but syntax. */
function callsItself(node: GraphNode, graph: ProgramGraph): number | undefined {
  const calls = graph.out(node.id, 'calls').filter((edge) => edge.to === node.id && edge.certain !== false);
  if (calls.length === 0) return undefined;
  return calls.some((edge) => /yield/.test(edge.text ?? '')) ? -0.5 : -2;
}

function scored(node: GraphNode, range: Lines, shape: FoundLoop['shape'], input: LoopInput): FoundLoop | undefined {
  const body = readBody(node, range, input);
  if (!body.model || (!body.execution && shape !== 'events')) return undefined;
  const reasons = [`the loop reaches the model through ${body.model.via}`];
  if (body.execution) reasons.push(`and carries out actions through ${body.execution.via}`);
  const far = Math.min(8, body.model.cost) + Math.min(8, body.execution?.cost ?? 8);
  let score = 12 - 0.6 * far + bodyWorth(body, reasons);
  score += nameWorth(node) - roleLoss[input.scope.role(node.file)];
  const distance = input.entryDistance.get(node.id);
  score -= distance === undefined ? 2 : Math.min(2, 0.2 * distance);
  return { node, start: range.start, end: range.end, score, reasons, shape };
}

/** What the body says: an agent loop keeps a conversation, asks and acts by different calls, and ends by a condition. */
function bodyWorth(body: LoopBody, reasons: string[]): number {
  let worth = 0;
  if (body.appends) {
    worth += body.appends.own ? 4 : 3;
    reasons.push(`it appends to the conversation (${body.appends.place})`);
  }
  if (body.alternates) worth += 3;
  // Both behind one call far away: whatever loops here, it is not about the turns of an agent.
  else if (!body.appends?.own) worth -= (body.model?.cost ?? 0) > 4 ? 4 : 1;
  if (body.readsCalls) worth += 1.5;
  if (
    /^(?:async\s+)?(?:while|do\b|loop\b|for\s*\{|for\s*\(\s*;|for\s+\w+\s+in\s+(?:range|count|itertools))/.test(
      body.header,
    )
  )
    worth += 2;
  // A loop over tasks or instances runs many agents; a loop over attempts repeats one call.
  if (
    /\b(?:instances?|tasks?|files|examples|dataset|attempts?|retry|retries|problems?|futures|workers|samples)\b/i.test(
      body.header,
    )
  )
    worth -= 4;
  // A loop that returns what the turn gave back only repeats it after an error.
  if (body.returnsAnswer && !body.appends?.own) worth -= 8;
  if (body.readsTerminal) worth -= 4;
  return worth;
}

function nameWorth(node: GraphNode): number {
  const words = [...wordsOf(node.name), ...wordsOf(node.qualname)];
  let worth = 0;
  if (words.some((word) => ['loop', 'turn', 'turns', 'step'].includes(word))) worth += 2;
  if (words.some((word) => ['run', 'agent', 'react', 'solve', 'process', 'submit', 'execute', 'task'].includes(word)))
    worth += 1;
  const other = [
    'retry',
    'compact',
    'summarize',
    'main',
    'batch',
    'benchmark',
    'interactive',
    'mode',
    'generate',
    'title',
  ];
  if (words.some((word) => other.includes(word))) worth -= 2;
  // What calls itself old is not what runs when nobody chooses.
  if (wordsOf(`${node.file} ${node.qualname}`).some((word) => word === 'legacy' || word === 'deprecated')) worth -= 3;
  if (/(^|\/)(?:core|agents?|engine|runner|orchestrat\w*|controller)(?:[-_]\w+)*(?:\/|\.)/.test(node.file)) worth += 1;
  return worth;
}

/** A call that asks the model and takes callbacks for the steps: the loop is in the library, its body here. */
function libraryLoop(node: GraphNode, line: number, input: LoopInput): FoundLoop | undefined {
  const { sources, scope, entryDistance } = input;
  const lines = sources.lines(node.file);
  const end = endOfStatement(lines, line, node.end);
  const text = sources.text(node.file, line, end);
  const keys = [...new Set((text.match(callbackKey) ?? []).map((key) => key.replace(/[^A-Za-z_]/g, '')))];
  if (keys.length < leastCallbacks) return undefined;
  const place = `${node.file}:${line}`;
  const reasons = [
    `a library loops here and asks the model (${place})`,
    `it is handed the body of the loop: ${keys
      .slice(0, 4)
      .map((key) => `\`${key}\``)
      .join(', ')}`,
  ];
  const distance = entryDistance.get(node.id);
  const score =
    13 +
    Math.min(4, keys.length) +
    nameWorth(node) -
    roleLoss[scope.role(node.file)] -
    Math.min(2, 0.2 * (distance ?? 10));
  return { node, start: line, end, score, reasons, shape: 'library' };
}

function endOfStatement(lines: readonly string[], line: number, last: number): number {
  return statementsOf(lines, line, last)[0]?.end ?? line;
}

/** A method that makes one turn and is called from handlers of events. */
function isStepped(node: GraphNode, { graph, reach, sources }: LoopInput): boolean {
  if (!/^_?(?:step|turn|next|process_?turn|do_?step|run_?step|take_?turn|handle_?turn)$/i.test(node.name)) return false;
  if ((reach.model.get(node.id) ?? 99) > 6) return false;
  const text = sources.text(node.file, node.start, node.end);
  if (/\b(?:add_?event|emit_?event|publish|post_?event)\w*\s*\(/i.test(text)) return true;
  return graph
    .in(node.id, 'calls')
    .some((edge) => /\b_?(?:on|handle)_?\w*event/i.test(graph.node(edge.from)?.name ?? ''));
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
