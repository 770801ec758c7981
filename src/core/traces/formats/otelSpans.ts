import { argumentsOf, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { joined, messagesIn, textOf } from './anyMessages';
import type { StepBody } from './format';
import { tokensFact, type Usage } from './runWriter';
import type { SpanDialect, SpanKind } from './spanTrace';

/** One span, whichever program wrote it: OTLP/JSON, the JavaScript SDK, Phoenix, or only its attributes. */
export interface OtelSpan {
  trace: string;
  id: string;
  parent: string | null;
  name: string;
  start: string | null;
  end: string | null;
  startMs: number | null;
  /** What went wrong, when the status is an error. */
  error: string | null;
  attributes: Fields;
}

export function otelSpan(record: Fields): OtelSpan {
  const context = fieldsOf(record.context ?? record.spanContext);
  const start = milliseconds(record.startTimeUnixNano ?? record.start_time ?? record.startTime);
  const end = milliseconds(record.endTimeUnixNano ?? record.end_time ?? record.endTime);
  const status = fieldsOf(record.status);
  const code = String(status.code ?? status.status_code ?? record.status_code ?? '');
  const failed = /^(2|STATUS_CODE_ERROR|ERROR)$/.test(code);
  const hasEnvelope = 'attributes' in record || 'spanId' in record || 'context' in record;
  const parent =
    stringOf(record.parentSpanId) ?? stringOf(record.parent_id) ?? stringOf(fieldsOf(record.parentSpanContext).spanId);
  return {
    trace: stringOf(record.traceId) ?? stringOf(context.trace_id) ?? stringOf(context.traceId) ?? '',
    id: stringOf(record.spanId) ?? stringOf(context.span_id) ?? stringOf(context.spanId) ?? '',
    parent,
    name: stringOf(record.name) ?? '',
    start: iso(start),
    end: iso(end),
    startMs: start,
    error: failed ? (stringOf(status.message) ?? stringOf(record.status_message) ?? 'error') : null,
    attributes: hasEnvelope ? withKind(attributesOf(record), record) : record,
  };
}

function withKind(attributes: Fields, record: Fields): Fields {
  const kind = stringOf(record.span_kind);
  return kind === null ? attributes : { 'openinference.span.kind': kind, ...attributes };
}

/** Nanoseconds since 1970 as text (they do not fit a number), ISO text, or the pair of the JavaScript SDK. */
function milliseconds(value: unknown): number | null {
  if (Array.isArray(value)) return Number(value[0]) * 1000 + Number(value[1] ?? 0) / 1e6;
  const text = String(value ?? '');
  if (/^\d{16,20}$/.test(text)) return Number(BigInt(text) / 1000n) / 1000;
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}

function iso(value: number | null): string | null {
  return value === null || !(Math.abs(value) < 8e15) ? null : new Date(Math.floor(value)).toISOString();
}

/** Attributes as a map: OTLP lists pairs with typed values, other exports nest or flatten them. */
function attributesOf(record: Fields): Fields {
  if (!Array.isArray(record.attributes)) return flattened(fieldsOf(record.attributes));
  const found: Record<string, unknown> = {};
  for (const pair of listOf(record.attributes).map(fieldsOf)) found[String(pair.key)] = anyValue(fieldsOf(pair.value));
  return found;
}

function anyValue(value: Fields): unknown {
  if ('stringValue' in value) return value.stringValue;
  if ('intValue' in value) return Number(value.intValue);
  if ('doubleValue' in value) return Number(value.doubleValue);
  if ('boolValue' in value) return value.boolValue;
  if ('arrayValue' in value) return listOf(fieldsOf(value.arrayValue).values).map((one) => anyValue(fieldsOf(one)));
  if ('kvlistValue' in value) return attributesOf({ attributes: fieldsOf(value.kvlistValue).values });
  return null;
}

function flattened(value: Fields, prefix = '', into: Record<string, unknown> = {}, depth = 0): Fields {
  for (const [key, one] of Object.entries(value)) {
    const name = `${prefix}${key}`;
    const nested = typeof one === 'object' && one !== null && depth < 8;
    if (nested && !(Array.isArray(one) && one.every((part) => typeof part !== 'object')))
      flattened({ ...one }, `${name}.`, into, depth + 1);
    else into[name] = one;
  }
  return into;
}

export function spanKind({ attributes, name }: OtelSpan): SpanKind {
  const operation = String(attributes['gen_ai.operation.name'] ?? '');
  const sdk = String(attributes['ai.operationId'] ?? '');
  const inference = String(attributes['openinference.span.kind'] ?? '').toUpperCase();
  const traceloop = String(attributes['traceloop.span.kind'] ?? '');
  if (/\.do(Generate|Stream)$/.test(sdk)) return 'model';
  if (/toolCall$/i.test(sdk) || operation === 'execute_tool' || inference === 'TOOL' || traceloop === 'tool')
    return 'tool';
  if (/^ai\.(generate|stream)(Text|Object)$/.test(sdk)) return 'wrapper';
  if (/^(chat|text_completion|generate_content|message|completion)$/.test(operation) || inference === 'LLM')
    return 'model';
  if (/agent$/.test(operation) || inference === 'AGENT' || traceloop === 'agent') return 'agent';
  if (sdk !== '' || operation !== '' || inference !== '') return 'other';
  const asked =
    'gen_ai.request.model' in attributes || 'llm.request.type' in attributes || 'llm.model_name' in attributes;
  return asked ? 'model' : /tool/i.test(name) && 'gen_ai.tool.name' in attributes ? 'tool' : 'other';
}

/** The `gen_ai.*`, OpenInference, OpenLLMetry and AI SDK attributes. */
export const otelDialect: SpanDialect = {
  prompt(records) {
    const { attributes } = otelSpan(fieldsOf(records[0]));
    const system = messagesIn(attributes['gen_ai.system_instructions'], 'user').map((body) => ({
      ...body,
      kind: 'system' as const,
    }));
    const indexed = indexedMessages(attributes, 'llm.input_messages') ?? indexedMessages(attributes, 'gen_ai.prompt');
    const told =
      attributes['gen_ai.input.messages'] ??
      attributes['ai.prompt.messages'] ??
      attributes['gen_ai.prompt'] ??
      attributes['ai.prompt'] ??
      attributes['input.value'];
    return [...system, ...(indexed ?? messagesIn(told, 'user'))];
  },
  answer(records) {
    const span = otelSpan(fieldsOf(records[0]));
    const { attributes } = span;
    const body = answerOf(attributes);
    const { usage, model } = usageOf(attributes);
    return {
      ...body,
      ...timesOf(span),
      ...(model === null ? {} : { model }),
      ...tokensFact(usage, true),
      ...(span.error === null || body.text !== '' ? {} : { text: span.error }),
    };
  },
  tool(records) {
    const span = otelSpan(fieldsOf(records[0]));
    const { attributes } = span;
    const pick = (...keys: string[]) => keys.map((key) => attributes[key]).find((value) => value !== undefined);
    const id = stringOf(pick('gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.id')) ?? 'unnamed';
    const name =
      stringOf(pick('gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'traceloop.entity.name')) ??
      span.name.replace(/^(execute_tool|running tool:?) /, '');
    const args = argumentsOf(
      pick(
        'gen_ai.tool.call.arguments',
        'ai.toolCall.args',
        'tool.parameters',
        'input.value',
        'traceloop.entity.input',
      ),
    );
    const result = textOf(
      pick('gen_ai.tool.call.result', 'ai.toolCall.result', 'output.value', 'traceloop.entity.output'),
    );
    const text = result === '' ? (span.error ?? '') : result;
    return {
      call: { id, name, args },
      result: { callId: id, text, isError: span.error !== null },
      more: timesOf(span),
    };
  },
  usage: (records) => usageOf(otelSpan(fieldsOf(records[0])).attributes),
  times(records) {
    const { start, end } = otelSpan(fieldsOf(records[0]));
    return [start, end];
  },
};

function answerOf(attributes: Fields): StepBody {
  const indexed =
    indexedMessages(attributes, 'llm.output_messages') ?? indexedMessages(attributes, 'gen_ai.completion');
  const told = attributes['gen_ai.output.messages'] ?? attributes['gen_ai.completion'];
  const sdk = attributes['ai.response.text'] ?? attributes['ai.response.object'];
  const calls = messagesIn(attributes['ai.response.toolCalls'], 'assistant').flatMap((body) => body.calls);
  const bodies =
    indexed ?? messagesIn(told ?? sdk ?? (calls.length > 0 ? null : attributes['output.value']), 'assistant');
  const answer = joined(bodies);
  const reasoning = stringOf(attributes['ai.response.reasoning']);
  return {
    ...answer,
    calls: [...answer.calls, ...calls],
    ...(reasoning === null ? {} : { reasoning }),
  };
}

function timesOf({ start, end, startMs }: OtelSpan): Partial<StepBody> {
  const seconds = start === null || end === null || startMs === null ? null : (Date.parse(end) - startMs) / 1000;
  return { ...(start === null ? {} : { time: start }), ...(seconds === null || seconds < 0 ? {} : { seconds }) };
}

function usageOf(attributes: Fields): { usage: Usage; cost: number | null; model: string | null } {
  const first = (...keys: string[]) =>
    keys.map((key) => numberOf(attributes[key])).find((value) => value !== null) ?? null;
  const named = (...keys: string[]) =>
    keys.map((key) => stringOf(attributes[key])).find((value) => value !== null) ?? null;
  return {
    usage: {
      input: first(
        'gen_ai.usage.input_tokens',
        'gen_ai.usage.prompt_tokens',
        'llm.token_count.prompt',
        'ai.usage.promptTokens',
        'ai.usage.inputTokens',
      ),
      output: first(
        'gen_ai.usage.output_tokens',
        'gen_ai.usage.completion_tokens',
        'llm.token_count.completion',
        'ai.usage.completionTokens',
        'ai.usage.outputTokens',
      ),
      cached: first(
        'gen_ai.usage.cache_read.input_tokens',
        'gen_ai.usage.cache_read_input_tokens',
        'llm.token_count.prompt_details.cache_read',
        'ai.usage.cachedInputTokens',
      ),
    },
    cost: first('gen_ai.usage.cost', 'llm.cost.total'),
    model: named('ai.model.id', 'gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name'),
  };
}

/** Messages flattened by index, such as `llm.input_messages.0.message.role`. Null when there are none. */
function indexedMessages(attributes: Fields, prefix: string): StepBody[] | null {
  const messages = new Map<number, Record<string, unknown>>();
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(`${prefix}.`)) continue;
    const [index, ...rest] = key.slice(prefix.length + 1).split('.');
    const number = Number(index);
    if (!Number.isInteger(number) || number < 0 || number > 100_000) continue;
    const message = messages.get(number) ?? {};
    messages.set(number, message);
    message[rest.filter((part) => part !== 'message').join('.')] = value;
  }
  if (messages.size === 0) return null;
  return [...messages].sort(([left], [right]) => left - right).map(([, message]) => indexedMessage(message));
}

function indexedMessage(message: Fields): StepBody {
  const calls = new Map<string, Record<string, unknown>>();
  const texts: string[] = [];
  for (const [key, value] of Object.entries(message)) {
    const call = /^tool_calls\.(\d+)\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/.exec(key);
    if (call !== null) calls.set(call[1] ?? '', { ...calls.get(call[1] ?? ''), [call[2] ?? '']: value });
    else if (key === 'content' || /^contents\.\d+\.message_content\.text$/.test(key)) texts.push(textOf(value));
  }
  const role = String(message.role);
  const text = texts.join('\n');
  if (role === 'tool') {
    return {
      kind: 'tool',
      text: '',
      calls: [],
      results: [{ callId: stringOf(message.tool_call_id), text, isError: false }],
    };
  }
  return {
    kind: role === 'assistant' || role === 'model' ? 'agent' : role === 'system' ? 'system' : 'user',
    text,
    calls: [...calls.values()].map((call) => ({
      id: stringOf(call.id) ?? 'unnamed',
      name: stringOf(call.name) ?? 'unnamed',
      args: argumentsOf(call.arguments),
    })),
    results: [],
  };
}
