import { contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

/**
 * Recorded calls of Anthropic's managed agents, `[method, payload]` a line: the session's event stream tells all; what the
 * user sent is repeated in it. Results of calls come as events of their own, tokens when a request ends.
 */
export const managedAgents: TraceFormat = {
  id: 'managed-agents',
  title: 'Anthropic managed agents stream',
  looksFor:
    'JSON lines [method, payload] with session events, or events of type agent.message and span.model_request_end',
  sniff(head) {
    if (head.container !== 'lines') return 0;
    const events = head.records.map(eventOf);
    const known = events.filter((event) => /^(session|agent|user|span)\.[a-z_]+$/.test(String(event.type)));
    const agent = known.some(
      (event) => /^(agent\.|span\.model_request)/.test(String(event.type)) && 'processed_at' in event,
    );
    return agent && known.length >= events.length * 0.5 ? 0.95 : 0;
  },
  async read(source, _head, sink, work) {
    const notes = notesTo(sink);
    const writer = new RunWriter(sink, false);
    let turns = 0;
    let answered = true;
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      const [method, payload] = listOf(value);
      if (method === 'client.beta.sessions.create') {
        const agent = fieldsOf(fieldsOf(payload).agent);
        writer.setModel(stringOf(fieldsOf(agent.model).id) ?? stringOf(agent.model));
        sink.facts({ agent: stringOf(agent.name), sessionId: stringOf(fieldsOf(payload).id) });
      }
      if (method === 'client.beta.sessions.events.send') sink.facts({ sessionId: stringOf(listOf(payload)[0]) });
      const event = eventOf(value);
      sink.time(stringOf(event.processed_at));
      if (event.type === 'span.model_request_start') answered = false;
      if (event.type === 'span.model_request_end') {
        const usage = fieldsOf(event.model_usage);
        writer.addUsage({
          input: numberOf(usage.input_tokens),
          output: numberOf(usage.output_tokens),
          cached: numberOf(usage.cache_read_input_tokens),
          cacheWrite: numberOf(usage.cache_creation_input_tokens),
        });
      }
      const body = bodyOf(event);
      if (body === null) continue;
      // Text and calls between the start and the end of one request are one turn.
      const turn = body.kind === 'agent' && !answered;
      if (turn) turns += 1;
      if (body.kind === 'agent') answered = true;
      writer.add(
        body,
        range,
        undefined,
        body.kind === 'user' ? { userMessage: true } : turn ? { modelTurn: true } : {},
      );
    }
    if (turns === 0) sink.warn('No request to a model is in the stream.');
    writer.finish(notes.cut);
  },
  stepOf: (records) => bodyOf(eventOf(records[0])) ?? eventBody('note', ''),
};

function eventOf(value: unknown): Fields {
  if (!Array.isArray(value)) return fieldsOf(value);
  return /events\.stream$/.test(String(value[0])) ? fieldsOf(value[1]) : {};
}

function bodyOf(event: Fields): StepBody | null {
  const type = String(event.type);
  const time = stringOf(event.processed_at);
  const common = time === null ? {} : { time };
  if (type === 'user.message') return textBody('user', contentText(event.content), common);
  if (type === 'agent.message') return textBody('agent', contentText(event.content), common);
  if (/^agent\.(\w+_)?tool_use$/.test(type)) {
    const server = stringOf(event.mcp_server_name);
    const name = stringOf(event.name) ?? 'unnamed';
    const call = {
      id: stringOf(event.id) ?? 'unnamed',
      name: server === null ? name : `${server}.${name}`,
      args: event.input ?? {},
    };
    return { kind: 'agent', text: '', calls: [call], results: [], ...common };
  }
  if (/^(agent|user)\.(\w+_)?tool_result$/.test(type)) {
    const id = stringOf(event.tool_use_id) ?? stringOf(event.mcp_tool_use_id) ?? stringOf(event.custom_tool_use_id);
    const result = { callId: id, text: contentText(event.content), isError: event.is_error === true };
    return { kind: 'tool', text: '', calls: [], results: [result], ...common };
  }
  if (type === 'session.error') return eventBody('exception', contentText(fieldsOf(event.error).message), common);
  return type === 'agent.thread_context_compacted' ? eventBody('compaction', '', common) : null;
}
