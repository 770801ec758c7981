import { type Fields, fieldsOf, listOf, stringOf } from '../reading/fields';
import { mostFit } from '../reading/head';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import { checkDocumentEnd, elementsOf } from './elements';
import type { StepBody, StepHint, TraceFormat } from './format';
import { CallNumbering, partsBody, usageOf } from './geminiParts';
import { eventBody, RunWriter, tokensFact } from './runWriter';

/** Gemini's own message list (`Content[]`), as `/chat save` and other programs write it. */
export const geminiContent: TraceFormat = {
  id: 'gemini-content',
  title: 'Gemini content list',
  looksFor: 'a list, or contents, of objects with role user or model and parts',
  sniff(head) {
    const contents = listOf(head.members.contents);
    const list = head.document?.root === 'list' || head.container === 'lines' || contents.length > 0;
    const records = contents.length > 0 ? contents : head.records;
    const isContent = (one: Fields) => (one.role === 'user' || one.role === 'model') && Array.isArray(one.parts);
    return list && mostFit(records, 0.8, isContent) ? 0.9 : 0;
  },
  async read(source, head, sink, work) {
    const writer = new RunWriter(sink, true);
    const numbering = new CallNumbering();
    const add = (value: unknown, range: ByteRange) => {
      const content = fieldsOf(value);
      const ids = numbering.ids(content.parts);
      writer.add(partsBody(content.role, content.parts, ids), range, ids);
    };
    if (head.container === 'lines') {
      const notes = notesTo(sink);
      for await (const { value, range } of jsonRecords(source, notes, work)) add(value, range);
      writer.finish(notes.cut);
      return;
    }
    if (/trajectory\.json$/i.test(source.file))
      sink.warn('It is named like an ATIF trajectory, but is a Gemini content list.');
    const list = head.document?.root === 'list' ? '' : 'contents';
    writer.setModel(stringOf(head.members.model));
    for await (const { value, range } of elementsOf(source, head, list, sink, work)) add(value, range);
    checkDocumentEnd(head, sink);
    writer.finish();
  },
  stepOf(records, hint) {
    const content = fieldsOf(records[0]);
    return partsBody(content.role, content.parts, idsOf(hint));
  },
};

function idsOf(hint: StepHint): string[] {
  return Array.isArray(hint) ? hint.map(String) : [];
}

/** Qwen Code sessions: the envelope of Claude Code around the parts of Gemini; telemetry lines repeat usage. */
export const qwenCode: TraceFormat = {
  id: 'qwen-code',
  title: 'Qwen Code session',
  looksFor: 'JSON lines with uuid, sessionId and a message with parts',
  sniff(head) {
    const records = head.container === 'lines' ? head.records.map(fieldsOf) : [];
    return records.some((one) => 'uuid' in one && 'sessionId' in one && Array.isArray(fieldsOf(one.message).parts))
      ? 0.97
      : 0;
  },
  async read(source, _head, sink, work) {
    const writer = new RunWriter(sink, true);
    const notes = notesTo(sink);
    sink.facts({ agent: 'Qwen Code' });
    let known = false;
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      const record = fieldsOf(value);
      sink.time(stringOf(record.timestamp));
      if (!known && stringOf(record.sessionId) !== null) {
        sink.facts({ sessionId: stringOf(record.sessionId), agentVersion: stringOf(record.version) });
        known = true;
      }
      const body = qwenBody(record);
      if (body === null) continue;
      if (body.kind === 'agent') writer.addUsage(usageOf(fieldsOf(record.usageMetadata)));
      writer.add(body, range);
    }
    writer.finish(notes.cut);
  },
  stepOf: (records) => qwenBody(fieldsOf(records[0])) ?? eventBody('note', ''),
};

function qwenBody(record: Fields): StepBody | null {
  const time = stringOf(record.timestamp);
  const common = time === null ? {} : { time };
  if (record.type === 'system') {
    if (!/compress|compact/.test(String(record.subtype))) return null;
    return eventBody('compaction', JSON.stringify(record.systemPayload ?? {}), common);
  }
  const message = fieldsOf(record.message);
  if (!Array.isArray(message.parts)) return null;
  const body = partsBody(record.type === 'assistant' ? 'model' : 'user', message.parts);
  const status = fieldsOf(record.toolCallResult).status;
  const results = body.results.map((result) => ({ ...result, isError: result.isError || status === 'error' }));
  const model = stringOf(record.model);
  const tokens = tokensFact(usageOf(fieldsOf(record.usageMetadata)), true);
  return { ...body, results, ...common, ...(model === null ? {} : { model }), ...tokens };
}
