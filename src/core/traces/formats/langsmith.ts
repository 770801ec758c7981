import { childOf, childrenOf } from '../reading/children';
import { argumentsOf, type Fields, fieldsOf, numberOf, stringOf } from '../reading/fields';
import { splitLines } from '../reading/jsonLines';
import type { ByteRange, TraceSource } from '../reading/source';
import { joined, messagesIn, textOf } from './anyMessages';
import { checkDocumentEnd, documentRange, tellLeftOut } from './elements';
import type { StepBody, TraceFormat } from './format';
import { tokensFact, type Usage } from './runWriter';
import { durationOf, type SpanDialect, type SpanKind, SpanTraces, spanStep } from './spanTrace';

/**
 * LangSmith runs: ingest batches (`post` with the start, `patch` with outputs and end of the same run), lists of runs,
 * or one run a line. Tokens are repeated by parents, so only runs of type llm count.
 */
export const langsmith: TraceFormat = {
  id: 'langsmith',
  title: 'LangSmith runs',
  looksFor: 'post and patch lists, or objects with run_type and dotted_order or trace_id',
  sniff(head) {
    const keys = new Set(head.document?.members.map(({ key }) => key));
    const first = fieldsOf(head.records[0]);
    const batch = (keys.has('post') || keys.has('patch')) && keys.size <= 3;
    return batch || ('run_type' in first && ('dotted_order' in first || 'trace_id' in first)) ? 0.96 : 0;
  },
  async read(source, head, sink) {
    const rows = new Map<string, { record: Record<string, unknown>; ranges: ByteRange[] }>();
    const add = (record: Fields, range: ByteRange) => {
      const id = stringOf(record.id) ?? `at ${range.offset}`;
      const known = rows.get(id) ?? { record: {}, ranges: [] };
      for (const key of ['trace_id', 'parent_run_id', 'run_type', 'name', 'start_time', 'dotted_order'])
        known.record[key] ??= record[key] ?? undefined;
      known.ranges.push(range);
      rows.set(id, known);
    };
    const places: ByteRange[] = [];
    if (head.document?.root === 'list') places.push(...(head.document.members[0]?.elements ?? []));
    else {
      const root = await childrenOf(source, documentRange(head, source));
      const batches = ['post', 'patch'].flatMap((key) => childOf(root, key) ?? []);
      for (const batch of batches) places.push(...(await childrenOf(source, batch)));
      if (batches.length === 0) places.push(...(await linesOf(source)));
    }
    let strays = 0;
    for (const place of places) {
      const record = fieldsOf((await source.value(place))?.value);
      if ('id' in record || 'run_type' in record) add(record, place);
      else strays += 1;
    }
    tellLeftOut(strays, sink);
    const spans = new SpanTraces(source, runDialect);
    for (const [id, { record, ranges }] of rows) spans.add(runRow(id, record, ranges));
    checkDocumentEnd(head, sink);
    await spans.emit(sink, (trace, run) => {
      const root = rows.get(trace)?.record ?? {};
      run.facts({ sessionId: trace, task: stringOf(root.name) });
    });
    if (spans.count === 0) sink.nothing('a LangSmith batch without runs');
  },
  stepOf: (records, hint) => spanStep(runDialect, records, hint),
};

async function linesOf(source: TraceSource): Promise<ByteRange[]> {
  const found: ByteRange[] = [];
  for await (const { offset, length, bytes } of splitLines(source))
    if (bytes !== null && bytes.length > 1) found.push({ offset, length });
  return found;
}

function runRow(id: string, record: Fields, ranges: ByteRange[]) {
  const type = String(record.run_type);
  const kind: SpanKind = type === 'llm' ? 'model' : type === 'tool' ? 'tool' : 'other';
  const start = Date.parse(stringOf(record.start_time) ?? '');
  return {
    trace: stringOf(record.trace_id) ?? id,
    id,
    parent: stringOf(record.parent_run_id),
    kind,
    name: stringOf(record.name) ?? '',
    start: Number.isNaN(start) ? null : start,
    ranges,
  };
}

/** Post and patch as one run; what the patch tells anew counts. */
function merged(records: readonly unknown[]): Fields {
  const whole: Record<string, unknown> = {};
  for (const record of records.map(fieldsOf)) {
    for (const [key, value] of Object.entries(record)) {
      const empty =
        value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
      if (!empty) whole[key] = value;
    }
  }
  return whole;
}

const runDialect: SpanDialect = {
  prompt: (records) => messagesIn(merged(records).inputs, 'user'),
  answer(records) {
    const run = merged(records);
    const answer = joined(messagesIn(run.outputs, 'assistant'));
    const { usage, model } = runUsage(run);
    return {
      ...answer,
      text: answer.text || (stringOf(run.error) ?? ''),
      ...runTimes(run),
      ...(model === null ? {} : { model }),
      ...tokensFact(usage, true),
    };
  },
  tool(records) {
    const run = merged(records);
    const output = fieldsOf(run.outputs);
    const id =
      stringOf(fieldsOf(output.output).tool_call_id) ?? stringOf(fieldsOf(run.inputs).tool_call_id) ?? 'unnamed';
    const error = stringOf(run.error);
    const text = error ?? textOf(output.output ?? run.outputs);
    const call = {
      id,
      name: stringOf(run.name) ?? 'unnamed',
      args: argumentsOf(fieldsOf(run.inputs).input ?? run.inputs),
    };
    return { call, result: { callId: id, text, isError: error !== null }, more: runTimes(run) };
  },
  usage: (records) => runUsage(merged(records)),
  times: (records) => [stringOf(merged(records).start_time), stringOf(merged(records).end_time)],
};

function runUsage(run: Fields): { usage: Usage; cost: number | null; model: string | null } {
  const outputs = fieldsOf(run.outputs);
  const told = fieldsOf(outputs.usage_metadata ?? outputs.usage ?? fieldsOf(outputs.llm_output).token_usage);
  const metadata = fieldsOf(fieldsOf(run.extra).metadata);
  const cached =
    numberOf(fieldsOf(told.input_token_details).cache_read) ??
    numberOf(fieldsOf(told.prompt_tokens_details).cached_tokens);
  return {
    usage: {
      input: numberOf(told.input_tokens) ?? numberOf(told.prompt_tokens) ?? numberOf(run.prompt_tokens),
      output: numberOf(told.output_tokens) ?? numberOf(told.completion_tokens) ?? numberOf(run.completion_tokens),
      cached,
    },
    cost: numberOf(run.total_cost),
    model: stringOf(outputs.model) ?? stringOf(metadata.ls_model_name),
  };
}

function runTimes(run: Fields): Partial<StepBody> {
  return durationOf(stringOf(run.start_time), stringOf(run.end_time));
}
