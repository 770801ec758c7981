import type { Tokens, ToolCall, ToolResult } from '../model';
import {
  argumentsOf,
  contentText,
  type Fields,
  fieldsOf,
  isoOfSeconds,
  listOf,
  numberOf,
  stringOf,
} from '../reading/fields';
import type { TraceHead } from '../reading/head';
import { checkDocumentEnd, type Element, elementsOf } from './elements';
import type { StepBody, StepCounts, StepHint, TraceFormat, TraceSink } from './format';
import { shorten } from './text';

/**
 * mini-swe-agent: version 1 (one fenced bash block a turn, results as user messages), version 2 (tool calls or text
 * actions, with `extra`), the Responses API shape (messages without a role), and the oldest form, a bare list.
 * What a user message means depends on what came before it; that decision is kept as the hint of the step.
 */
export const miniSweAgent: TraceFormat = {
  id: 'mini-swe-agent',
  title: 'mini-swe-agent trajectory',
  looksFor:
    'an object with trajectory_format "mini-swe-agent-1…", or a list of messages with bash blocks and <returncode>',
  sniff(head) {
    if (/^mini-swe-agent-1/.test(stringOf(head.members.trajectory_format) ?? '')) return 1;
    const info = fieldsOf(head.members.info);
    const messages = head.document?.members.some((member) => member.key === 'messages') ?? false;
    if (messages && ('mini_version' in info || ('model_stats' in info && 'exit_status' in info))) return 0.9;
    return head.document?.root === 'list' && isBareList(head.records) ? 0.8 : 0;
  },
  async read(source, head, sink, work) {
    headFacts(head, sink);
    const list = head.document?.root === 'list' ? '' : 'messages';
    const reader = new MessageReader(stringOf(fieldsOf(head.members.info).exit_status), list === '', sink);
    reader.model = modelOf(head);
    for await (const element of elementsOf(source, head, list, sink, work)) reader.take(element);
    checkDocumentEnd(head, sink);
    reader.finish();
  },
  stepOf: (records, hint) => messageBody(fieldsOf(records[0]), hint),
};

function isBareList(records: readonly unknown[]): boolean {
  const messages = records.map(fieldsOf);
  const first = contentText(messages.find((message) => message.role === 'assistant')?.content);
  const answers = messages.filter((message) => message.role === 'user').slice(1);
  return BASH_BLOCK.test(first) && answers.some((message) => contentText(message.content).startsWith('<returncode>'));
}

const BASH_BLOCK = /```(?:bash|mswea_bash_command)\s*\n([\s\S]*?)\n```/;

function headFacts(head: TraceHead, sink: TraceSink): void {
  const info = fieldsOf(head.members.info);
  const config = fieldsOf(info.config);
  const id = stringOf(head.members.instance_id);
  sink.facts({
    formatVersion: stringOf(head.members.trajectory_format)?.replace(/^mini-swe-agent-/, '') ?? null,
    sessionId: id,
    task: id,
    components: ['environment_type', 'agent_type', 'model_type'].flatMap((key) => stringOf(config[key]) ?? []),
    agent: 'mini-swe-agent',
    agentVersion: stringOf(info.mini_version),
    exitStatus: stringOf(info.exit_status),
    costUsd: numberOf(fieldsOf(info.model_stats).instance_cost),
  });
}

function modelOf(head: TraceHead): string | null {
  return stringOf(fieldsOf(fieldsOf(fieldsOf(head.members.info).config).model).model_name);
}

/** How a message is to be read; the first entry of a hint. */
type Meaning =
  | 'system'
  | 'task'
  | 'turn'
  | 'result'
  | 'format_error'
  | 'limit'
  | 'exception'
  | 'submission'
  | 'message';

/** Goes through the messages in order, one behind, because the last one may be the submission. */
class MessageReader {
  private turns = 0;
  private tasks = 0;
  private open: string[] = [];
  private held: Element | null = null;
  private input: number | null = null;
  private output: number | null = null;
  private cached: number | null = null;
  /** As configured; else as the first response names it. */
  model: string | null = null;
  private lastMeaning: Meaning = 'system';

  constructor(
    private readonly exitStatus: string | null,
    private readonly bare: boolean,
    private readonly sink: TraceSink,
  ) {}

  take(element: Element): void {
    if (this.held !== null) this.emit(this.held, false);
    this.held = element;
  }

  finish(): void {
    if (this.held !== null) this.emit(this.held, true);
    const tokens: Tokens = {
      input: this.input,
      output: this.output,
      cached: this.cached,
      inputIncludesCached: this.input === null ? null : true,
    };
    this.sink.facts({ tokens, model: this.model });
    const ended = this.exitStatus !== null || !['turn', 'result', 'format_error'].includes(this.lastMeaning);
    if (!ended) this.sink.facts({ endsTruncated: true });
  }

  private emit(element: Element, last: boolean): void {
    const message = fieldsOf(element.value);
    const meaning = this.meaningOf(message, last);
    const ids =
      meaning === 'turn' ? callIds(message, element.index) : meaning === 'result' ? this.answers(message) : [];
    const body = messageBody(message, [meaning, ...ids]);
    const counts: StepCounts = {};
    if (meaning === 'turn') {
      this.turns += 1;
      this.open = body.calls.map((call) => call.id);
      counts.modelTurn = true;
      this.addUsage(message);
    } else if (meaning === 'task' || meaning === 'message') {
      this.tasks += 1;
      counts.userMessage = true;
      if (this.tasks === 1) this.sink.facts({ title: shorten(body.text, 200) });
    }
    this.lastMeaning = meaning;
    this.sink.step({ body, ranges: [element.range], hint: [meaning, ...ids], counts });
  }

  private meaningOf(message: Fields, last: boolean): Meaning {
    if (message.role === 'system') return 'system';
    if (message.role === 'assistant' || message.object === 'response') return 'turn';
    if (message.role === 'exit') return endMeaning(stringOf(fieldsOf(message.extra).exit_status) ?? this.exitStatus);
    if (message.role === 'tool' || message.type === 'function_call_output') return 'result';
    if (this.turns === 0) return 'task';
    const interrupt = stringOf(fieldsOf(message.extra).interrupt_type);
    if (interrupt !== null) return /format/i.test(interrupt) ? 'format_error' : endMeaning(interrupt);
    if (last && this.isEnd(message)) return endMeaning(this.exitStatus ?? 'Submitted');
    if (this.open.length > 0) return 'result';
    return this.lastMeaning === 'turn' ? 'format_error' : 'message';
  }

  /** Version 1 appends the submission, or the name of the limit, as one more user message. */
  private isEnd(message: Fields): boolean {
    if (this.exitStatus === 'Submitted') return true;
    const observed = contentText(message.content).startsWith('<');
    if (this.bare || this.exitStatus !== null) return !observed || this.lastMeaning === 'result';
    return false;
  }

  private answers(message: Fields): string[] {
    const named = stringOf(message.tool_call_id) ?? stringOf(message.call_id);
    const id = named ?? this.open[0];
    this.open = this.open.filter((open) => open !== id);
    return id === undefined ? [] : [id];
  }

  private addUsage(message: Fields): void {
    const extra = fieldsOf(message.extra);
    const response = fieldsOf(extra.response);
    const usage = fieldsOf(response.usage ?? message.usage);
    this.model ??= stringOf(response.model);
    const input = numberOf(usage.prompt_tokens) ?? numberOf(usage.input_tokens);
    if (input === null) return;
    this.input = (this.input ?? 0) + input;
    this.output = (this.output ?? 0) + (numberOf(usage.completion_tokens) ?? numberOf(usage.output_tokens) ?? 0);
    const details = fieldsOf(usage.prompt_tokens_details ?? usage.input_tokens_details);
    const cached = numberOf(details.cached_tokens);
    if (cached !== null) this.cached = (this.cached ?? 0) + cached;
  }
}

function endMeaning(status: string | null): Meaning {
  if (status === null || /^submit/i.test(status)) return 'submission';
  return /limit|exceeded|timed? ?out/i.test(status) ? 'limit' : 'exception';
}

const KINDS: Record<Meaning, StepBody['kind']> = {
  system: 'system',
  task: 'user',
  message: 'user',
  turn: 'agent',
  result: 'tool',
  format_error: 'event',
  limit: 'event',
  exception: 'event',
  submission: 'event',
};

function messageBody(message: Fields, hint: StepHint): StepBody {
  const [name, ...ids] = Array.isArray(hint) ? hint.map(String) : [String(hint)];
  const meaning: Meaning = name !== undefined && name in KINDS ? (name as Meaning) : 'message';
  const extra = fieldsOf(message.extra);
  const kind = KINDS[meaning];
  const text = messageText(message);
  const body: StepBody = { kind, text, calls: [], results: [] };
  if (kind === 'event') body.event = meaning;
  if (meaning === 'turn') body.calls = callsOf(message, ids);
  if (meaning === 'result') {
    body.results = [resultOf(message, text, ids[0] ?? null)];
    body.text = '';
  }
  const time = isoOfSeconds(extra.timestamp) ?? isoOfSeconds(fieldsOf(extra.response).created);
  if (time !== null) body.time = time;
  const reasoning = stringOf(message.reasoning_content) ?? stringOf(message.reasoning);
  if (reasoning !== null) body.reasoning = reasoning;
  const cost = numberOf(extra.cost);
  if (cost !== null) body.costUsd = cost;
  const usage = fieldsOf(fieldsOf(extra.response).usage);
  const input = numberOf(usage.prompt_tokens);
  if (meaning === 'turn' && input !== null) {
    const cached = numberOf(fieldsOf(usage.prompt_tokens_details).cached_tokens);
    body.tokens = { input, output: numberOf(usage.completion_tokens), cached, inputIncludesCached: true };
  }
  return body;
}

function messageText(message: Fields): string {
  if (message.object !== 'response') return contentText(message.content ?? message.output);
  return listOf(message.output)
    .map(fieldsOf)
    .filter((item) => item.type === 'message')
    .map((item) => contentText(item.content))
    .join('\n');
}

function callIds(message: Fields, index: number): string[] {
  const named = nativeCalls(message).map((call) => call.id);
  if (named.length > 0) return named;
  return textActions(message).map((_, at) => `message-${index + 1}-action-${at + 1}`);
}

function callsOf(message: Fields, ids: readonly string[]): ToolCall[] {
  const native = nativeCalls(message);
  if (native.length > 0) return native;
  return textActions(message).map((command, at) => ({
    id: ids[at] ?? `action-${at + 1}`,
    name: 'bash',
    args: { command },
  }));
}

function nativeCalls(message: Fields): ToolCall[] {
  const chat = listOf(message.tool_calls).map(fieldsOf);
  const items = listOf(message.output)
    .map(fieldsOf)
    .filter((item) => item.type === 'function_call');
  return [
    ...chat.map((call) => ({ id: call.id, about: fieldsOf(call.function) })),
    ...items.map((item) => ({ id: item.call_id, about: item })),
  ].map(({ id, about }) => ({
    id: stringOf(id) ?? 'unnamed',
    name: stringOf(about.name) ?? 'bash',
    args: argumentsOf(about.arguments),
  }));
}

/** Commands of a turn without native tool calls. Several blocks in version 1 are a format error: no command runs. */
function textActions(message: Fields): string[] {
  const actions = listOf(fieldsOf(message.extra).actions).map((action) => stringOf(fieldsOf(action).command));
  if (actions.length > 0) return actions.filter((command) => command !== null);
  const blocks = [...contentText(message.content).matchAll(new RegExp(BASH_BLOCK, 'g'))];
  return blocks.length === 1 ? [blocks[0]?.[1]?.trim() ?? ''] : [];
}

function resultOf(message: Fields, text: string, callId: string | null): ToolResult {
  const extra = fieldsOf(message.extra);
  const code = numberOf(extra.returncode) ?? numberOf(Number(/^<returncode>(-?\d+)/.exec(text)?.[1] ?? 'none'));
  const failed = (code ?? 0) !== 0 || stringOf(extra.exception_info) !== null || /timed out/.test(text.slice(0, 300));
  return { callId, text, isError: failed };
}
