import { contentText, type Fields, fieldsOf, numberOf, stringOf } from '../reading/fields';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import { joined } from './anyMessages';
import { messageBody } from './chatMessage';
import { UsageMaximum } from './claudeRecords';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter, usageTokens } from './runWriter';

/**
 * What `claude -p --output-format stream-json` prints: `system/init` first, messages with their blocks (several lines for
 * one message id), a `result` with cost and usage of the whole run at the end. Lines with `parent_tool_use_id` are a
 * sub-agent's. Other output may stand between the lines.
 */
export const streamJson: TraceFormat = {
  id: 'claude-stream-json',
  title: 'Claude Code stream-json output',
  looksFor: 'JSON lines of type system with subtype init, assistant, user, result with total_cost_usd',
  sniff(head) {
    if (head.container !== 'lines') return 0;
    const records = head.records.map(fieldsOf);
    if (records.some((one) => 'parentUuid' in one)) return 0;
    const init = records.some((one) => one.type === 'system' && one.subtype === 'init' && 'session_id' in one);
    const result = records.some((one) => one.type === 'result' && 'num_turns' in one);
    return init || result
      ? 0.96
      : records.some((one) => 'session_id' in one && fieldsOf(one.message).role === 'assistant')
        ? 0.8
        : 0;
  },
  async read(source, _head, sink, work) {
    const notes = notesTo(sink);
    const writer = new RunWriter(sink, false);
    const usages = new Map<string, UsageMaximum>();
    const seen = new Set<string>();
    let open: { id: string; records: Fields[]; ranges: ByteRange[] } = { id: '', records: [], ranges: [] };
    let result: Fields | null = null;
    let sidechain = 0;
    const started = new Set<string>();
    const flush = () => {
      if (open.records.length > 0) {
        const again = seen.has(open.id);
        seen.add(open.id);
        writer.add(turnBody(open.records), open.ranges, undefined, again ? {} : { modelTurn: true });
      }
      open = { id: '', records: [], ranges: [] };
    };
    sink.facts({ agent: 'Claude Code' });
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      const record = fieldsOf(value);
      if (record.type === 'system' && record.subtype === 'init') {
        sink.facts({ sessionId: stringOf(record.session_id), agentVersion: stringOf(record.claude_code_version) });
        writer.setModel(stringOf(record.model));
      }
      sink.time(stringOf(record.timestamp));
      if (stringOf(record.parent_tool_use_id) !== null) {
        sidechain += 1;
        started.add(String(record.parent_tool_use_id));
        continue;
      }
      if (record.type === 'result') result = record;
      const message = fieldsOf(record.message);
      if (record.type === 'assistant') {
        const id = stringOf(message.id) ?? `at ${range.offset}`;
        if (id !== open.id) flush();
        open.id = id;
        open.records.push(record);
        open.ranges.push(range);
        const usage = usages.get(id) ?? new UsageMaximum();
        usage.add(fieldsOf(message.usage));
        usages.set(id, usage);
        continue;
      }
      const body = otherBody(record);
      if (body === null) continue;
      flush();
      writer.add(body, range);
    }
    flush();
    if (sidechain > 0) sink.warn(`${sidechain} lines are of sub-agents and are not shown as steps of this run.`);
    finish(writer, result, [...usages.values()]);
    if (result === null) sink.warn('There is no result at its end: the run was stopped or the output cut.');
    sink.facts({
      costUsd: numberOf(result?.total_cost_usd),
      exitStatus: stringOf(result?.subtype),
      subagentRuns: started.size,
    });
    writer.finish(notes.cut || result === null);
  },
  stepOf(records) {
    const lines = records.map(fieldsOf);
    return lines[0]?.type === 'assistant' ? turnBody(lines) : (otherBody(lines[0] ?? {}) ?? eventBody('note', ''));
  },
};

/** The result tells the usage of the whole run; without it the largest of each message is added up. */
function finish(writer: RunWriter, result: Fields | null, usages: UsageMaximum[]): void {
  const told = fieldsOf(result?.usage);
  const input = numberOf(told.input_tokens);
  if (input !== null) {
    writer.addUsage({
      input,
      output: numberOf(told.output_tokens),
      cached: numberOf(told.cache_read_input_tokens),
      cacheWrite: numberOf(told.cache_creation_input_tokens),
    });
  } else for (const usage of usages) if (usage.any) writer.addUsage(usage);
  if (result !== null) writer.close();
}

function otherBody(record: Fields): StepBody | null {
  const time = stringOf(record.timestamp);
  const common = time === null ? {} : { time };
  if (record.type === 'user') return { ...messageBody({ role: 'user', ...fieldsOf(record.message) }), ...common };
  if (record.type === 'system' && record.subtype === 'compact_boundary')
    return eventBody('compaction', JSON.stringify(record.compact_metadata ?? {}), common);
  if (record.type === 'result' && record.is_error === true)
    return eventBody('exception', contentText(record.result) || (stringOf(record.subtype) ?? ''), common);
  return null;
}

function turnBody(records: readonly Fields[]): StepBody {
  const usage = new UsageMaximum();
  const bodies = records.map((record) => {
    usage.add(fieldsOf(fieldsOf(record.message).usage));
    return messageBody({ role: 'assistant', ...fieldsOf(record.message) });
  });
  const answer = joined(bodies);
  const reasoning = bodies
    .map((body) => body.reasoning ?? '')
    .filter((text) => text !== '')
    .join('\n');
  const model = records.map((record) => stringOf(fieldsOf(record.message).model)).find((one) => one !== null);
  const time = stringOf(records[0]?.timestamp);
  return {
    ...answer,
    calls: answer.calls.filter((call, at) => answer.calls.findIndex((other) => other.id === call.id) === at),
    results: bodies.flatMap((body) => body.results),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(model === undefined || model === null ? {} : { model }),
    ...(usage.any ? { tokens: usageTokens(usage, false) } : {}),
    ...(time === null ? {} : { time }),
  };
}
