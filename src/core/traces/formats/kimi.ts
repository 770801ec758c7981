import { argumentsOf, contentText, type Fields, fieldsOf, isoOfSeconds, numberOf, stringOf } from '../reading/fields';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

/** Wire logs of Kimi Code: parts of one answer are lines with the same `stepUuid`; usage is written twice. */
export const kimi: TraceFormat = {
  id: 'kimi',
  title: 'Kimi Code wire log',
  looksFor: 'JSON lines of type turn.prompt, context.append_loop_event, llm.request',
  sniff(head) {
    const types = head.container === 'lines' ? head.records.map((record) => String(fieldsOf(record).type)) : [];
    return types.some(
      (type) => type === 'context.append_loop_event' || type === 'turn.prompt' || type === 'llm.request',
    )
      ? 0.95
      : 0;
  },
  async read(source, _head, sink, work) {
    const notes = notesTo(sink);
    const writer = new RunWriter(sink, false);
    sink.facts({ agent: 'Kimi Code' });
    let open: { records: Fields[]; ranges: ByteRange[] } = { records: [], ranges: [] };
    const flush = () => {
      if (open.records.length > 0) writer.add(bodyOf(open.records), open.ranges);
      open = { records: [], ranges: [] };
    };
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      const record = fieldsOf(value);
      sink.time(timeOf(record));
      const event = fieldsOf(record.event);
      if (record.type === 'llm.request') writer.setModel(stringOf(record.model));
      if (record.type === 'usage.record') {
        const usage = fieldsOf(record.usage);
        const [cached, cacheWrite] = [numberOf(usage.inputCacheRead), numberOf(usage.inputCacheCreation)];
        writer.addUsage({ input: numberOf(usage.inputOther), output: numberOf(usage.output), cached, cacheWrite });
      }
      const part = event.type === 'content.part' || event.type === 'tool.call';
      if (part && open.records.some((one) => fieldsOf(one.event).stepUuid !== event.stepUuid)) flush();
      if (part) {
        open.records.push(record);
        open.ranges.push(range);
      } else if (event.type === 'step.end') flush();
      else if (isStep(record)) {
        flush();
        writer.add(bodyOf([record]), range);
      }
    }
    flush();
    writer.finish(notes.cut);
  },
  stepOf: (records) => bodyOf(records.map(fieldsOf)),
};

function timeOf(record: Fields): string | null {
  return isoOfSeconds((numberOf(record.time) ?? 0) / 1000);
}

function isStep(record: Fields): boolean {
  const event = fieldsOf(record.event);
  return record.type === 'turn.prompt' || record.type === 'context.apply_compaction' || event.type === 'tool.result';
}

function bodyOf(records: readonly Fields[]): StepBody {
  const first = records[0] ?? {};
  const time = timeOf(first);
  const common = time === null ? {} : { time };
  if (first.type === 'turn.prompt') return textBody('user', contentText(first.input), common);
  if (first.type === 'context.apply_compaction') return eventBody('compaction', stringOf(first.summary) ?? '', common);
  const events = records.map((record) => fieldsOf(record.event));
  const [event] = events;
  if (event?.type === 'tool.result') {
    const result = fieldsOf(event.result);
    const text = contentText(result.output ?? result.message);
    const isError = result.isError === true || result.is_error === true;
    return {
      kind: 'tool',
      text: '',
      calls: [],
      results: [{ callId: stringOf(event.toolCallId), text, isError }],
      ...common,
    };
  }
  const parts = events.map((one) => fieldsOf(one.part));
  const reasoning = parts.map((part) => stringOf(part.think) ?? '').join('');
  return {
    kind: 'agent',
    text: parts.map((part) => stringOf(part.text) ?? '').join(''),
    calls: events
      .filter((one) => one.type === 'tool.call')
      .map((one) => ({
        id: stringOf(one.toolCallId) ?? 'unnamed',
        name: stringOf(one.name) ?? 'unnamed',
        args: argumentsOf(one.args),
      })),
    results: [],
    ...(reasoning === '' ? {} : { reasoning }),
    ...common,
  };
}
