import type { ToolCall, ToolResult } from '../model';
import { argumentsOf, contentText, type Fields, fieldsOf, listOf, stringOf } from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import { jsonRecords, type RecordNotes } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import { checkDocumentEnd, elementsOf } from './elements';
import type { StepBody, TraceFormat, TraceSink } from './format';
import { shorten } from './text';

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/**
 * The last resort: messages with a role and content, as a list, in `messages`, or one a line, in the shapes of the
 * OpenAI chat protocol (`tool_calls`, role tool) and the Anthropic one (`tool_use` and `tool_result` blocks).
 */
export const chat: TraceFormat = {
  id: 'chat',
  title: 'chat messages',
  looksFor: 'messages with role and content, in a list, in "messages", or one a line',
  sniff(head) {
    if (head.container === 'lines' || head.document?.root === 'list') return isChat(head.records) ? 0.5 : 0;
    const list = head.document === null ? undefined : memberOf(head.document, 'messages');
    if (!list?.elements) return 0;
    return !('messages' in head.members) || isChat(listOf(head.members.messages)) ? 0.4 : 0;
  },
  async read(source, head, sink, work) {
    const reader = new ChatReader(sink);
    sink.facts({ model: stringOf(head.members.model), sessionId: stringOf(head.members.id) });
    if (head.container === 'lines') {
      const notes: RecordNotes = { warn: (message) => sink.warn(message), cut: false };
      for await (const { value, offset, length } of jsonRecords(source, notes, work))
        reader.add(value, { offset, length });
      if (notes.cut) sink.facts({ endsTruncated: true });
    } else {
      const list = head.document?.root === 'list' ? '' : 'messages';
      for await (const { value, range } of elementsOf(source, head, list, sink, work)) reader.add(value, range);
      checkDocumentEnd(head, sink);
    }
    reader.finish();
  },
  stepOf: (records) => messageBody(fieldsOf(records[0])),
};

function isChat(records: readonly unknown[]): boolean {
  const messages = records.map(fieldsOf);
  const fitting = messages.filter((message) => {
    return ROLES.has(String(message.role)) && ('content' in message || 'tool_calls' in message);
  });
  return fitting.length > 0 && fitting.length >= messages.length * 0.8;
}

class ChatReader {
  private titled = false;
  private open = false;
  private skipped = 0;

  constructor(private readonly sink: TraceSink) {}

  add(value: unknown, range: ByteRange): void {
    const message = fieldsOf(value);
    if (!ROLES.has(String(message.role))) {
      this.skipped += 1;
      return;
    }
    const body = messageBody(message);
    if (body.kind === 'user' && !this.titled) {
      this.sink.facts({ title: shorten(body.text, 200) });
      this.titled = true;
    }
    this.open = body.calls.length > 0 || body.kind === 'tool';
    const counts = body.kind === 'agent' ? { modelTurn: true } : body.kind === 'user' ? { userMessage: true } : {};
    this.sink.step({ body, ranges: [range], counts });
  }

  finish(): void {
    if (this.skipped > 0) this.sink.warn(`${this.skipped} records without a known role are not shown.`);
    if (this.open) this.sink.facts({ endsTruncated: true });
  }
}

function messageBody(message: Fields): StepBody {
  const blocks = listOf(message.content).map(fieldsOf);
  const answers = blocks.filter((block) => block.type === 'tool_result');
  const role = String(message.role);
  const time = stringOf(message.timestamp);
  const reasoning =
    stringOf(message.reasoning_content) ?? (blocks.map((block) => stringOf(block.thinking) ?? '').join('') || null);
  const body: StepBody = {
    kind: role === 'assistant' ? 'agent' : role === 'system' || role === 'developer' ? 'system' : 'user',
    text: contentText(
      blocks.length === 0 ? message.content : blocks.filter((block) => !String(block.type).startsWith('tool_')),
    ),
    calls: [
      ...listOf(message.tool_calls).map(chatCall),
      ...blocks.filter((block) => block.type === 'tool_use').map(blockCall),
    ],
    results: answers.map(blockResult),
    ...(time === null ? {} : { time }),
    ...(reasoning === null ? {} : { reasoning }),
  };
  if (role === 'tool' || role === 'function') {
    body.results = [{ callId: stringOf(message.tool_call_id), text: body.text, isError: message.is_error === true }];
    body.text = '';
  }
  if (body.kind === 'user' && body.results.length > 0) body.kind = 'tool';
  return body;
}

function chatCall(value: unknown): ToolCall {
  const call = fieldsOf(value);
  const about = 'function' in call && typeof call.function === 'object' ? fieldsOf(call.function) : call;
  return {
    id: stringOf(call.id) ?? 'unnamed',
    name: stringOf(about.name) ?? stringOf(call.function) ?? 'unnamed',
    args: argumentsOf(about.arguments ?? call.args),
  };
}

function blockCall(block: Fields): ToolCall {
  return { id: stringOf(block.id) ?? 'unnamed', name: stringOf(block.name) ?? 'unnamed', args: block.input ?? {} };
}

function blockResult(block: Fields): ToolResult {
  return { callId: stringOf(block.tool_use_id), text: contentText(block.content), isError: block.is_error === true };
}
