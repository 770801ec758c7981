import { type Child, childOf, childrenOf, childValue } from '../reading/children';
import { contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import type { TraceSource } from '../reading/source';
import { joined, messagesIn, textOf } from './anyMessages';
import { checkDocumentEnd, documentRange } from './elements';
import type { StepBody, StepHint, TraceFormat } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

/**
 * Traces of the tracer inside AHE's harness, raw (`spans` with input and output) and cleaned (`messages` whose calls hold
 * their output). In raw ones each span repeats the whole prompt.
 */
export const inMemoryTracer: TraceFormat = {
  id: 'in-memory-tracer',
  title: 'AHE in-memory trace',
  looksFor:
    'an object with messages_count, generation_count and messages, or with trace_id and spans with input and output',
  sniff(head) {
    const keys = new Set(head.document?.members.map(({ key }) => key));
    if (
      keys.has('messages') &&
      (keys.has('generation_count') || keys.has('observation_count') || keys.has('messages_count'))
    )
      return 0.95;
    const span = fieldsOf(listOf(head.members.spans)[0]);
    return keys.has('spans') && 'input' in span && 'output' in span ? 0.9 : 0;
  },
  async read(source, head, sink) {
    const root = await childrenOf(source, documentRange(head, source));
    const { members } = head;
    sink.facts({ sessionId: stringOf(members.trace_id) ?? stringOf(members.id), title: stringOf(members.name) });
    sink.time(stringOf(members.timestamp));
    const writer = new RunWriter(sink, true);
    writer.setModel(stringOf(members.model));
    await tracerSteps(source, root, writer);
    if (numberOf(members.total_tokens) !== null) sink.facts({ scores: { total_tokens: members.total_tokens } });
    checkDocumentEnd(head, sink);
    writer.finish(
      root.some((child) => !child.complete),
      true,
    );
  },
  stepOf: (records, hint) =>
    hint === 'system' ? textBody('system', contentText(records[0])) : tracerBody(fieldsOf(records[0]), hint),
};

async function tracerSteps(source: TraceSource, root: readonly Child[], writer: RunWriter): Promise<void> {
  const shown = new Set<string>();
  const list = childOf(root, 'messages') ?? childOf(root, 'spans');
  const system = childOf(root, 'system_prompt');
  const prompt = stringOf(await childValue(source, root, 'system_prompt'));
  if (system !== undefined && prompt !== null) writer.add(textBody('system', prompt), system, 'system');
  for (const place of list === undefined ? [] : await childrenOf(source, list)) {
    const record = fieldsOf((await source.value(place))?.value);
    if (list?.key === 'messages') {
      if (record.role !== 'system' || prompt === null) writer.add(tracerBody(record, 'message'), place, 'message');
      continue;
    }
    for (const [index, body] of messagesIn(record.input, 'user').entries()) {
      const key = `${body.kind} ${body.text} ${JSON.stringify(body.results)}`;
      if (body.kind === 'agent' || shown.has(key)) continue;
      shown.add(key);
      writer.add(body, place, ['input', index]);
    }
    writer.add(tracerBody(record, ['output', 0]), place, ['output', 0]);
  }
}

function tracerBody(record: Fields, hint: StepHint): StepBody {
  const [what, index] = Array.isArray(hint) ? hint : [hint];
  if (what === 'input') return messagesIn(record.input, 'user')[Number(index)] ?? eventBody('note', '');
  if (what === 'output') return joined(messagesIn(record.output, 'assistant').filter((body) => body.kind === 'agent'));
  const calls = listOf(record.tool_calls).map(fieldsOf);
  const [body] = messagesIn({ ...record, tool_calls: undefined }, 'assistant');
  const reasoning = stringOf(record.reasoning_content);
  const time = stringOf(record.startTime);
  const latency = numberOf(record.latency);
  return {
    ...(body ?? textBody('agent', contentText(record.content))),
    calls: calls.map((call) => ({
      id: stringOf(call.id) ?? 'unnamed',
      name: stringOf(call.name) ?? 'unnamed',
      args: call.input ?? {},
    })),
    // A call without an output was not answered.
    results: [
      ...(body?.results ?? []),
      ...calls
        .filter((call) => call.output !== undefined && call.output !== null)
        .map((call) => ({ callId: stringOf(call.id) ?? 'unnamed', text: textOf(call.output), isError: false })),
    ],
    ...(reasoning === null ? {} : { reasoning }),
    ...(time === null ? {} : { time }),
    ...(latency === null ? {} : { seconds: latency }),
  };
}
