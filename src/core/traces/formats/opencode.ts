import { dirname, join } from 'node:path';
import { childOf, childrenOf } from '../reading/children';
import { type Fields, fieldsOf, isoOfSeconds, listOf, numberOf, stringOf } from '../reading/fields';
import { namesIn } from '../reading/folder';
import { memberOf } from '../reading/jsonDocument';
import type { ByteRange, TraceSource } from '../reading/source';
import { checkDocumentEnd } from './elements';
import type { StepBody, TraceFormat, TraceSink } from './format';
import { eventBody, RunWriter, tokensFact } from './runWriter';

/**
 * OpenCode: an exported session (`info` with `messages` of `info` and `parts`), or its storage folder, where the session,
 * each message and each part are files of their own. The result of a call stands inside the call.
 */
export const opencode: TraceFormat = {
  id: 'opencode',
  title: 'OpenCode session',
  looksFor: 'an object with info and messages with parts, or a session file of its storage folder',
  sniff(head) {
    const first = fieldsOf(head.records[0]);
    if (head.document?.root !== 'object') return 0;
    if ('info' in first && memberOf(head.document, 'messages') !== undefined) return 0.9;
    const session = 'projectID' in first && 'directory' in first && 'time' in first;
    const piece = 'sessionID' in first && ('messageID' in first || ('role' in first && 'time' in first));
    return session || piece ? 0.93 : 0;
  },
  async read(source, head, sink) {
    const first = fieldsOf(head.records[0]);
    if ('sessionID' in first && !('messages' in first)) {
      sink.nothing('one message or part of an OpenCode session; import its storage folder');
      return;
    }
    const session = 'info' in first ? fieldsOf(first.info) : first;
    sessionFacts(session, sink);
    const messages = 'projectID' in first ? await stored(source, session, sink) : await exported(source, head.document);
    checkDocumentEnd(head, sink);
    const writer = new RunWriter(sink, false);
    for (const ranges of messages) {
      const records: unknown[] = [];
      for (const range of ranges) records.push((await source.value(range))?.value);
      const message = fieldsOf(records[0]);
      const parts = partsOf(records);
      if (parts.some((part) => part.type === 'compaction'))
        writer.add(eventBody('compaction', ''), ranges, 'compaction');
      const body = bodyOf(records);
      if (body.kind === 'agent') {
        writer.addUsage(usageOf(fieldsOf(message.tokens)));
        writer.addCost(costOf(message, parts));
      }
      writer.add(body, ranges);
      sink.time(isoOfSeconds((numberOf(fieldsOf(message.time).completed) ?? 0) / 1000));
    }
    // A message ends with the results of its calls, so results at the end are no sign of a stop.
    writer.finish(false, true);
  },
  stepOf: (records, hint) => (hint === 'compaction' ? eventBody('compaction', '') : bodyOf(records)),
};

function sessionFacts(session: Fields, sink: TraceSink): void {
  const time = fieldsOf(session.time);
  sink.facts({
    sessionId: stringOf(session.id),
    task: stringOf(session.title),
    agent: 'OpenCode',
    agentVersion: stringOf(session.version),
  });
  for (const moment of [time.created, time.updated]) sink.time(isoOfSeconds((numberOf(moment) ?? 0) / 1000));
}

async function exported(source: TraceSource, document: Parameters<typeof memberOf>[0] | null): Promise<ByteRange[][]> {
  const list = document === null ? undefined : memberOf(document, 'messages');
  const found: ByteRange[][] = [];
  for (const element of list?.elements ?? []) {
    const children = await childrenOf(source, element);
    const [info, parts] = [childOf(children, 'info'), childOf(children, 'parts')];
    const places = [info, ...(parts === undefined ? [] : await childrenOf(source, parts))];
    found.push(places.filter((place) => place !== undefined));
  }
  return found.filter((places) => places.length > 0);
}

/** Messages of the session in the storage folder, oldest first, each with its parts. */
async function stored(source: TraceSource, session: Fields, sink: TraceSink): Promise<ByteRange[][]> {
  const id = stringOf(session.id) ?? '';
  // Identifiers come from the file, so they must not lead elsewhere.
  if (!isPlainName(id)) return [];
  const root = dirname(source.file);
  const partFiles: string[] = [];
  const whole = async (part: string): Promise<ByteRange> => {
    partFiles.push(join(root, part));
    return source.whole(part);
  };
  const found: { time: number; ranges: ByteRange[] }[] = [];
  for (const name of await jsonNames(join(root, '../../message', id))) {
    const range = await whole(join('../../message', id, name));
    const message = fieldsOf((await source.value(range))?.value);
    const ranges = [range];
    const messageId = stringOf(message.id) ?? '';
    for (const part of isPlainName(messageId) ? await jsonNames(join(root, '../../part', messageId)) : [])
      ranges.push(await whole(join('../../part', messageId, part)));
    found.push({ time: numberOf(fieldsOf(message.time).created) ?? 0, ranges });
  }
  sink.facts({ partFiles });
  if (found.length === 0) sink.warn('No messages of this session were found beside it.');
  return found.sort((left, right) => left.time - right.time).map(({ ranges }) => ranges);
}

function isPlainName(name: string): boolean {
  return /^[\w-]+$/.test(name);
}

async function jsonNames(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => name.endsWith('.json'));
}

function partsOf(records: readonly unknown[]): Fields[] {
  return records.slice(1).map(fieldsOf);
}

function bodyOf(records: readonly unknown[]): StepBody {
  const message = fieldsOf(records[0]);
  const parts = partsOf(records);
  const texts = parts.filter((part) => part.type === 'text').map((part) => stringOf(part.text) ?? '');
  const shown = texts.filter((text) => text !== '').join('\n');
  const time = isoOfSeconds((numberOf(fieldsOf(message.time).created) ?? 0) / 1000);
  const common = time === null ? {} : { time };
  const summary = fieldsOf(message.summary);
  if (message.role === 'user')
    return { kind: 'user', text: shown || (stringOf(summary.title) ?? ''), calls: [], results: [], ...common };
  const tools = parts.filter((part) => part.type === 'tool');
  const reasoning = parts
    .filter((part) => part.type === 'reasoning')
    .map((part) => stringOf(part.text) ?? '')
    .join('\n');
  const error = fieldsOf(message.error);
  const failure = stringOf(fieldsOf(error.data).message) ?? stringOf(error.message) ?? stringOf(error.name);
  const model = stringOf(message.modelID) ?? stringOf(fieldsOf(message.model).modelID);
  return {
    kind: 'agent',
    text: shown || failure || '',
    calls: tools.map((part) => ({
      id: stringOf(part.callID) ?? stringOf(part.id) ?? 'unnamed',
      name: stringOf(part.tool) ?? 'unnamed',
      args: fieldsOf(part.state).input ?? {},
    })),
    results: tools.flatMap(resultOf),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(model === null ? {} : { model }),
    ...tokensFact(usageOf(fieldsOf(message.tokens)), false),
    ...common,
  };
}

function resultOf(part: Fields) {
  const state = fieldsOf(part.state);
  if (state.status !== 'completed' && state.status !== 'error') return [];
  const exit = numberOf(fieldsOf(state.metadata).exit) ?? 0;
  const text = stringOf(state.output) ?? stringOf(state.error) ?? '';
  return [
    { callId: stringOf(part.callID) ?? stringOf(part.id), text, isError: state.status === 'error' || exit !== 0 },
  ];
}

function usageOf(tokens: Fields) {
  const cache = fieldsOf(tokens.cache);
  return {
    input: numberOf(tokens.input),
    output: numberOf(tokens.output),
    cached: numberOf(cache.read),
    cacheWrite: numberOf(cache.write),
  };
}

function costOf(message: Fields, parts: readonly Fields[]): number | null {
  const own = numberOf(message.cost);
  if (own !== null) return own;
  const costs = listOf(
    parts
      .filter((part) => part.type === 'step-finish')
      .map((part) => numberOf(part.cost) ?? numberOf(fieldsOf(part.cost).usd)),
  );
  return costs.reduce<number | null>((sum, cost) => (typeof cost === 'number' ? (sum ?? 0) + cost : sum), null);
}
