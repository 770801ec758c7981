import { type Fields, fieldsOf, listOf, stringOf } from '../reading/fields';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import { bodyOf, isToolResult, meaningOf } from './claudeRecords';
import { SessionFacts } from './claudeSession';
import type { StepDraft, TraceFormat, TraceSink } from './format';

/**
 * Claude Code session files: one API message is spread over several lines with the same `message.id`, sub-agents
 * are repeated as `progress` lines, and lines may hold two glued objects. Lines of one message become one step.
 */
export const claudeCode: TraceFormat = {
  id: 'claude-code',
  title: 'Claude Code session',
  looksFor: 'JSON lines with uuid, parentUuid and sessionId, or of type user, assistant, summary',
  sniff(head) {
    if (head.document?.root === 'list') return 0;
    let score = 0;
    for (const record of head.records.map(fieldsOf)) {
      // Qwen Code uses the same envelope with Gemini's `parts`.
      if ('parts' in fieldsOf(record.message) || 'payload' in record) return 0;
      if ('uuid' in record && 'parentUuid' in record && 'sessionId' in record) score = 0.95;
      else if (score === 0 && typeof record.type === 'string' && LIGHT_TYPES.has(record.type)) score = 0.5;
    }
    return score;
  },
  async read(source, _head, sink, work) {
    const notes = notesTo(sink);
    const facts = new SessionFacts();
    const turns = new TurnCollector(sink, facts);
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      const record = fieldsOf(value);
      sink.time(stringOf(record.timestamp));
      facts.add(record);
      turns.add(record, range);
    }
    turns.flush();
    if (notes.cut) sink.facts({ endsTruncated: true });
    await facts.report(source.file, sink, notes.cut);
  },
  stepOf: (records) => bodyOf(records.map(fieldsOf)),
};

const LIGHT_TYPES = new Set(['summary', 'file-history-snapshot', 'queue-operation']);
const HELD_RESULTS = 200;

/** Joins the lines of one assistant message; tool results that come in between wait until the message is whole. */
class TurnCollector {
  private id: string | null = null;
  private records: Fields[] = [];
  private ranges: ByteRange[] = [];
  private waiting: StepDraft[] = [];
  private readonly counted = new Set<string>();

  constructor(
    private readonly sink: TraceSink,
    private readonly facts: SessionFacts,
  ) {}

  add(record: Fields, range: ByteRange): void {
    const meaning = meaningOf(record);
    if (meaning === null) return;
    if (meaning !== 'turn') {
      const draft = draftOf(record, range);
      if (this.id !== null && isToolResult(record) && this.waiting.length < HELD_RESULTS) this.waiting.push(draft);
      else {
        this.flush();
        this.sink.step(draft);
      }
      return;
    }
    const id = stringOf(fieldsOf(record.message).id) ?? stringOf(record.uuid) ?? `at ${range.offset}`;
    if (id !== this.id) this.flush();
    this.id = id;
    this.records.push(record);
    this.ranges.push(range);
  }

  flush(): void {
    if (this.id !== null) {
      const again = this.counted.has(this.id);
      this.counted.add(this.id);
      const body = bodyOf(this.records);
      body.calls = body.calls.filter((call) => this.facts.isNewCall(call.id));
      this.sink.step({ body, ranges: this.ranges, counts: again ? {} : { modelTurn: true } });
    }
    for (const draft of this.waiting) this.sink.step(draft);
    this.id = null;
    this.records = [];
    this.ranges = [];
    this.waiting = [];
  }
}

function draftOf(record: Fields, range: ByteRange): StepDraft {
  const meaning = meaningOf(record);
  const started =
    listOf(fieldsOf(record.message).content).length > 0 ? stringOf(fieldsOf(record.toolUseResult).agentId) : null;
  const body = bodyOf([record]);
  if (started !== null) body.startsRun = started;
  return {
    body,
    ranges: [range],
    counts: {
      ...(meaning === 'user' ? { userMessage: true } : {}),
      ...(meaning === 'compaction' ? { compaction: true } : {}),
    },
  };
}
