import { contentText, type Fields, fieldsOf, isoOfSeconds, listOf, numberOf, stringOf } from '../reading/fields';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter, textBody, tokensFact, type Usage } from './runWriter';

/**
 * Sessions of pi and OpenClaw: the first line names the session, the entries form a tree (since version 2). The run is
 * the path from the last entry to the root; entries of abandoned branches are told of, not shown. Version 1 is a list.
 */
export const pi: TraceFormat = {
  id: 'pi',
  title: 'pi or OpenClaw session',
  looksFor: 'JSON lines, the first of type session with cwd, then message and compaction entries',
  sniff(head) {
    if (head.container !== 'lines') return 0;
    const records = head.records.map(fieldsOf);
    const first = records[0] ?? {};
    if (first.type === 'session' && ('cwd' in first || 'version' in first)) return 0.96;
    const entries = records.filter((one) => one.type === 'message' && 'role' in fieldsOf(one.message) && 'id' in one);
    return entries.length > 0 && records.some((one) => one.type === 'compaction' || 'parentId' in one) ? 0.7 : 0;
  },
  async read(source, _head, sink, work) {
    const notes = notesTo(sink);
    const tree = new EntryTree();
    sink.facts({ agent: 'pi' });
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      const entry = fieldsOf(value);
      if (entry.type === 'session') {
        tree.session = stringOf(entry.id);
        sink.facts({ sessionId: stringOf(entry.id), formatVersion: String(numberOf(entry.version) ?? 1) });
        sink.time(stringOf(entry.timestamp));
        if (stringOf(entry.parentSession) !== null)
          sink.warn(`It continues the session in ${String(entry.parentSession)}.`);
      } else tree.add(entry, range);
    }
    const { live, abandoned, lost } = tree.path();
    const writer = new RunWriter(sink, false);
    for (const range of live) {
      const entry = fieldsOf((await source.value(range))?.value);
      const body = bodyOf(entry);
      sink.time(stringOf(entry.timestamp));
      if (entry.type === 'model_change') writer.setModel(stringOf(entry.modelId));
      if (body === null) continue;
      const message = fieldsOf(entry.message);
      const usage = fieldsOf(message.usage);
      if (body.kind === 'agent') {
        writer.addUsage(usageOf(usage));
        writer.addCost(numberOf(fieldsOf(usage.cost).total));
      }
      writer.add(body, range);
    }
    if (abandoned > 0) sink.warn(`${abandoned} entries lie on abandoned branches and are not shown.`);
    if (lost !== null) sink.warn(`The parent ${lost} of an entry is not in the file; the run starts there.`);
    writer.finish(notes.cut);
  },
  stepOf: (records) => bodyOf(fieldsOf(records[0])) ?? eventBody('note', ''),
};

interface Entry {
  id: string;
  parent: string | null;
  range: ByteRange;
  /** False for an entry without an identifier of its own. */
  named: boolean;
}

/** Keeps identifiers and places only. */
class EntryTree {
  private readonly entries: Entry[] = [];
  private readonly calls = new Map<string, Entry>();
  /** The session itself may be named as the parent of the first entry. */
  session: string | null = null;

  add(entry: Fields, range: ByteRange): void {
    const id = stringOf(entry.id);
    const known = { id: id ?? `at ${range.offset}`, parent: stringOf(entry.parentId), range, named: id !== null };
    this.entries.push(known);
    // OpenClaw names the call as the parent of its result.
    for (const block of listOf(fieldsOf(entry.message).content).map(fieldsOf)) {
      if (block.type === 'toolCall' && typeof block.id === 'string') this.calls.set(block.id, known);
    }
  }

  /** The places of the live branch, from the root on. */
  path(): { live: ByteRange[]; abandoned: number; lost: string | null } {
    // Version 1 names no entry. In a tree one without a name, such as a stray record, lies on no branch.
    const named = this.entries.filter((entry) => entry.named);
    if (named.length === 0) return { live: this.entries.map(({ range }) => range), abandoned: 0, lost: null };
    const byId = new Map(named.map((entry) => [entry.id, entry]));
    const live: ByteRange[] = [];
    const seen = new Set<Entry>();
    let at = named.at(-1);
    let lost: string | null = null;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      live.push(at.range);
      const { parent } = at;
      at = parent === null ? undefined : (byId.get(parent) ?? this.calls.get(parent));
      if (parent !== null && parent !== this.session && at === undefined) lost = parent;
    }
    return { live: live.reverse(), abandoned: named.length - seen.size, lost };
  }
}

function usageOf(usage: Fields): Usage {
  return {
    input: numberOf(usage.input),
    output: numberOf(usage.output),
    cached: numberOf(usage.cacheRead),
    cacheWrite: numberOf(usage.cacheWrite),
  };
}

function bodyOf(entry: Fields): StepBody | null {
  const time = stringOf(entry.timestamp) ?? isoOfSeconds((numberOf(fieldsOf(entry.message).timestamp) ?? 0) / 1000);
  const common = time === null ? {} : { time };
  if (entry.type === 'compaction') return eventBody('compaction', stringOf(entry.summary) ?? '', common);
  if (entry.type === 'branch_summary') return eventBody('branch_summary', stringOf(entry.summary) ?? '', common);
  if (entry.type === 'custom_message') return eventBody('note', contentText(entry.content), common);
  if (entry.type !== 'message') return null;
  return { ...messageBody(fieldsOf(entry.message)), ...common };
}

function messageBody(message: Fields): StepBody {
  const blocks = listOf(message.content).map(fieldsOf);
  const text =
    typeof message.content === 'string'
      ? message.content
      : contentText(blocks.filter((block) => block.type !== 'thinking' && block.type !== 'toolCall'));
  if (message.role === 'user') return textBody('user', text);
  if (message.role === 'toolResult') {
    const result = { callId: stringOf(message.toolCallId), text, isError: message.isError === true };
    return { kind: 'tool', text: '', calls: [], results: [result] };
  }
  if (message.role === 'bashExecution') {
    const said = [`$ ${stringOf(message.command) ?? ''}`, contentText(message.output)].join('\n');
    return eventBody('user_command', said);
  }
  if (message.role !== 'assistant')
    return eventBody(stringOf(message.role) ?? 'note', text || contentText(message.summary));
  const usage = usageOf(fieldsOf(message.usage));
  const reasoning = blocks.map((block) => (block.type === 'thinking' ? (stringOf(block.thinking) ?? '') : '')).join('');
  const cost = numberOf(fieldsOf(fieldsOf(message.usage).cost).total);
  const model = stringOf(message.model);
  const failed = message.stopReason === 'error' ? stringOf(message.errorMessage) : null;
  return {
    kind: 'agent',
    text: failed === null ? text : [text, failed].filter((part) => part !== '').join('\n'),
    calls: blocks
      .filter((block) => block.type === 'toolCall')
      .map((block) => ({
        id: stringOf(block.id) ?? 'unnamed',
        name: stringOf(block.name) ?? 'unnamed',
        args: block.arguments ?? {},
      })),
    results: [],
    ...tokensFact(usage, false),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(cost === null ? {} : { costUsd: cost }),
    ...(model === null ? {} : { model }),
  };
}
