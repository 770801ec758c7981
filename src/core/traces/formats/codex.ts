import { type Fields, fieldsOf, stringOf } from '../reading/fields';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import { bodyOf, isClientCall, isOutput, itemOf, meaningOf, usageOf } from './codexItems';
import type { TraceFormat, TraceSink } from './format';
import { RunWriter, type Usage } from './runWriter';

const ENVELOPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted', 'world_state']);

/**
 * Codex rollouts: what went to the model (`response_item`) and what the screen showed (`event_msg`) lie in one file and
 * say the same twice; steps come from the first, tokens, aborts and sub-agents from the second. Items of one answer
 * become one step. Versions before 0.40 wrote the items without an envelope.
 */
export const codex: TraceFormat = {
  id: 'codex',
  title: 'Codex rollout',
  looksFor: 'JSON lines of timestamp, type (session_meta, response_item, event_msg, …) and payload',
  sniff(head) {
    if (head.container !== 'lines') return 0;
    const records = head.records.map(fieldsOf);
    if (records.some((one) => ENVELOPES.has(String(one.type)) && 'payload' in one)) return 0.97;
    const bare = records.filter((one) => isOutput(one) || one.type === 'function_call_output').length;
    const first = records[0] ?? {};
    const header = 'id' in first && 'timestamp' in first && ('instructions' in first || 'git' in first);
    return bare > 0 && header ? 0.9 : 0;
  },
  async read(source, _head, sink, work) {
    const notes = notesTo(sink);
    const rollout = new Rollout(sink);
    for await (const { value, range } of jsonRecords(source, notes, work)) rollout.add(fieldsOf(value), range);
    rollout.finish(notes.cut);
  },
  stepOf: (records) => bodyOf(records.map(fieldsOf)),
};

/** Joins the items of one answer; a new token count, a result or a message ends it. */
class Rollout {
  private readonly writer: RunWriter;
  private group: { records: Fields[]; ranges: ByteRange[] } = { records: [], ranges: [] };
  private total: Usage | null = null;
  private session: string | null = null;
  private subagents = 0;

  constructor(private readonly sink: TraceSink) {
    this.writer = new RunWriter(sink, true);
    sink.facts({ agent: 'Codex' });
  }

  add(record: Fields, range: ByteRange): void {
    const item = itemOf(record);
    this.sink.time(stringOf(record.timestamp));
    if (record.type === 'session_meta') this.addMeta(item);
    else if (!('payload' in record) && 'instructions' in record) this.addMeta(record);
    if (record.type === 'turn_context') this.writer.setModel(stringOf(item.model));
    if (item.type === 'token_count') this.addTokens(record, item, range);
    if (item.type === 'task_complete' || item.type === 'turn_aborted') {
      this.flush();
      this.writer.close();
    }
    const meaning = meaningOf(record);
    if (meaning === null) return;
    if (meaning === 'turn') {
      this.group.records.push(record);
      this.group.ranges.push(range);
      return;
    }
    this.flush();
    const body = bodyOf([record]);
    if (body.event === 'subagent') this.subagents += 1;
    this.writer.add(body, range);
  }

  private addMeta(item: Fields): void {
    if (this.session !== null) return;
    this.session = stringOf(item.id) ?? stringOf(item.session_id);
    this.sink.facts({ sessionId: this.session, agentVersion: stringOf(item.cli_version) });
    const parent = stringOf(item.forked_from_id);
    if (parent !== null) this.sink.warn(`It was forked from ${parent} and repeats records of that session.`);
  }

  /** Counts are cumulative and written twice; a smaller one starts a new count, as after a resume. */
  private addTokens(record: Fields, item: Fields, range: ByteRange): void {
    const usage = usageOf(fieldsOf(fieldsOf(item.info).total_token_usage));
    if (usage === null) return;
    const repeated = this.total?.input === usage.input && this.total?.output === usage.output;
    if (repeated) return;
    if (this.total !== null && (usage.input ?? 0) < (this.total.input ?? 0)) this.writer.addUsage(this.total);
    this.total = usage;
    if (this.group.records.length === 0) return;
    this.group.records.push(record);
    this.group.ranges.push(range);
    this.flush();
  }

  private flush(): void {
    const { records, ranges } = this.group;
    if (records.length > 0) {
      this.writer.add(bodyOf(records), ranges);
      // What the provider ran itself was answered inside this turn.
      if (!records.some((record) => isClientCall(itemOf(record)))) this.writer.close();
    }
    this.group = { records: [], ranges: [] };
  }

  finish(cut: boolean): void {
    this.flush();
    if (this.total !== null) this.writer.addUsage(this.total);
    this.writer.finish(cut);
    this.sink.facts({ subagentRuns: this.subagents });
  }
}
