import type { GraphNode, ProgramGraph } from '../../graph';
import { isForeignFile, isTestFile } from '../vocabulary';
import type { Sources } from './sources';

/** A call that looks like a boundary although nothing resolved it: a handler taken from a map, a client behind a property. */
export interface SuspectCall {
  /** `agent`: a library runs the whole loop, with the model and the actions in it. */
  kind: 'model' | 'execution' | 'agent';
  file: string;
  line: number;
  text: string;
}

const modelCall =
  /\b(?:\w*(?:llm|completion|completions|chat|stream|generate|model|predict)\w*)\s*\??\.?\(\s*[^)]*(?:model|messages?|context|prompt|history|conversation)/i;
const modelMethod =
  /\b(?:llm|model|client|provider|lm|chat_?model|completions?|messages)\s*\??\.\s*(?:query|complete|completion|create|chat|generate\w*|stream\w*|invoke|ainvoke|acompletion|call|predict)\s*\(/i;
const toolReceiver = '(?:\\w*tools?|handlers?|commands?|actions?|executors?|tool_?registry)';
const dispatchMethod = new RegExp(
  `\\b${toolReceiver}(?:\\[[^\\]]*\\]|\\.get\\([^)]*\\))?[!?]*\\.(?:execute\\w*|run\\w*|call|invoke|handler?|fn|func|__call__)\\s*\\(`,
  'i',
);
const dispatchIndexed = new RegExp(
  `\\b${toolReceiver}\\[[^\\]]*\\]\\s*\\(|\\b${toolReceiver}\\.get\\([^)]*\\)[!?]*\\s*\\(`,
  'i',
);
const environmentMethod =
  /\b(?:env|environment|sandbox|runtime|container|computer|shell|terminal|executor)\w*[!?]*\.(?:execute\w*|run\w*|exec\w*|communicate)\s*\(/i;
const dispatchName =
  /(?:^|[._])(?:execute|run|call|invoke|dispatch|handle)_?(?:tool|action|command|function)s?(?:_?calls?)?\s*\(/i;
const agentCall =
  /\b\w*[aA]gent\w*\s*\.\s*(?:run|arun|invoke|ainvoke|stream|astream|kickoff|Stream|Run|Generate|generate|solve)\s*\(|\.kickoff\s*\(|\b(?:streamText|generateText)\s*\(|\bquery\s*\(\s*\{\s*prompt/;
/** Calls that prepare or describe, whatever else their name says: `convertToLlm(messages)`, `getModel(context)`. */
const preparation =
  /^(?:convert|format|build|validate|count|estimate|resolve|find|get|set|is|has|register|unregister|filter|select|parse|update|log|create(?:Model|Context|Message)|on[A-Z]|add|remove|load|save|render|show|to[A-Z])/;
/** Cheap test that a line may hold such a call at all. */
const worthALook =
  /\.\s*(?:execute|run|call|invoke|handle|fn|func|exec|communicate|query|complet|create|chat|generate|stream|predict)\w*\s*\(|\]\s*\(|\)\s*\(/;

/** Whether a call hands an action to an object that stands for a place to run it. */
export function isEnvironmentCall(text: string): boolean {
  return environmentMethod.test(text);
}

/** A call that is handed the calls of the answer: whatever it is named, it carries them out. */
const takesCalls =
  /\b(?:schedule|execute|run|dispatch|handle|process|perform|invoke|submit)\w*\s*\((?:[^()]|\([^()]*\))*\b\w*(?:tool|function)_?(?:calls?|uses?|call_?requests?)\b/i;

/** Whether a call hands on the actions of the answer, by its name or by what it is given. */
export function isDispatch(text: string): boolean {
  return takesCalls.test(text) || looksLike(text) === 'execution';
}

/** A request to a model by its method and what it is given. */
const request =
  /\.\s*(?:generate|complete|completion|stream|chat|invoke|query)\w*\s*\([^)]*\b(?:model|messages|contents|prompt|conversation)\b/i;

/** Whether a call looks like a request to a model although its implementations, as far as they are here, send none. */
export function isRequest(text: string): boolean {
  return request.test(text);
}

/** What a call looks like by its text alone. */
export function looksLike(text: string): 'model' | 'execution' | undefined {
  if (preparation.test(calledName(text))) return undefined;
  if (modelMethod.test(text) || modelCall.test(text)) return 'model';
  const executes =
    dispatchName.test(text) || dispatchMethod.test(text) || dispatchIndexed.test(text) || environmentMethod.test(text);
  return executes ? 'execution' : undefined;
}

function calledName(text: string): string {
  const head = text.replace(/^(?:await|yield\*?|return|new|void)\s+/, '').split('(')[0] ?? '';
  return (
    head
      .split(/\.|\?\./)
      .at(-1)
      ?.trim() ?? ''
  );
}

/** Suspect calls by function: unresolved calls of the graph, and lines that no call of the graph explains. */
export function findSuspects(graph: ProgramGraph, sources: Sources): Map<string, SuspectCall[]> {
  const suspects = new Map<string, SuspectCall[]>();
  const add = (from: string, call: SuspectCall): void => {
    const list = suspects.get(from);
    if (!list) suspects.set(from, [call]);
    else if (!list.some((other) => other.line === call.line && other.kind === call.kind)) list.push(call);
  };
  const own = ownAgentMethods(graph);
  const runsAgent = (text: string): boolean => {
    const name = agentCall.test(text) ? /(\w+)\s*\(/.exec(agentCall.exec(text)?.[0] ?? '')?.[1] : undefined;
    return name !== undefined && !own.has(name);
  };
  for (const call of graph.data.unresolved) {
    const kind = runsAgent(call.text) ? 'agent' : looksLike(call.text);
    if (kind) add(call.from, { kind, file: call.file, line: call.line, text: call.text });
  }
  for (const file of graph.data.files) {
    if (isTestFile(file.path) || isForeignFile(file.path)) continue;
    for (const [index, text] of sources.lines(file.path).entries()) {
      if (text.length > 400 || !worthALook.test(text) || /^\s*(?:#|\/\/|\*|def |async def )/.test(text)) continue;
      const kind = runsAgent(text) ? 'agent' : strictKind(text);
      const owner = kind && graph.enclosing(file.path, index + 1);
      if (!owner || owner.kind === 'class' || isExplained(owner, index + 1, kind, graph)) continue;
      add(owner.id, { kind, file: file.path, line: index + 1, text: text.trim() });
    }
  }
  return suspects;
}

function strictKind(line: string): 'model' | 'execution' | undefined {
  const code = line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, "''");
  if (dispatchMethod.test(code) || dispatchIndexed.test(code) || environmentMethod.test(code)) return 'execution';
  return modelMethod.test(code) ? 'model' : undefined;
}

/** Whether the graph knows where a call on this line goes. */
function isExplained(owner: GraphNode, line: number, kind: SuspectCall['kind'], graph: ProgramGraph): boolean {
  const pattern =
    kind === 'agent'
      ? agentCall
      : kind === 'model'
        ? modelMethod
        : new RegExp(`${dispatchMethod.source}|${dispatchIndexed.source}|${environmentMethod.source}`, 'i');
  return graph.out(owner.id).some(
    (edge) =>
      // The call of a library's agent is a boundary of its own, but no reason to look no further.
      !(kind === 'agent' && graph.node(edge.to)?.kind === 'boundary') &&
      edge.line === line &&
      (edge.kind === 'calls' || edge.kind === 'constructs') &&
      pattern.test(edge.text ?? ''),
  );
}

/** Names of the methods of the harness's own agent classes: a call of one of these is no library. */
function ownAgentMethods(graph: ProgramGraph): Set<string> {
  const names = new Set<string>();
  for (const node of graph.data.nodes) {
    if (node.kind === 'method' && /agent/i.test(node.qualname.split('.').at(-2) ?? '') && !isTestFile(node.file))
      names.add(node.name);
  }
  return names;
}
