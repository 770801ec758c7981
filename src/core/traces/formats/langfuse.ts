import { argumentsOf, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import type { ByteRange } from '../reading/source';
import { joined, messagesIn, textOf } from './anyMessages';
import { checkDocumentEnd } from './elements';
import type { TraceFormat, TraceSink } from './format';
import { tokensFact, type Usage } from './runWriter';
import { durationOf, type SpanDialect, type SpanKind, SpanTraces, spanStep } from './spanTrace';

/**
 * Langfuse exports: a trace with its observations, or a list of observations. Inputs, outputs and metadata are JSON in
 * strings; usage is repeated by parents, so only generations count. Scores are kept by name: they are metrics of
 * evaluators, not verdicts.
 */
export const langfuse: TraceFormat = {
  id: 'langfuse',
  title: 'Langfuse trace',
  looksFor: 'an object with trace and observations, or a list of observations with parentObservationId',
  sniff(head) {
    const keys = new Set(head.document?.members.map(({ key }) => key));
    if (keys.has('trace') && keys.has('observations')) return 0.97;
    const observed = fieldsOf(listOf(head.members.observations)[0]);
    if (keys.has('observations') && (keys.has('projectId') || 'type' in observed)) return 0.95;
    const first = fieldsOf(head.records[0]);
    return head.document?.root === 'list' && 'parentObservationId' in first && 'type' in first ? 0.95 : 0;
  },
  async read(source, head, sink) {
    const trace = 'trace' in head.members ? fieldsOf(head.members.trace) : head.members;
    const spans = new SpanTraces(source, dialect);
    const list =
      head.document === null ? undefined : memberOf(head.document, head.document.root === 'list' ? '' : 'observations');
    for (const range of list?.elements ?? []) {
      const record = fieldsOf((await source.value(range))?.value);
      spans.add(rowOf(record, range));
    }
    checkDocumentEnd(head, sink);
    await spans.emit(sink, (id, run) => traceFacts(id, trace, run));
    if (spans.count === 0) sink.nothing('a Langfuse trace without observations');
  },
  stepOf: (records, hint) => spanStep(dialect, records, hint),
};

function traceFacts(id: string, trace: Fields, run: TraceSink): void {
  const scores = listOf(trace.scores).map(fieldsOf);
  const named = scores.map((score) => [String(score.name), score.value ?? score.stringValue ?? null]);
  run.facts({
    sessionId: stringOf(trace.id) ?? id,
    task: stringOf(trace.name),
    scores: named.length === 0 ? null : Object.fromEntries(named),
  });
  run.time(stringOf(trace.timestamp));
}

function rowOf(record: Fields, range: ByteRange) {
  const kind = kindOf(record);
  const start = Date.parse(stringOf(record.startTime) ?? '');
  return {
    trace: stringOf(record.traceId) ?? 'trace',
    id: stringOf(record.id) ?? '',
    parent: stringOf(record.parentObservationId),
    kind,
    name: stringOf(record.name) ?? '',
    start: Number.isNaN(start) ? null : start,
    ranges: [range],
  };
}

function kindOf(record: Fields): SpanKind {
  const type = String(record.type).toUpperCase();
  // The AI SDK's outer call repeats the answers and usage of the calls inside it.
  if (type === 'GENERATION')
    return /^ai\.(generate|stream)(Text|Object)$/.test(String(record.name)) ? 'wrapper' : 'model';
  if (type === 'TOOL') return 'tool';
  return type === 'AGENT' ? 'agent' : 'other';
}

const dialect: SpanDialect = {
  prompt: (records) => messagesIn(fieldsOf(records[0]).input, 'user'),
  answer(records) {
    const record = fieldsOf(records[0]);
    const answer = joined(messagesIn(record.output, 'assistant'));
    const { usage, cost, model } = usageOf(record);
    return {
      ...answer,
      text: answer.text || (stringOf(record.statusMessage) ?? ''),
      ...durationOf(stringOf(record.startTime), stringOf(record.endTime)),
      ...(model === null ? {} : { model }),
      ...(cost === null ? {} : { costUsd: cost }),
      ...tokensFact(usage, true),
    };
  },
  tool(records) {
    const record = fieldsOf(records[0]);
    const attributes = fieldsOf(fieldsOf(argumentsOf(record.metadata)).attributes);
    const id = stringOf(attributes['gen_ai.tool.call.id']) ?? 'unnamed';
    const failed = record.level === 'ERROR';
    const text = textOf(record.output) || (failed ? (stringOf(record.statusMessage) ?? '') : '');
    // Some frameworks put the operation before the name of the tool.
    const name = (stringOf(record.name) ?? 'unnamed').replace(/^(execute_tool|running tool:?) /, '');
    const call = { id, name, args: argumentsOf(record.input) };
    return {
      call,
      result: { callId: id, text, isError: failed },
      more: durationOf(stringOf(record.startTime), stringOf(record.endTime)),
    };
  },
  usage: (records) => usageOf(fieldsOf(records[0])),
  times: (records) => [stringOf(fieldsOf(records[0]).startTime), stringOf(fieldsOf(records[0]).endTime)],
};

function usageOf(record: Fields): { usage: Usage; cost: number | null; model: string | null } {
  const details = fieldsOf(record.usageDetails ?? record.usage);
  const cached =
    numberOf(details['prompt_details.cache_read']) ??
    numberOf(details.input_cached_tokens) ??
    numberOf(details.cache_read_input_tokens);
  const cost =
    numberOf(record.totalCost) ?? numberOf(record.calculatedTotalCost) ?? numberOf(fieldsOf(record.costDetails).total);
  return {
    usage: { input: numberOf(details.input), output: numberOf(details.output), cached },
    cost,
    model: stringOf(record.model),
  };
}
