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
import { mostFit } from '../reading/head';
import { splitLines } from '../reading/jsonLines';
import { parseLenient } from '../reading/lenientJson';
import type { ByteRange } from '../reading/source';
import { chatUsage, messageBody } from './chatMessage';
import type { StepBody, TraceFormat } from './format';
import { responseBody } from './responses';
import { RunWriter, usageTokens } from './runWriter';

/**
 * Streams of one answer after the other, as server-sent events (`data:` lines) or one event a JSON line: Anthropic
 * messages, OpenAI Responses (the last event holds everything), OpenAI chat chunks. Other events are helpers that repeat
 * what the deltas said.
 */
export const sse: TraceFormat = {
  id: 'event-stream',
  title: 'event stream of a model API',
  looksFor: 'data: lines or JSON lines of message_start, content_block_delta, response.completed or chat chunks',
  sniff(head) {
    if (head.container === 'lines') return mostFit(head.records, 0.3, (event) => familyOf(event) !== null) ? 0.85 : 0;
    if (head.container !== 'text' || !/^(event|data|id|retry): ?/.test(head.text)) return 0;
    const data = /^data: ?(\{.*)$/m.exec(head.text)?.[1] ?? '';
    return familyOf(fieldsOf(parseLenient(data)?.value)) === null ? 0 : 0.9;
  },
  async read(source, _head, sink, work) {
    const stream = new Stream(sink);
    let bad = 0;
    for await (const { offset, length, bytes } of splitLines(source, work)) {
      const text = bytes?.toString('utf8') ?? '';
      const start = /^data: ?/.exec(text)?.[0].length ?? 0;
      const json = text.slice(start).trim();
      if (!json.startsWith('{')) continue;
      const value = parseLenient(json);
      if (value === null) bad += 1;
      else stream.add(fieldsOf(value.value), { offset: offset + start, length: length - start });
    }
    if (bad > 0) sink.warn(`${bad} events are no valid JSON; they were left out.`);
    stream.finish();
  },
  stepOf: (records) => answerOf(records.map(fieldsOf)),
};

type Family = 'anthropic' | 'responses' | 'chat';

function familyOf(event: Fields): Family | null {
  const type = String(event.type);
  if (/^(message_start|message_delta|message_stop|content_block_(start|delta|stop))$/.test(type)) return 'anthropic';
  if (/^response\.[a-z_.]+$/.test(type)) return 'responses';
  return event.object === 'chat.completion.chunk' ? 'chat' : null;
}

class Stream {
  private readonly writer: RunWriter;
  private open: { events: Fields[]; ranges: ByteRange[]; id: string | null } = { events: [], ranges: [], id: null };
  private unfinished = 0;
  private named = false;

  constructor(private readonly sink: Parameters<TraceFormat['read']>[2]) {
    this.writer = new RunWriter(sink, false);
  }

  add(event: Fields, range: ByteRange): void {
    const family = familyOf(event);
    if (family === null) return;
    const id = family === 'chat' ? stringOf(event.id) : null;
    const begins =
      event.type === 'message_start' || event.type === 'response.created' || (family === 'chat' && id !== this.open.id);
    if (begins) this.flush();
    this.open.id = id;
    this.open.events.push(event);
    this.open.ranges.push(range);
  }

  private flush(): void {
    const { events, ranges } = this.open;
    this.open = { events: [], ranges: [], id: null };
    if (events.length === 0) return;
    const told = answerUsage(events);
    if (told !== null) this.writer.addUsage(told);
    const { id, model } = identity(events);
    this.writer.setModel(model);
    if (!this.named) this.sink.facts({ sessionId: id });
    this.named = true;
    if (!isFinished(events)) this.unfinished += 1;
    this.writer.add(answerOf(events), ranges);
  }

  finish(): void {
    this.flush();
    if (this.unfinished > 0)
      this.sink.warn(`${this.unfinished} answers have no end in the stream: final usage and stop reason are missing.`);
    // Streams hold answers only; calls are answered in requests that are not here.
    this.writer.close();
    this.writer.finish(this.unfinished > 0);
  }
}

function isFinished(events: readonly Fields[]): boolean {
  return events.some((event) => {
    if (event.type === 'message_stop' || /^response\.(completed|failed|incomplete)$/.test(String(event.type)))
      return true;
    return listOf(event.choices).some((choice) => stringOf(fieldsOf(choice).finish_reason) !== null);
  });
}

function completed(events: readonly Fields[]): Fields {
  return fieldsOf(events.findLast((event) => 'response' in event)?.response);
}

function identity(events: readonly Fields[]): { id: string | null; model: string | null } {
  const start = fieldsOf(events.find((event) => event.type === 'message_start')?.message);
  const about = [start, completed(events), events[0] ?? {}];
  const first = (key: string) => about.map((one) => stringOf(one[key])).find((value) => value !== null) ?? null;
  return { id: first('id'), model: first('model') };
}

function answerUsage(events: readonly Fields[]) {
  const start = fieldsOf(fieldsOf(events.find((event) => event.type === 'message_start')?.message).usage);
  const end = fieldsOf(events.findLast((event) => event.type === 'message_delta')?.usage);
  const chunk = fieldsOf(
    events.findLast((event) => Object.keys(fieldsOf(event.usage)).length > 0 && 'choices' in event)?.usage,
  );
  const told = chatUsage(fieldsOf(completed(events).usage)) ?? chatUsage(chunk) ?? chatUsage({ ...start, ...end });
  return told?.usage ?? null;
}

function answerOf(events: readonly Fields[]): StepBody {
  const family = familyOf(events[0] ?? {});
  const usage = answerUsage(events);
  const tokens = usage === null ? {} : { tokens: usageTokens(usage, family !== 'anthropic') };
  if (family === 'responses') {
    const whole = completed(events);
    const body = listOf(whole.output).length > 0 ? responseBody(whole) : responseBody({ output: deltaItems(events) });
    return { ...body, ...tokens };
  }
  if (family === 'chat') return { ...chatAnswer(events), ...tokens };
  return { ...messageBody({ role: 'assistant', content: anthropicBlocks(events) }), kind: 'agent', ...tokens };
}

/** The items of a response whose last event is missing. */
function deltaItems(events: readonly Fields[]): unknown[] {
  const items = events.filter((event) => event.type === 'response.output_item.done').map((event) => event.item);
  if (items.length > 0) return items;
  const text = events
    .filter((event) => event.type === 'response.output_text.delta')
    .map((event) => stringOf(event.delta) ?? '');
  return [{ type: 'message', role: 'assistant', content: text.join('') }];
}

function anthropicBlocks(events: readonly Fields[]): unknown[] {
  const blocks = new Map<unknown, Record<string, unknown>>();
  for (const event of events) {
    const { index, type } = event;
    if (type === 'content_block_start') blocks.set(index, { ...fieldsOf(event.content_block) });
    // Some programs add the whole block when it ends.
    if (type === 'content_block_stop' && 'content_block' in event)
      blocks.set(index, { ...fieldsOf(event.content_block) });
    const block = blocks.get(index);
    if (type !== 'content_block_delta' || block === undefined) continue;
    const delta = fieldsOf(event.delta);
    if (typeof delta.text === 'string') block.text = `${contentText(block.text)}${delta.text}`;
    if (typeof delta.thinking === 'string') block.thinking = `${contentText(block.thinking)}${delta.thinking}`;
    if (typeof delta.partial_json === 'string') block.json = `${contentText(block.json)}${delta.partial_json}`;
  }
  return [...blocks.values()].map(({ json, ...block }) =>
    json === undefined ? block : { ...block, input: argumentsOf(json) },
  );
}

function chatAnswer(events: readonly Fields[]): StepBody {
  const calls = new Map<number, { id: string; name: string; text: string }>();
  let text = '';
  for (const event of events) {
    const delta = fieldsOf(fieldsOf(listOf(event.choices)[0]).delta);
    text += stringOf(delta.content) ?? '';
    for (const [at, part] of listOf(delta.tool_calls).map(fieldsOf).entries()) {
      const index = numberOf(part.index) ?? at;
      const call = calls.get(index) ?? { id: '', name: '', text: '' };
      const about = fieldsOf(part.function);
      calls.set(index, {
        id: stringOf(part.id) ?? call.id,
        name: call.name + (stringOf(about.name) ?? ''),
        text: call.text + (stringOf(about.arguments) ?? ''),
      });
    }
  }
  const time = isoOfSeconds(events[0]?.created);
  return {
    kind: 'agent',
    text,
    calls: [...calls.values()].map((call) => ({
      id: call.id || 'unnamed',
      name: call.name || 'unnamed',
      args: argumentsOf(call.text),
    })),
    results: [],
    ...(time === null ? {} : { time }),
  };
}
