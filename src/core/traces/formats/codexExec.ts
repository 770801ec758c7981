import type { ToolCall, ToolResult } from '../model';
import { contentText, type Fields, fieldsOf, numberOf, stringOf } from '../reading/fields';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

/**
 * The event stream of `codex exec --json`: finished items only, each with its call and result together. Tokens come
 * with `turn.completed`, which may occur several times in a resumed thread.
 */
export const codexExec: TraceFormat = {
  id: 'codex-exec',
  title: 'codex exec --json',
  looksFor: 'JSON lines of type thread.started, item.completed, turn.completed',
  sniff(head) {
    if (head.container !== 'lines') return 0;
    const types = head.records.map((record) => String(fieldsOf(record).type));
    const started = types.some((type) => type === 'thread.started' || type === 'turn.completed');
    return started || types.filter((type) => /^item\.(started|completed)$/.test(type)).length > 0 ? 0.95 : 0;
  },
  async read(source, _head, sink, work) {
    const notes = notesTo(sink);
    const writer = new RunWriter(sink, true);
    const open = new Set<string>();
    sink.facts({ agent: 'Codex' });
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      const record = fieldsOf(value);
      const item = fieldsOf(record.item);
      sink.time(stringOf(record.timestamp));
      if (record.type === 'thread.started') sink.facts({ sessionId: stringOf(record.thread_id) });
      if (record.type === 'item.started') open.add(String(item.id));
      if (record.type === 'turn.completed') {
        const usage = fieldsOf(record.usage);
        const cached = numberOf(usage.cached_input_tokens);
        writer.addUsage({ input: numberOf(usage.input_tokens), output: numberOf(usage.output_tokens), cached });
        writer.close();
      }
      const body = bodyOf(record);
      if (body === null) continue;
      open.delete(String(item.id));
      writer.add(body, range);
    }
    if (open.size > 0) sink.warn(`${open.size} items were started and not completed: the stream ends there.`);
    writer.finish(notes.cut || open.size > 0);
  },
  stepOf: (records) => bodyOf(fieldsOf(records[0])) ?? eventBody('note', ''),
};

function bodyOf(record: Fields): StepBody | null {
  const time = stringOf(record.timestamp);
  const common = time === null ? {} : { time };
  if (record.type === 'turn.failed' || record.type === 'error') {
    const said = stringOf(fieldsOf(record.error).message) ?? stringOf(record.message) ?? '';
    return eventBody('exception', said, common);
  }
  if (record.type !== 'item.completed') return null;
  const item = fieldsOf(record.item);
  const type = String(item.type ?? item.item_type);
  if (type === 'agent_message' || type === 'assistant_message')
    return textBody('agent', contentText(item.text), common);
  if (type === 'reasoning') return eventBody('reasoning', '', { reasoning: contentText(item.text), ...common });
  if (type === 'error') return eventBody('exception', contentText(item.message), common);
  if (type === 'todo_list') return eventBody('plan', JSON.stringify(item.items ?? []), common);
  const call: ToolCall = {
    id: stringOf(item.id) ?? 'unnamed',
    name: nameOf(type, item),
    args: argumentsFor(type, item),
  };
  return { kind: 'agent', text: '', calls: [call], results: [resultOf(item, call.id)], ...common };
}

function nameOf(type: string, item: Fields): string {
  const server = stringOf(item.server);
  const tool = stringOf(item.tool);
  return tool === null ? type : server === null ? tool : `${server}.${tool}`;
}

function argumentsFor(type: string, item: Fields): unknown {
  if (type === 'command_execution') return { command: item.command };
  if (type === 'file_change') return { changes: item.changes };
  return item.arguments ?? (item.query === undefined ? {} : { query: item.query });
}

function resultOf(item: Fields, callId: string): ToolResult {
  const code = numberOf(item.exit_code) ?? 0;
  const said = item.aggregated_output ?? item.result ?? fieldsOf(item.error).message;
  const text = typeof said === 'object' && said !== null ? JSON.stringify(said) : contentText(said);
  return { callId, text, isError: code !== 0 || item.status === 'failed' || item.status === 'declined' };
}
