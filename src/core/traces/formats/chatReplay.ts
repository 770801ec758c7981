import { childOf, childrenOf } from '../reading/children';
import { argumentsOf, contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import { joined, messagesIn, textOf } from './anyMessages';
import { chatUsage } from './chatMessage';
import { checkDocumentEnd } from './elements';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter, textBody, usageTokens } from './runWriter';
import { plainId } from './vscodeLog';

/** Chat replays and debug exports of VS Code: prompts with a log of requests and tool calls. */
export const chatReplay: TraceFormat = {
  id: 'vscode-chatreplay',
  title: 'VS Code chat replay',
  looksFor: 'an object with prompts that have logs, and totalPrompts or totalLogEntries',
  sniff(head) {
    const keys = new Set(head.document?.members.map(({ key }) => key));
    const first = fieldsOf(listOf(head.members.prompts)[0]);
    const known = keys.has('totalPrompts') || keys.has('totalLogEntries') || Array.isArray(first.logs);
    return keys.has('prompts') && known ? 0.95 : 0;
  },
  async read(source, head, sink) {
    const writer = new RunWriter(sink, true);
    sink.facts({ agent: 'VS Code chat' });
    const prompts = head.document === null ? undefined : memberOf(head.document, 'prompts');
    for (const place of prompts?.elements ?? []) {
      const children = await childrenOf(source, place);
      const prompt = childOf(children, 'prompt');
      if (prompt !== undefined) {
        const text = contentText((await source.value(prompt))?.value);
        writer.add(textBody('user', text), prompt, 'prompt');
      }
      const logs = childOf(children, 'logs');
      for (const place of logs === undefined ? [] : await childrenOf(source, logs)) {
        const entry = fieldsOf((await source.value(place))?.value);
        const metadata = fieldsOf(entry.metadata);
        for (const key of ['startTime', 'endTime']) writer.sink.time(stringOf(metadata[key]));
        const body = entryBody(entry);
        if (body === null) continue;
        const told = body.kind === 'agent' ? chatUsage(fieldsOf(metadata.usage)) : null;
        if (told !== null) writer.addUsage(told.usage);
        writer.add(body, place);
      }
    }
    checkDocumentEnd(head, sink);
    writer.finish(false, true);
  },
  stepOf: (records, hint) =>
    hint === 'prompt'
      ? textBody('user', contentText(records[0]))
      : (entryBody(fieldsOf(records[0])) ?? eventBody('note', '')),
};

function entryBody(entry: Fields): StepBody | null {
  const metadata = fieldsOf(entry.metadata);
  if (entry.kind === 'toolCall') {
    const id = plainId(entry.id);
    const call = { id, name: stringOf(entry.tool) ?? 'unnamed', args: argumentsOf(entry.args) };
    const time = stringOf(entry.time);
    const text =
      listOf(entry.response).length > 0 ? listOf(entry.response).map(textOf).join('\n') : textOf(entry.response);
    // The request that asked for it tells no ids, so the entry is the call and its result.
    return {
      kind: 'tool',
      text: '',
      calls: [call],
      results: [{ callId: id, text, isError: false }],
      ...(time === null ? {} : { time }),
    };
  }
  if (entry.kind !== 'request') return null;
  const response = fieldsOf(entry.response);
  const answer = messagesIn(response.message ?? response.value ?? entry.response, 'assistant');
  const told = chatUsage(fieldsOf(metadata.usage));
  const model = stringOf(metadata.model);
  const time = stringOf(metadata.startTime);
  const milliseconds = numberOf(metadata.duration);
  return {
    ...joined(answer),
    // Each call is an entry of its own.
    calls: [],
    ...(model === null ? {} : { model }),
    ...(time === null ? {} : { time }),
    ...(milliseconds === null ? {} : { seconds: milliseconds / 1000 }),
    ...(told === null ? {} : { tokens: usageTokens(told.usage, told.includesCached) }),
  };
}
