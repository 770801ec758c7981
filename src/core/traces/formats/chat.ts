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
import { mostFit, type TraceHead } from '../reading/head';
import { memberOf } from '../reading/jsonDocument';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import { chatUsage, messageBody } from './chatMessage';
import { checkDocumentEnd, documentRange, elementsOf } from './elements';
import type { StepBody, TraceFormat, TraceSink } from './format';
import { RunWriter, usageTokens } from './runWriter';

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/**
 * The last resort: messages with a role and content, as a list, in `messages`, or one a line, in the shapes of the
 * OpenAI chat protocol (`tool_calls`, role tool) and the Anthropic one (`tool_use` and `tool_result` blocks). A dump of
 * one request holds the whole prompt in `messages` and the answer in `response`; usage is that of this one call.
 */
export const chat: TraceFormat = {
  id: 'chat',
  title: 'chat messages',
  looksFor: 'messages with role and content, in a list, in "messages", or one a line',
  sniff(head) {
    if (head.container === 'lines' || head.document?.root === 'list') return isChat(head.records) ? 0.5 : 0;
    if (head.document === null) return 0;
    const list = memberOf(head.document, 'messages');
    if (list?.elements) return !('messages' in head.members) || isChat(listOf(head.members.messages)) ? 0.4 : 0;
    const answer = head.members.role === 'assistant' && 'content' in head.members;
    return answer || isAnswer(fieldsOf(head.members.response)) ? 0.4 : 0;
  },
  async read(source, head, sink, work) {
    const reader = new ChatReader(sink, head);
    if (head.container === 'lines') {
      const notes = notesTo(sink);
      for await (const { value, range } of jsonRecords(source, notes, work)) reader.add(value, range);
      if (notes.cut) sink.facts({ endsTruncated: true });
    } else {
      const list = head.document?.root === 'list' ? '' : 'messages';
      for await (const { value, range } of elementsOf(source, head, list, sink, work)) reader.add(value, range);
      const response = head.document === null ? undefined : memberOf(head.document, 'response');
      const answer = fieldsOf(head.members.response);
      if (response !== undefined && isAnswer(answer)) reader.answer(answer, response);
      else if (head.members.role === 'assistant') reader.answer(fieldsOf(head.members), documentRange(head, source));
      checkDocumentEnd(head, sink);
    }
    reader.finish();
  },
  stepOf(records, hint) {
    return hint === 'answer' ? answerBody(fieldsOf(records[0])) : messageBody(unwrapped(records[0]));
  },
};

/** Cursor writes the role beside the message. */
function unwrapped(value: unknown): Fields {
  const record = fieldsOf(value);
  const message = fieldsOf(record.message);
  return 'content' in record || !('content' in message)
    ? record
    : { ...record, ...message, role: record.role ?? message.role };
}

function isChat(records: readonly unknown[]): boolean {
  return mostFit(records.map(unwrapped), 0.8, (message) => {
    return ROLES.has(String(message.role)) && ('content' in message || 'tool_calls' in message);
  });
}

/** A completion of the chat protocol, or a message of Anthropic's. */
function isAnswer(record: Fields): boolean {
  return listOf(record.choices).length > 0 || (record.role === 'assistant' && 'content' in record);
}

function answerBody(record: Fields): StepBody {
  const choice = fieldsOf(listOf(record.choices)[0]);
  const body = messageBody({ role: 'assistant', ...fieldsOf(choice.message ?? record) });
  const told = chatUsage(fieldsOf(record.usage));
  const time = isoOfSeconds(record.created);
  return {
    ...body,
    kind: 'agent',
    ...(told === null ? {} : { tokens: usageTokens(told.usage, told.includesCached) }),
    ...(time === null ? {} : { time }),
  };
}

class ChatReader {
  private readonly includesCached: boolean;
  private readonly writer: RunWriter;
  private skipped = 0;
  private readonly repeatsPrompt: boolean;

  constructor(
    private readonly sink: TraceSink,
    head: TraceHead,
  ) {
    const { members } = head;
    const response = fieldsOf(members.response);
    this.includesCached = chatUsage(fieldsOf(response.usage ?? members.usage))?.includesCached ?? true;
    this.repeatsPrompt = isAnswer(response);
    this.writer = new RunWriter(sink, this.includesCached);
    const model = stringOf(response.model) ?? stringOf(members.model) ?? channelModel(members);
    this.writer.setModel(model);
    this.writer.addCost(numberOf(members.cost));
    sink.facts({ sessionId: stringOf(response.id) ?? stringOf(members.id) });
    sink.time(isoOfSeconds(members.timestamp));
  }

  add(value: unknown, range: ByteRange): void {
    const message = unwrapped(value);
    if (!ROLES.has(String(message.role))) {
      this.skipped += 1;
      return;
    }
    const body = messageBody(message);
    const told = this.repeatsPrompt ? null : chatUsage(fieldsOf(message.usage));
    if (told !== null) this.writer.addUsage(told.usage);
    this.writer.add(body, range);
  }

  answer(record: Fields, range: ByteRange): void {
    const told = chatUsage(fieldsOf(record.usage));
    if (told !== null) this.writer.addUsage(told.usage);
    const body = answerBody(record);
    this.writer.add(body, range, 'answer');
    // The log of one call ends with its answer: a call in it is answered in the next log.
    this.writer.close();
  }

  finish(): void {
    if (this.skipped > 0) this.sink.warn(`${this.skipped} records without a known role are not shown.`);
    this.writer.finish();
  }
}

/** fast-agent keeps what belongs to a message in named channels, each a list of texts. */
function channelModel(members: Fields): string | null {
  const usage = fieldsOf(listOf(fieldsOf(members.channels)['fast-agent-usage'])[0]);
  return stringOf(fieldsOf(fieldsOf(argumentsOf(contentText(usage))).turn).model);
}
