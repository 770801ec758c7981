import { argumentsOf, contentText, type Fields, fieldsOf, isoOfSeconds, numberOf, stringOf } from '../reading/fields';
import { mostFit } from '../reading/head';
import { memberOf } from '../reading/jsonDocument';
import { messageBody } from './chatMessage';
import { checkDocumentEnd, elementsOf } from './elements';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter, textBody, tokensFact, type Usage } from './runWriter';

/** Cline's sessions (`*.messages.json`, `*.compaction.json`): Anthropic blocks with time, model and metrics. */
export const cline: TraceFormat = {
  id: 'cline',
  title: 'Cline session',
  looksFor: 'an object with sessionId, agent, and messages with ts, modelInfo or metrics',
  sniff(head) {
    const list = head.document === null ? undefined : memberOf(head.document, 'messages');
    const session = 'sessionId' in head.members && ('system_prompt' in head.members || 'updated_at' in head.members);
    return list?.elements && session ? 0.95 : 0;
  },
  async read(source, head, sink, work) {
    const writer = new RunWriter(sink, true);
    sink.facts({
      agent: 'Cline',
      sessionId: stringOf(head.members.sessionId),
      formatVersion: String(numberOf(head.members.version) ?? '') || null,
    });
    const prompt = head.document === null ? undefined : memberOf(head.document, 'system_prompt');
    if (prompt !== undefined) {
      const text = stringOf((await source.value(prompt))?.value);
      if (text !== null) writer.add(textBody('system', text), prompt, 'system');
    }
    for await (const { value, range } of elementsOf(source, head, 'messages', sink, work)) {
      const message = fieldsOf(value);
      const body = bodyOf(message);
      if (body.kind === 'agent') {
        writer.addUsage(usageOf(fieldsOf(message.metrics)));
        writer.addCost(numberOf(fieldsOf(message.metrics).cost));
      }
      writer.add(body, range);
    }
    checkDocumentEnd(head, sink);
    writer.finish();
  },
  stepOf: (records, hint) =>
    hint === 'system' ? textBody('system', stringOf(records[0]) ?? '') : bodyOf(fieldsOf(records[0])),
};

function bodyOf(message: Fields): StepBody {
  const body = messageBody(message);
  const common = body.time === undefined ? {} : { time: body.time };
  if (/^compaction/.test(String(fieldsOf(message.metadata).kind))) return eventBody('compaction', body.text, common);
  const model = stringOf(fieldsOf(message.modelInfo).id);
  const cost = numberOf(fieldsOf(message.metrics).cost);
  return {
    ...body,
    ...(model === null ? {} : { model }),
    ...(cost === null ? {} : { costUsd: cost }),
    ...tokensFact(usageOf(fieldsOf(message.metrics)), true),
  };
}

function usageOf(metrics: Fields): Usage {
  return {
    input: numberOf(metrics.inputTokens),
    output: numberOf(metrics.outputTokens),
    cached: numberOf(metrics.cacheReadTokens),
  };
}

/**
 * The older `ui_messages.json` of Cline and Roo Code: what the panel showed, one entry for each thing said or asked.
 * Tokens and cost are JSON inside the text of `api_req_started`. Entries marked partial are drafts of later ones.
 */
export const clineUi: TraceFormat = {
  id: 'cline-ui',
  title: 'Cline or Roo Code ui_messages.json',
  looksFor: 'a list of objects with ts, type say or ask, and say or ask',
  sniff(head) {
    if (head.document?.root !== 'list') return 0;
    const isEntry = (one: Fields) => 'ts' in one && (one.type === 'say' || one.type === 'ask');
    return mostFit(head.records, 0.8, isEntry) ? 0.95 : 0;
  },
  async read(source, head, sink, work) {
    const writer = new RunWriter(sink, false);
    sink.facts({ agent: 'Cline' });
    let open: string | null = null;
    for await (const { value, range } of elementsOf(source, head, '', sink, work)) {
      const entry = fieldsOf(value);
      if (entry.partial === true) continue;
      const told = entry.say === 'api_req_started' ? fieldsOf(argumentsOf(contentText(entry.text))) : {};
      writer.addUsage({
        input: numberOf(told.tokensIn),
        output: numberOf(told.tokensOut),
        cached: numberOf(told.cacheReads),
        cacheWrite: numberOf(told.cacheWrites),
      });
      writer.addCost(numberOf(told.cost));
      const body = uiBody(entry, open ?? '');
      if (body === null) continue;
      open = body.calls[0]?.id ?? (body.results.length > 0 ? null : open);
      writer.add(body, range, body.results[0]?.callId ?? '');
    }
    checkDocumentEnd(head, sink);
    writer.finish(false, true);
  },
  stepOf: (records, hint) => uiBody(fieldsOf(records[0]), String(hint ?? '')) ?? eventBody('note', ''),
};

function uiBody(entry: Fields, open: string): StepBody | null {
  const time = isoOfSeconds((numberOf(entry.ts) ?? 0) / 1000);
  const common = time === null ? {} : { time };
  const text = contentText(entry.text);
  const what = String(entry.say ?? entry.ask);
  if (what === 'task' || what === 'user_feedback') return textBody('user', text, common);
  if (what === 'text' || what === 'completion_result') return text === '' ? null : textBody('agent', text, common);
  if (what === 'reasoning') return eventBody('reasoning', '', { reasoning: text, ...common });
  if (what === 'error' || what === 'api_req_failed') return eventBody('exception', text, common);
  if (what === 'command_output' || what === 'mcp_server_response') {
    const result = { callId: open === '' ? null : open, text, isError: false };
    return { kind: 'tool', text: '', calls: [], results: [result], ...common };
  }
  if (!['tool', 'command', 'use_mcp_server', 'browser_action'].includes(what)) return null;
  const args = what === 'command' ? { command: text } : argumentsOf(text);
  const id = `at-${numberOf(entry.ts) ?? 0}`;
  const name = stringOf(fieldsOf(args).tool) ?? what;
  const body: StepBody = { kind: 'agent', text: '', calls: [{ id, name, args }], results: [], ...common };
  // Only commands and servers have an entry for their result; that of other tools is not written here.
  if (what === 'tool') body.results = [{ callId: id, text: stringOf(fieldsOf(args).content) ?? '', isError: false }];
  return body;
}
