import { argumentsOf, contentText, type Fields, fieldsOf, isoOfSeconds, listOf, stringOf } from '../reading/fields';
import { mostFit } from '../reading/head';
import { memberOf } from '../reading/jsonDocument';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import { messagesIn } from './anyMessages';
import { chatUsage } from './chatMessage';
import { checkDocumentEnd, documentRange, elementsOf } from './elements';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter, textBody, usageTokens } from './runWriter';

const ITEMS = /^(message|reasoning|[a-z_]+_call|[a-z_]+_call_output)$/;

/**
 * OpenAI Responses: a response object, a request with `input` and its `response`, a list of items (or one a line), or the
 * saved state of a run of the Agents SDK. Items of one answer in a row are one turn.
 */
export const responses: TraceFormat = {
  id: 'responses',
  title: 'OpenAI Responses dump',
  looksFor: 'an object "response" with output items, or a list of items such as function_call and function_call_output',
  sniff(head) {
    const first = fieldsOf(head.records[0]);
    const records = head.records.map(fieldsOf);
    const list = head.container === 'lines' || head.document?.root === 'list';
    if (list) return mostFit(records, 0.8, isItem) && records.some((one) => one.type !== 'message') ? 0.6 : 0;
    if (first.object === 'response' || fieldsOf(first.response).object === 'response') return 0.9;
    if ('$schemaVersion' in first && 'model_responses' in first) return 0.95;
    const asked = listOf(first.input).some((item) => isItem(fieldsOf(item)) || 'role' in fieldsOf(item));
    return asked && 'model' in first && ('instructions' in first || 'tools' in first) ? 0.6 : 0;
  },
  async read(source, head, sink, work) {
    const first = fieldsOf(head.records[0]);
    const writer = new RunWriter(sink, true);
    const items = new ItemReader(writer);
    if (head.container === 'lines') {
      const notes = notesTo(sink);
      for await (const { value, range } of jsonRecords(source, notes, work)) items.add(fieldsOf(value), range);
      items.flush();
      writer.finish(notes.cut);
      return;
    }
    if ('$schemaVersion' in first) {
      const state = fieldsOf(first);
      const input = head.document === null ? undefined : memberOf(head.document, 'original_input');
      if (input !== undefined && typeof state.original_input === 'string')
        writer.add(textBody('user', state.original_input), input, 'text');
      for await (const { value, range } of elementsOf(source, head, 'generated_items', sink, work))
        items.add(fieldsOf(fieldsOf(value).raw_item), range);
      const paused = fieldsOf(state.current_step).type === 'next_step_interruption';
      sink.facts({
        task: stringOf(state.original_input),
        sessionId: stringOf(fieldsOf(state.trace).id),
        formatVersion: stringOf(state.$schemaVersion),
      });
      const usage = chatUsage(fieldsOf(fieldsOf(state.context).usage));
      if (usage !== null) writer.addUsage(usage.usage);
      if (paused) {
        sink.warn('The run waits for the approval of a tool call.');
        sink.facts({ exitStatus: 'waiting for approval' });
      }
      items.flush();
      checkDocumentEnd(head, sink);
      if (paused) writer.close();
      writer.finish();
      return;
    }
    if (head.document?.root === 'list') {
      for await (const { value, range } of elementsOf(source, head, '', sink, work)) items.add(fieldsOf(value), range);
    } else {
      const rules = head.document === null ? undefined : memberOf(head.document, 'instructions');
      if (rules !== undefined && typeof head.members.instructions === 'string')
        writer.add(textBody('system', head.members.instructions), rules, 'system');
      const input = head.document === null ? undefined : memberOf(head.document, 'input');
      if (input !== undefined && typeof head.members.input === 'string')
        writer.add(textBody('user', head.members.input), input, 'text');
      for await (const { value, range } of elementsOf(source, head, 'input', sink, work))
        items.add(fieldsOf(value), range);
      items.flush();
      const whole = first.object === 'response';
      writer.setModel(stringOf(first.model));
      const place = whole || head.document === null ? documentRange(head, source) : memberOf(head.document, 'response');
      if (whole || 'response' in first)
        addResponse(writer, whole ? first : fieldsOf(first.response), place ?? documentRange(head, source));
      sink.facts({ sessionId: stringOf(whole ? first.id : fieldsOf(first.response).id) });
      if (stringOf(first.previous_response_id) !== null)
        sink.warn('It continues an earlier response; that prompt is not in the file.');
    }
    items.flush();
    checkDocumentEnd(head, sink);
    writer.finish();
  },
  stepOf(records, hint) {
    if (hint === 'response') return responseBody(fieldsOf(records[0]));
    if (hint === 'text' || hint === 'system')
      return textBody(hint === 'text' ? 'user' : 'system', contentText(records[0]));
    return itemsBody(
      records.map((record) => fieldsOf('raw_item' in fieldsOf(record) ? fieldsOf(record).raw_item : record)),
    );
  },
};

function isItem(record: Fields): boolean {
  return ITEMS.test(String(record.type)) && (record.type !== 'message' || 'role' in record || 'content' in record);
}

/** Adds the response of a dump as one turn that ends the file. */
export function addResponse(writer: RunWriter, response: Fields, range: ByteRange): void {
  const told = chatUsage(fieldsOf(response.usage));
  if (told !== null) writer.addUsage(told.usage);
  writer.setModel(stringOf(response.model));
  writer.add(responseBody(response), range, 'response');
  writer.close();
}

export function responseBody(response: Fields): StepBody {
  const body = itemsBody(listOf(response.output).map(fieldsOf));
  const time = isoOfSeconds(response.created_at ?? response.created);
  const told = chatUsage(fieldsOf(response.usage));
  const model = stringOf(response.model);
  const failed = stringOf(fieldsOf(response.error).message);
  return {
    ...body,
    kind: 'agent',
    text: body.text === '' && failed !== null ? failed : body.text,
    ...(model === null ? {} : { model }),
    ...(told === null ? {} : { tokens: usageTokens(told.usage, told.includesCached) }),
    ...(time === null ? {} : { time }),
  };
}

class ItemReader {
  private open: { items: Fields[]; ranges: ByteRange[] } = { items: [], ranges: [] };

  constructor(private readonly writer: RunWriter) {}

  add(item: Fields, range: ByteRange): void {
    if (!isItem(item) && item.role === undefined) return;
    const id = stringOf(item.call_id);
    // The Agents SDK keeps a call that waits for approval twice.
    if (id !== null && String(item.type).endsWith('_call') && this.open.items.some((one) => one.call_id === id)) return;
    if (!isAnswer(item)) this.flush();
    this.open.items.push(item);
    this.open.ranges.push(range);
    if (!isAnswer(item)) this.flush();
  }

  flush(): void {
    if (this.open.items.length > 0) this.writer.add(itemsBody(this.open.items), this.open.ranges);
    this.open = { items: [], ranges: [] };
  }
}

function isAnswer(item: Fields): boolean {
  if (/_output$/.test(String(item.type))) return false;
  return item.type === 'message' || item.type === undefined ? item.role === 'assistant' : true;
}

function itemsBody(items: readonly Fields[]): StepBody {
  const [first] = items;
  if (first === undefined) return eventBody('note', '');
  if (/_output$/.test(String(first.type))) {
    const text = contentText(first.output ?? first.result);
    const result = { callId: stringOf(first.call_id) ?? stringOf(first.id), text, isError: first.status === 'failed' };
    return { kind: 'tool', text: '', calls: [], results: [result] };
  }
  if (!isAnswer(first)) return messagesIn(first, 'user')[0] ?? textBody('user', contentText(first.content));
  const calls = items.filter((item) => /_call$/.test(String(item.type)));
  const reasoning = items
    .map((item) => (item.type === 'reasoning' ? contentText(item.summary) : ''))
    .filter((text) => text !== '');
  const texts = items.map((item) =>
    item.type === 'message' || item.role === 'assistant' ? contentText(item.content) : '',
  );
  return {
    kind: 'agent',
    text: texts.filter((text) => text !== '').join('\n'),
    calls: calls.map((item) => ({
      id: stringOf(item.call_id) ?? stringOf(item.id) ?? 'unnamed',
      name: stringOf(item.name) ?? String(item.type).replace(/_call$/, ''),
      args: argumentsOf(item.arguments ?? item.input ?? item.action),
    })),
    // Tools that the provider runs have their result in the answer, or none that is shown.
    results: calls
      .filter((item) => !/^(function|custom_tool|local_shell|computer)_call$/.test(String(item.type)))
      .map((item) => ({
        callId: stringOf(item.call_id) ?? stringOf(item.id) ?? 'unnamed',
        text: contentText(item.result ?? item.results ?? item.output),
        isError: item.status === 'failed',
      })),
    ...(reasoning.length === 0 ? {} : { reasoning: reasoning.join('\n') }),
  };
}
