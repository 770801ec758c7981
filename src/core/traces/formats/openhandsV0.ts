import { childOf, childrenOf } from '../reading/children';
import { argumentsOf, contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { mostFit } from '../reading/head';
import { memberOf } from '../reading/jsonDocument';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange, TraceSource } from '../reading/source';
import { checkDocumentEnd, documentRange, elementsOf, tellLeftOut } from './elements';
import type { StepBody, StepCounts, StepHint, TraceFormat, TraceSink } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

/**
 * OpenHands V0: a list of events (trajectory), or one line for each instance with a `history` of them (`output.jsonl` of
 * evaluations and of the resolver). An event is an action or an observation, told by which of the keys it has. Call ids
 * repeat, so an observation belongs to the action in `cause`, or to the action before it where there is none.
 */
export const openhandsV0: TraceFormat = {
  id: 'openhands-v0',
  title: 'OpenHands V0 events',
  looksFor: 'a list of events with id, source and action or observation, or lines with history and instance_id',
  sniff(head) {
    const records = head.records.map(fieldsOf);
    if (head.document?.root === 'list') {
      return mostFit(records, 0.8, isEvent) && records.some((one) => 'source' in one) ? 0.92 : 0;
    }
    const first = records[0] ?? {};
    const instance = 'instance_id' in first || 'issue' in first;
    const history =
      Array.isArray(first.history) || (head.document !== null && memberOf(head.document, 'history')?.elements);
    return instance && history && ('metrics' in first || 'instruction' in first) ? 0.95 : 0;
  },
  async read(source, head, sink, work) {
    if (head.document?.root === 'list') {
      const history = new History(sink);
      for await (const { value, range } of elementsOf(source, head, '', sink, work))
        history.add(fieldsOf(value), range);
      checkDocumentEnd(head, sink);
      history.finish();
      return;
    }
    const notes = notesTo(sink);
    if (head.container === 'document') {
      await instance(source, fieldsOf(head.members), documentRange(head, source), sink);
      checkDocumentEnd(head, sink);
      return;
    }
    let strays = 0;
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      const record = fieldsOf(value);
      if ('history' in record) await instance(source, record, range, sink.run(String(range.offset)));
      else strays += 1;
    }
    tellLeftOut(strays, sink);
  },
  stepOf: (records, hint) => bodyOf(fieldsOf(records[0]), hint) ?? eventBody('note', ''),
};

function isEvent(record: Fields): boolean {
  return (
    ('action' in record || 'observation' in record) && ('args' in record || 'content' in record || 'message' in record)
  );
}

async function instance(source: TraceSource, record: Fields, range: ByteRange, sink: TraceSink): Promise<void> {
  const metrics = fieldsOf(record.metrics);
  const issue = numberOf(fieldsOf(record.issue).number);
  const task = stringOf(record.instance_id) ?? (issue === null ? null : String(issue));
  const configured = fieldsOf(fieldsOf(record.metadata).llm_config);
  sink.facts({
    task,
    sessionId: stringOf(record.instance_id),
    exitStatus: stringOf(record.error),
    agentVersion: stringOf(fieldsOf(record.metadata).agent_version),
  });
  const history = new History(sink, stringOf(configured.model));
  const list = childOf(await childrenOf(source, range), 'history');
  for (const place of list === undefined ? [] : await childrenOf(source, list)) {
    const value = (await source.value(place))?.value;
    // Before 0.9 the history was a list of [action, observation].
    if (Array.isArray(value)) {
      for (const [index, part] of (await childrenOf(source, place)).entries())
        history.add(fieldsOf(value[index]), part);
    } else history.add(fieldsOf(value), place);
  }
  for (const usage of listOf(metrics.token_usages).map(fieldsOf)) history.addUsage(usage);
  history.finish(numberOf(metrics.accumulated_cost));
}

class History {
  private readonly writer: RunWriter;
  private readonly responses = new Set<string>();
  private accumulated: Fields | null = null;
  private cost: number | null = null;
  private open: string | null = null;
  private count = 0;
  private began = false;

  constructor(
    private readonly sink: TraceSink,
    model: string | null = null,
  ) {
    this.writer = new RunWriter(sink, true);
    this.writer.setModel(model);
    sink.facts({ agent: 'OpenHands' });
  }

  add(event: Fields, range: ByteRange): void {
    this.count += 1;
    this.sink.time(stringOf(event.timestamp));
    const id = String(numberOf(event.id) ?? `history-${this.count}`);
    const metrics = fieldsOf(event.llm_metrics);
    if ('accumulated_cost' in metrics) {
      this.cost = numberOf(metrics.accumulated_cost);
      this.accumulated = fieldsOf(metrics.accumulated_token_usage);
    }
    const observed = 'observation' in event;
    const link = observed ? String(numberOf(event.cause) ?? this.open ?? '') : id;
    const hint = [link, observed || this.began ? 'later' : 'first'];
    const body = bodyOf(event, hint);
    if (body === null) return;
    if (body.kind === 'user') this.began = true;
    this.open = body.calls[0]?.id ?? (observed ? null : this.open);
    const response = fieldsOf(fieldsOf(event.tool_call_metadata).model_response);
    this.writer.setModel(stringOf(response.model));
    this.writer.add(body, range, hint, this.countsOf(event, body, stringOf(response.id)));
  }

  /** Parallel calls come from one response. */
  private countsOf(event: Fields, body: StepBody, response: string | null): StepCounts {
    if (body.kind === 'user') return { userMessage: true };
    if (body.event === 'compaction') return { compaction: true };
    if (body.kind !== 'agent') return {};
    const again = response !== null && this.responses.has(response);
    if (response !== null) this.responses.add(response);
    return { ...(again ? {} : { modelTurn: true }), ...(event.action === 'delegate' ? { subagentRuns: 1 } : {}) };
  }

  addUsage(usage: Fields): void {
    if (this.accumulated === null) this.writer.addUsage(usageOf(usage));
  }

  finish(cost: number | null = null): void {
    if (this.accumulated !== null) this.writer.addUsage(usageOf(this.accumulated));
    this.writer.addCost(cost ?? this.cost);
    this.writer.finish();
  }
}

function usageOf(usage: Fields) {
  return {
    input: numberOf(usage.prompt_tokens),
    output: numberOf(usage.completion_tokens),
    cached: numberOf(usage.cache_read_tokens),
  };
}

/** Events that only steer the program. */
const SILENT = new Set(['change_agent_state', 'agent_state_changed', 'null', 'pause', 'resume', 'loop_recovery']);

function bodyOf(event: Fields, hint: StepHint): StepBody | null {
  const [link, place] = Array.isArray(hint) ? hint.map(String) : ['', ''];
  const time = stringOf(event.timestamp);
  const common = time === null ? {} : { time };
  if ('observation' in event) {
    if (SILENT.has(String(event.observation))) return null;
    if (event.observation === 'recall') return eventBody('recall', contentText(event.content), common);
    return { kind: 'tool', text: '', calls: [], results: [resultOf(event, link ?? '')], ...common };
  }
  const action = String(event.action);
  if (SILENT.has(action)) return null;
  const args = 'args' in event ? fieldsOf(event.args) : event;
  const said = stringOf(args.content) ?? stringOf(event.message) ?? '';
  if (action === 'system') return textBody('system', said, common);
  // What the harness looks up for the model; the query is a text that stands elsewhere.
  if (action === 'recall') {
    const told = stringOf(event.message);
    return told === null ? null : eventBody('recall', told, common);
  }
  if (action === 'condensation') return eventBody('compaction', stringOf(args.summary) ?? said, common);
  if (action === 'message') {
    const user = event.source === 'user' || (event.source === undefined && place === 'first');
    return textBody(user ? 'user' : 'agent', said, common);
  }
  const named = fieldsOf(event.tool_call_metadata);
  const { thought, action: _, ...rest } = args;
  const call = { id: link ?? '', name: stringOf(named.function_name) ?? action, args: callArguments(named, rest) };
  return {
    kind: 'agent',
    text: stringOf(thought) ?? stringOf(args.final_thought) ?? '',
    calls: [call],
    results: [],
    ...common,
  };
}

/** As the model gave them, when its response is there; else the fields of the action. */
function callArguments(named: Fields, args: Fields): unknown {
  const choices = listOf(fieldsOf(named.model_response).choices).map((choice) => fieldsOf(fieldsOf(choice).message));
  const calls = choices.flatMap((message) => listOf(message.tool_calls).map(fieldsOf));
  const call = calls.find((one) => one.id === named.tool_call_id);
  return call === undefined ? args : argumentsOf(fieldsOf(call.function).arguments);
}

function resultOf(event: Fields, link: string) {
  const extras = fieldsOf(event.extras);
  const code = numberOf(fieldsOf(extras.metadata).exit_code) ?? numberOf(event.exit_code) ?? 0;
  const failed = event.observation === 'error' || code > 0 || event.success === false;
  return { callId: link === '' ? null : link, text: contentText(event.content), isError: failed };
}
