import { type Child, childOf, childrenOf } from '../reading/children';
import { type Fields, fieldsOf, listOf, stringOf } from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange, TraceSource } from '../reading/source';
import { checkDocumentEnd, documentRange, tellLeftOut } from './elements';
import type { TraceFormat } from './format';
import { otelDialect, otelSpan, spanKind } from './otelSpans';
import { SpanTraces, spanStep } from './spanTrace';

/**
 * OpenTelemetry spans of generative models: OTLP/JSON (one document, or one export request a line), span lists of the
 * JavaScript SDK and of Phoenix, and the bare attributes of one span. One run for each trace.
 */
export const otel: TraceFormat = {
  id: 'otel',
  title: 'OpenTelemetry or OpenInference spans',
  looksFor: 'resourceSpans, or spans with trace ids and gen_ai.*, llm.* or ai.* attributes',
  sniff(head) {
    const first = fieldsOf(head.records[0]);
    if (head.document !== null && memberOf(head.document, 'resourceSpans') !== undefined) return 0.97;
    if ('resourceSpans' in first) return 0.97;
    if (isSpan(first)) return 0.95;
    return head.document?.root === 'object' && isAttributes(first) ? 0.9 : 0;
  },
  async read(source, head, sink, work) {
    const spans = new SpanTraces(source, otelDialect);
    const first = fieldsOf(head.records[0]);
    if (head.container === 'lines') {
      const notes = notesTo(sink);
      let strays = 0;
      for await (const { value, range } of jsonRecords(source, notes, work)) {
        const record = fieldsOf(value);
        if ('resourceSpans' in record) await batch(source, range, spans);
        else if (isSpan(record)) addSpan(record, range, spans);
        else strays += 1;
      }
      tellLeftOut(strays, sink);
    } else if (head.document?.root === 'list') {
      for (const range of head.document.members[0]?.elements ?? []) {
        const value = fieldsOf((await source.value(range))?.value);
        if ('resourceSpans' in value) await batch(source, range, spans);
        else addSpan(value, range, spans);
      }
    } else if (head.document !== null && memberOf(head.document, 'resourceSpans') !== undefined) {
      await batch(source, documentRange(head, source), spans);
    } else {
      if (!isSpan(first)) sink.warn('Only the attributes of one span: it has no identifiers and no times.');
      addSpan(first, documentRange(head, source), spans);
    }
    checkDocumentEnd(head, sink);
    const agent = fieldsOf(head.members.copilotChat);
    await spans.emit(sink, (trace, run) =>
      run.facts({
        sessionId: stringOf(agent.sessionId) ?? (trace === '' ? null : trace),
        title: stringOf(agent.sessionTitle),
      }),
    );
    if (spans.count === 0) sink.nothing('OpenTelemetry data without spans');
  },
  stepOf: (records, hint) => spanStep(otelDialect, records, hint),
};

function isSpan(record: Fields): boolean {
  const context = fieldsOf(record.context ?? record.spanContext);
  const ids = 'traceId' in record || 'trace_id' in context || 'traceId' in context;
  return ids && ('attributes' in record || 'span_kind' in record);
}

function isAttributes(record: Fields): boolean {
  const known = Object.keys(record).filter((key) => /^(gen_ai|llm|openinference|ai)\.[a-z]/.test(key));
  return known.length >= 2;
}

function addSpan(record: Fields, range: ByteRange, spans: SpanTraces): void {
  const span = otelSpan(record);
  const { trace, id, parent, name, startMs } = span;
  spans.add({ trace, id, parent, name, start: startMs, kind: spanKind(span), ranges: [range] });
}

/** The spans of one export request, found without holding it whole. */
async function batch(source: TraceSource, range: ByteRange, spans: SpanTraces): Promise<void> {
  const inside = async (place: ByteRange, ...keys: string[]): Promise<Child[]> => {
    const children = await childrenOf(source, place);
    const list = keys.map((key) => childOf(children, key)).find((child) => child !== undefined);
    return list === undefined ? [] : childrenOf(source, list);
  };
  for (const resource of await inside(range, 'resourceSpans')) {
    for (const scope of await inside(resource, 'scopeSpans', 'instrumentationLibrarySpans')) {
      for (const place of await inside(scope, 'spans')) {
        const value = (await source.value(place))?.value;
        if (listOf(value).length === 0 && value !== undefined) addSpan(fieldsOf(value), place, spans);
      }
    }
  }
}
