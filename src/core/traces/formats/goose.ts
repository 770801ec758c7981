import { contentText, type Fields, fieldsOf, isoOfSeconds, listOf, numberOf, stringOf } from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import { checkDocumentEnd, elementsOf } from './elements';
import type { StepBody, TraceFormat, TraceSink } from './format';
import { eventBody, RunWriter } from './runWriter';

/**
 * goose sessions: an export with `conversation`, or the JSON lines of before 1.10 whose first line is the session. Results
 * come with role user and name the request they answer.
 */
export const goose: TraceFormat = {
  id: 'goose',
  title: 'goose session',
  looksFor: 'an object with working_dir and conversation, or JSON lines with created and toolRequest or text blocks',
  sniff(head) {
    const first = fieldsOf(head.records[0]);
    if (head.container === 'lines') {
      const messages = head.records.slice(1).map(fieldsOf).filter(isMessage);
      return 'working_dir' in first && (messages.length > 0 || 'message_count' in first) ? 0.96 : 0;
    }
    const list = head.document === null ? undefined : memberOf(head.document, 'conversation');
    return list !== undefined && 'working_dir' in head.members ? 0.96 : 0;
  },
  async read(source, head, sink, work) {
    const writer = new RunWriter(sink, true);
    const add = (value: unknown, range: ByteRange) => {
      if (isMessage(fieldsOf(value))) writer.add(bodyOf(fieldsOf(value)), range);
    };
    if (head.container === 'lines') {
      const notes = notesTo(sink);
      for await (const { value, range } of jsonRecords(source, notes, work)) {
        if ('working_dir' in fieldsOf(value)) sessionFacts(fieldsOf(value), sink, writer);
        else add(value, range);
      }
      writer.finish(notes.cut);
      return;
    }
    sessionFacts(head.members, sink, writer);
    for await (const { value, range } of elementsOf(source, head, 'conversation', sink, work)) add(value, range);
    for await (const { value, range } of elementsOf(source, head, 'messages', sink, work)) add(value, range);
    checkDocumentEnd(head, sink);
    writer.finish();
  },
  stepOf: (records) => bodyOf(fieldsOf(records[0])),
};

function isMessage(record: Fields): boolean {
  return (record.role === 'user' || record.role === 'assistant') && Array.isArray(record.content);
}

function sessionFacts(session: Fields, sink: TraceSink, writer: RunWriter): void {
  sink.facts({
    agent: 'goose',
    sessionId: stringOf(session.id),
    title: stringOf(session.description) ?? stringOf(session.name),
  });
  const config = fieldsOf(session.model_config);
  writer.setModel(stringOf(config.model_name) ?? stringOf(session.model));
  const [input, output] = ['input_tokens', 'output_tokens'].map(
    (key) => numberOf(session[`accumulated_${key}`]) ?? numberOf(session[key]),
  );
  writer.addUsage({ input: input ?? null, output: output ?? null });
}

function bodyOf(message: Fields): StepBody {
  const blocks = listOf(message.content).map(fieldsOf);
  const time = isoOfSeconds(message.created);
  const common = time === null ? {} : { time };
  const text = blocks
    .filter((block) => block.type === 'text')
    .map((block) => contentText(block.text))
    .join('\n');
  const results = blocks.filter((block) => block.type === 'toolResponse').map(resultOf);
  const summarized = blocks.find((block) => /summarizationRequested|contextLengthExceeded/.test(String(block.type)));
  if (summarized !== undefined) return eventBody('compaction', contentText(summarized.msg), common);
  const reasoning = blocks.map((block) => stringOf(block.thinking) ?? '').join('');
  const calls = blocks
    .filter((block) => block.type === 'toolRequest' || block.type === 'frontendToolRequest')
    .map(callOf);
  const kind = message.role === 'assistant' ? 'agent' : results.length > 0 ? 'tool' : 'user';
  return { kind, text, calls, results, ...(reasoning === '' ? {} : { reasoning }), ...common };
}

function callOf(block: Fields) {
  const call = fieldsOf(fieldsOf(block.toolCall).value);
  return { id: stringOf(block.id) ?? 'unnamed', name: stringOf(call.name) ?? 'unnamed', args: call.arguments ?? {} };
}

function resultOf(block: Fields) {
  const result = fieldsOf(block.toolResult);
  const value = fieldsOf(result.value);
  const text = Array.isArray(result.value) ? contentText(result.value) : contentText(value.content ?? result.value);
  const error = stringOf(result.error);
  const isError = result.status === 'error' || value.isError === true;
  return { callId: stringOf(block.id), text: text || (error ?? ''), isError };
}
