import type { ToolCall } from '../model';
import { argumentsOf, contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { mostFit } from '../reading/head';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

/**
 * Events of Copilot CLI. Calls stand in the message and again as `tool.execution_start`; they are taken from the
 * message. What a sub-agent says in between names the call that started it, and is shown but not counted.
 */
export const copilotCli: TraceFormat = {
  id: 'copilot-cli',
  title: 'Copilot CLI events',
  looksFor: 'JSON lines of type session.start, user.message, assistant.message with data',
  sniff(head) {
    const isEvent = (one: Fields) =>
      /^(session|user|assistant|tool|subagent)\.[a-z_]+$/.test(String(one.type)) && 'data' in one;
    return head.container === 'lines' && mostFit(head.records, 0.5, isEvent) ? 0.95 : 0;
  },
  async read(source, _head, sink, work) {
    const notes = notesTo(sink);
    const writer = new RunWriter(sink, true);
    let output: number | null = null;
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      const record = fieldsOf(value);
      const data = fieldsOf(record.data);
      sink.time(stringOf(record.timestamp));
      if (record.type === 'session.start') {
        sink.facts({
          sessionId: stringOf(data.sessionId),
          agent: 'Copilot CLI',
          agentVersion: stringOf(data.copilotVersion),
        });
        writer.setModel(stringOf(data.selectedModel));
      }
      if (record.type === 'session.shutdown' || record.type === 'abort') writer.close();
      const body = bodyOf(record);
      if (body === null) continue;
      if (body.kind === 'agent') output = (output ?? 0) + (numberOf(data.outputTokens) ?? 0);
      const started = record.type === 'subagent.started' ? { subagentRuns: 1 } : undefined;
      writer.add(body, range, undefined, started);
    }
    if (output !== null && output > 0) writer.addUsage({ input: null, output });
    writer.finish(notes.cut);
  },
  stepOf: (records) => bodyOf(fieldsOf(records[0])) ?? eventBody('note', ''),
};

function bodyOf(record: Fields): StepBody | null {
  const data = fieldsOf(record.data);
  const time = stringOf(record.timestamp);
  const common = time === null ? {} : { time };
  const text = contentText(data.content);
  const inside = stringOf(data.parentToolCallId) !== null;
  switch (record.type) {
    case 'user.message':
      return textBody('user', text, common);
    case 'system.message':
      return textBody('system', text, common);
    case 'assistant.message': {
      if (inside) return eventBody('subagent_message', text, common);
      const model = stringOf(data.model);
      const reasoning = stringOf(data.reasoningText);
      return {
        kind: 'agent',
        text,
        calls: listOf(data.toolRequests).map((request) => callOf(fieldsOf(request))),
        results: [],
        ...common,
        ...(model === null ? {} : { model }),
        ...(reasoning === null ? {} : { reasoning }),
      };
    }
    case 'tool.execution_complete': {
      if (inside) return null;
      const said = contentText(fieldsOf(data.result).content) || (stringOf(fieldsOf(data.error).message) ?? '');
      const result = { callId: stringOf(data.toolCallId), text: said, isError: data.success === false };
      return { kind: 'tool', text: '', calls: [], results: [result], ...common };
    }
    case 'subagent.started':
      return eventBody('subagent', stringOf(data.agentDisplayName) ?? stringOf(data.agentName) ?? '', common);
    case 'session.truncation':
    case 'session.compaction_complete':
      return eventBody('compaction', contentText(data.summaryContent), common);
    case 'session.error':
      return eventBody('exception', stringOf(data.message) ?? '', common);
    case 'abort':
      return eventBody('aborted', stringOf(data.reason) ?? '', common);
    default:
      return null;
  }
}

function callOf(request: Fields): ToolCall {
  return {
    id: stringOf(request.toolCallId) ?? 'unnamed',
    name: stringOf(request.name) ?? 'unnamed',
    args: argumentsOf(request.arguments),
  };
}
