import type { WorkOptions } from '../../progress';
import { childOf, childrenOf } from '../reading/children';
import { contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import { jsonRecords, notesTo, type RecordNotes } from '../reading/jsonLines';
import type { ByteRange, TraceSource } from '../reading/source';
import { checkDocumentEnd, elementsOf } from './elements';
import type { StepBody, TraceFormat, TraceSink } from './format';
import { responseOf } from './geminiParts';
import { eventBody, RunWriter, textBody, tokensFact, type Usage } from './runWriter';

/**
 * Gemini CLI sessions: one document with `messages` (to 0.39), or JSON lines that are replayed (from 0.40): a message
 * with a known id replaces the earlier one, `$rewindTo` takes messages back, `$set.messages` replaces all.
 */
export const gemini: TraceFormat = {
  id: 'gemini-cli',
  title: 'Gemini CLI session',
  looksFor:
    'an object, or a first line, with sessionId, projectHash or startTime, and messages of type user and gemini',
  sniff(head) {
    const list = head.document === null ? undefined : memberOf(head.document, 'messages');
    if (list !== undefined && 'sessionId' in head.members && 'projectHash' in head.members) return 0.97;
    if (head.container !== 'lines') return 0;
    const records = head.records.map(fieldsOf);
    const session = records.some((one) => 'sessionId' in one && 'projectHash' in one);
    const messages = records.some((one) => one.type === 'gemini' || '$set' in one || '$rewindTo' in one);
    return session ? 0.97 : messages && records.some((one) => one.type === 'gemini') ? 0.85 : 0;
  },
  async read(source, head, sink, work) {
    const writer = new RunWriter(sink, true);
    sink.facts({ agent: 'Gemini CLI' });
    if (head.container !== 'lines') {
      sessionFacts(head.members, sink);
      if (/\.(jsonl|ndjson)$/i.test(source.file))
        sink.warn('It is one JSON document, although its name says JSON lines.');
      for await (const { value, range } of elementsOf(source, head, 'messages', sink, work)) add(writer, value, range);
      checkDocumentEnd(head, sink);
      writer.finish();
      return;
    }
    const notes = notesTo(sink);
    for (const range of await replay(source, notes, sink, work)) add(writer, (await source.value(range))?.value, range);
    writer.finish(notes.cut);
  },
  stepOf: (records) => bodyOf(fieldsOf(records[0])),
};

function sessionFacts(record: Fields, sink: TraceSink): void {
  sink.facts({ sessionId: stringOf(record.sessionId), title: stringOf(record.summary) });
}

function add(writer: RunWriter, value: unknown, range: ByteRange): void {
  const message = fieldsOf(value);
  const body = bodyOf(message);
  if (body.kind === 'agent') writer.addUsage(usageOf(message));
  writer.add(body, range);
}

/** Places of the messages that are left when all lines were applied. */
async function replay(
  source: TraceSource,
  notes: RecordNotes,
  sink: TraceSink,
  work: WorkOptions,
): Promise<Iterable<ByteRange>> {
  let messages = new Map<string, ByteRange>();
  let replaced = 0;
  let rewound = 0;
  for await (const { value, range } of jsonRecords(source, notes, work)) {
    const record = fieldsOf(value);
    if ('projectHash' in record) sessionFacts(record, sink);
    if ('$set' in record) {
      const set = fieldsOf(record.$set);
      if (!Array.isArray(set.messages)) continue;
      if (messages.size > 0) replaced += 1;
      messages = await messagesIn(source, range);
    } else if ('$rewindTo' in record) {
      const ids = [...messages.keys()];
      const from = ids.indexOf(String(record.$rewindTo));
      for (const id of from < 0 ? [] : ids.slice(from)) messages.delete(id);
      rewound += 1;
    } else if (typeof record.type === 'string') messages.set(stringOf(record.id) ?? `at ${range.offset}`, range);
  }
  if (rewound > 0) sink.warn(`${rewound} times the user went back; the messages taken back are not shown.`);
  if (replaced > 0) sink.warn(`${replaced} times the whole history was replaced; the last one is shown.`);
  return messages.values();
}

async function messagesIn(source: TraceSource, line: ByteRange): Promise<Map<string, ByteRange>> {
  const set = childOf(await childrenOf(source, line), '$set');
  const list = set === undefined ? undefined : childOf(await childrenOf(source, set), 'messages');
  const found = new Map<string, ByteRange>();
  for (const place of list === undefined ? [] : await childrenOf(source, list)) {
    const id = stringOf(fieldsOf((await source.value(place))?.value).id);
    found.set(id ?? `at ${place.offset}`, place);
  }
  return found;
}

function usageOf(message: Fields): Usage {
  const tokens = fieldsOf(message.tokens);
  return { input: numberOf(tokens.input), output: numberOf(tokens.output), cached: numberOf(tokens.cached) };
}

function bodyOf(message: Fields): StepBody {
  const time = stringOf(message.timestamp);
  const model = stringOf(message.model);
  const common = { ...(time === null ? {} : { time }), ...(model === null ? {} : { model }) };
  const text = contentText(message.content);
  if (message.type === 'user') return textBody('user', text, common);
  if (message.type !== 'gemini') {
    const event = message.type === 'error' ? 'exception' : (stringOf(message.type) ?? 'note');
    return eventBody(event, text, common);
  }
  const calls = listOf(message.toolCalls).map(fieldsOf);
  const reasoning = listOf(message.thoughts)
    .map(fieldsOf)
    .map((thought) =>
      [stringOf(thought.subject), stringOf(thought.description)].filter((one) => one !== null).join(': '),
    )
    .join('\n');
  return {
    kind: 'agent',
    text,
    calls: calls.map((call) => ({
      id: stringOf(call.id) ?? 'unnamed',
      name: stringOf(call.name) ?? 'unnamed',
      args: call.args ?? {},
    })),
    results: calls.flatMap(resultsOf),
    ...(reasoning === '' ? {} : { reasoning }),
    ...tokensFact(usageOf(message), true),
    ...common,
  };
}

/** The result stands inside its call. */
function resultsOf(call: Fields) {
  const responses = listOf(call.result).map((part) => fieldsOf(fieldsOf(part).functionResponse));
  const [first] = responses;
  if (first === undefined) return [];
  const result = responseOf(first);
  const isError = call.status === 'error' || call.status === 'cancelled' || result.isError;
  return [{ ...result, callId: stringOf(call.id) ?? result.callId, isError }];
}
