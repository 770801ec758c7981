import { argumentsOf, contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import { checkDocumentEnd, elementsOf } from './elements';
import type { StepBody, TraceFormat } from './format';
import { RunWriter, textBody } from './runWriter';

/**
 * AgentDojo runs. Their outcome is two booleans, and what `security: true` means differs by version, so both are kept as
 * scores under their names and no verdict is made of them. A file is rewritten after every message; a killed run leaves a
 * valid part.
 */
export const agentDojo: TraceFormat = {
  id: 'agentdojo',
  title: 'AgentDojo run',
  looksFor: 'an object with suite_name, user_task_id or injection_task_id, and messages',
  sniff: (head) =>
    'suite_name' in head.members && ('user_task_id' in head.members || 'injection_task_id' in head.members) ? 0.96 : 0,
  async read(source, head, sink, work) {
    const { members } = head;
    const list = head.document === null ? undefined : memberOf(head.document, 'messages');
    const writer = new RunWriter(sink, true);
    const [user, injection] = [stringOf(members.user_task_id), stringOf(members.injection_task_id)];
    const attack = stringOf(members.attack_type);
    const scores = Object.fromEntries(
      ['utility', 'security'].filter((key) => key in members).map((key) => [key, members[key]]),
    );
    const error = stringOf(members.error);
    const parts = [stringOf(members.suite_name), user, injection].filter((part) => part !== null);
    sink.facts({
      task: parts.join('/'),
      sessionId: [...parts, attack].filter((part) => part !== null).join('/'),
      trial: attack,
      agent: stringOf(members.pipeline_name),
      exitStatus: error,
      scores: Object.keys(scores).length === 0 ? null : scores,
    });
    sink.time(isoOf(stringOf(members.evaluation_timestamp)));
    if (error !== null) sink.warn(`The run ended in an error: ${error.slice(0, 200)}.`);
    for await (const { value, range } of elementsOf(source, head, 'messages', sink, work))
      writer.add(bodyOf(fieldsOf(value)), range);
    checkDocumentEnd(head, sink);
    if (list === undefined) sink.warn('It has no messages.');
    if (numberOf(members.duration) !== null || members.utility !== undefined) writer.close();
    writer.finish();
  },
  stepOf: (records) => bodyOf(fieldsOf(records[0])),
};

function isoOf(stamp: string | null): string | null {
  return stamp === null ? null : stamp.replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
}

function bodyOf(message: Fields): StepBody {
  const text = contentText(message.content);
  if (message.role === 'system' || message.role === 'user') return textBody(message.role, text);
  if (message.role === 'tool') {
    const error = stringOf(message.error);
    const id = stringOf(message.tool_call_id) ?? stringOf(fieldsOf(message.tool_call).id);
    return {
      kind: 'tool',
      text: '',
      calls: [],
      results: [{ callId: id, text: text || (error ?? ''), isError: error !== null }],
    };
  }
  const calls = listOf(message.tool_calls).map((value, index) => {
    const call = fieldsOf(value);
    const about = fieldsOf(call.function);
    return {
      id: stringOf(call.id) ?? `call-${index + 1}`,
      name: stringOf(call.function) ?? stringOf(about.name) ?? 'unnamed',
      args: argumentsOf(call.args ?? about.arguments),
    };
  });
  return { kind: 'agent', text, calls, results: [] };
}
