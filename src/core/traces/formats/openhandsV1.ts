import { dirname, join } from 'node:path';
import { argumentsOf, contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { namesIn } from '../reading/folder';
import { mostFit } from '../reading/head';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange, TraceSource } from '../reading/source';
import { checkDocumentEnd, elementsOf } from './elements';
import type { StepBody, StepCounts, TraceFormat, TraceSink } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

/**
 * OpenHands V1: events with a `kind`, exported as lines or a list, or as a conversation folder with `base_state.json`
 * and one file for each event.
 */
export const openhandsV1: TraceFormat = {
  id: 'openhands-v1',
  title: 'OpenHands V1 events',
  looksFor: 'events whose kind ends in Event, with a source; or base_state.json beside an events folder',
  sniff(head) {
    if (isBaseState(fieldsOf(head.records[0]))) return 0.9;
    const isEvent = (one: Fields) => /(Event|Observation|Condensation)$/.test(String(one.kind)) && 'source' in one;
    return mostFit(head.records, 0.6, isEvent) ? 0.93 : 0;
  },
  async read(source, head, sink, work) {
    const first = fieldsOf(head.records[0]);
    if (head.container === 'document' && isBaseState(first)) {
      await readFolder(source, first, sink);
      checkDocumentEnd(head, sink);
      return;
    }
    const conversation = new Conversation(sink);
    if (head.container === 'lines') {
      const notes = notesTo(sink);
      for await (const { value, range } of jsonRecords(source, notes, work)) conversation.add(fieldsOf(value), range);
      conversation.finish(notes.cut);
    } else if (head.document?.root === 'list') {
      for await (const { value, range } of elementsOf(source, head, '', sink, work))
        conversation.add(fieldsOf(value), range);
      checkDocumentEnd(head, sink);
      conversation.finish(false);
    } else sink.nothing('one event of an OpenHands conversation; import its folder, with base_state.json');
  },
  stepOf: (records) => bodyOf(fieldsOf(records[0])) ?? eventBody('note', ''),
};

function isBaseState(record: Fields): boolean {
  return 'agent' in record && 'workspace' in record && ('execution_status' in record || 'agent_status' in record);
}

async function readFolder(source: TraceSource, state: Fields, sink: TraceSink): Promise<void> {
  const folder = join(dirname(source.file), 'events');
  const names = (await namesIn(folder)).filter((name) => /^event-\d+.*\.json$/.test(name));
  const conversation = new Conversation(sink);
  sink.facts({
    sessionId: stringOf(state.id),
    exitStatus: stringOf(state.execution_status),
    partFiles: names.map((name) => join(folder, name)),
  });
  for (const name of names) {
    const part = join('events', name);
    const range = await source.whole(part);
    const value = (await source.value(range))?.value;
    if (value === undefined) sink.warn(`${part} is no valid JSON; the event was left out.`);
    else conversation.add(fieldsOf(value), range);
  }
  conversation.finish(false, fieldsOf(state.stats));
}

class Conversation {
  private readonly writer: RunWriter;
  private readonly responses = new Set<string>();

  constructor(private readonly sink: TraceSink) {
    this.writer = new RunWriter(sink, true);
    sink.facts({ agent: 'OpenHands' });
  }

  add(event: Fields, range: ByteRange): void {
    this.sink.time(stringOf(event.timestamp));
    const body = bodyOf(event);
    if (body === null) return;
    this.writer.add(body, range, undefined, this.countsOf(event, body));
  }

  private countsOf(event: Fields, body: StepBody): StepCounts {
    if (body.kind === 'user') return { userMessage: true };
    if (body.event === 'compaction') return { compaction: true };
    if (body.kind !== 'agent') return {};
    const response = stringOf(event.llm_response_id);
    const again = response !== null && this.responses.has(response);
    if (response !== null) this.responses.add(response);
    return again ? {} : { modelTurn: true };
  }

  /** `stats` are cumulative over the whole conversation, so they are only used where all of it is there. */
  finish(cut: boolean, stats: Fields = {}): void {
    for (const metrics of Object.values(fieldsOf(stats.usage_to_metrics)).map(fieldsOf)) {
      const usage = fieldsOf(metrics.accumulated_token_usage);
      this.writer.setModel(stringOf(metrics.model_name));
      this.writer.addCost(numberOf(metrics.accumulated_cost));
      this.writer.addUsage({
        input: numberOf(usage.prompt_tokens),
        output: numberOf(usage.completion_tokens),
        cached: numberOf(usage.cache_read_tokens),
      });
    }
    // A conversation may pause after any result and go on later.
    this.writer.finish(cut, true);
  }
}

function bodyOf(event: Fields): StepBody | null {
  const time = stringOf(event.timestamp);
  const common = time === null ? {} : { time };
  const kind = String(event.kind);
  if (kind === 'SystemPromptEvent') return textBody('system', contentText(event.system_prompt), common);
  if (kind === 'MessageEvent') {
    const message = fieldsOf(event.llm_message);
    const role = message.role === 'user' || event.source === 'user' ? 'user' : 'agent';
    return { ...textBody(role, contentText(message.content), common), ...reasoningOf(message) };
  }
  if (kind === 'ActionEvent') {
    const call = {
      id: stringOf(event.tool_call_id) ?? stringOf(event.id) ?? 'unnamed',
      name: stringOf(event.tool_name) ?? 'unnamed',
      args: argumentsFor(event),
    };
    const text = contentText(event.thought);
    return { kind: 'agent', text, calls: [call], results: [], ...reasoningOf(event), ...common };
  }
  if (/^(ObservationEvent|AgentErrorEvent|UserRejectObservation)$/.test(kind)) {
    const observation = fieldsOf(event.observation);
    const text = contentText(observation.content ?? event.error ?? event.rejection_reason ?? event.observation);
    const code = numberOf(observation.exit_code) ?? 0;
    const isError = kind !== 'ObservationEvent' || observation.is_error === true || code > 0;
    const result = { callId: stringOf(event.tool_call_id) ?? stringOf(event.action_id), text, isError };
    return { kind: 'tool', text: '', calls: [], results: [result], ...common };
  }
  if (kind === 'Condensation') return eventBody('compaction', stringOf(event.summary) ?? '', common);
  if (kind === 'ConversationErrorEvent')
    return eventBody(
      'exception',
      [stringOf(event.code), stringOf(event.detail)].filter((one) => one !== null).join(': '),
      common,
    );
  return null;
}

function argumentsFor(event: Fields): unknown {
  const call = fieldsOf(event.tool_call);
  return argumentsOf(call.arguments ?? fieldsOf(call.function).arguments ?? event.action);
}

function reasoningOf(record: Fields): { reasoning?: string } {
  const told = stringOf(record.reasoning_content);
  if (told !== null) return { reasoning: told };
  const blocks = listOf(record.thinking_blocks).map((block) => stringOf(fieldsOf(block).thinking) ?? '');
  const joined = blocks.filter((one) => one !== '').join('\n');
  return joined === '' ? {} : { reasoning: joined };
}
