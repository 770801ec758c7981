import {
  argumentsOf,
  contentText,
  type Fields,
  fieldsOf,
  isFields,
  isoOfSeconds,
  listOf,
  numberOf,
  stringOf,
} from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import type { ByteRange } from '../reading/source';
import { checkDocumentEnd } from './elements';
import type { StepBody, StepHint, TraceFormat } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';
import { plainId, replayLog, replayRecords } from './vscodeLog';

/**
 * VS Code chat sessions: an export or session file with `requests`, or the mutation log that is replayed to it. The best
 * source of calls are the rounds in a request's result; without them the parts of the response are shown.
 */
export const vscodeChat: TraceFormat = {
  id: 'vscode-chat',
  title: 'VS Code chat session',
  looksFor: 'an object with requests and responderUsername or version 3, or JSON lines {kind, v} that build one',
  sniff(head) {
    if (head.container === 'lines') {
      const first = fieldsOf(head.records[0]);
      const mutations = head.records
        .map(fieldsOf)
        .filter((one) => typeof one.kind === 'number' && ('v' in one || 'k' in one));
      return first.kind === 0 && Array.isArray(fieldsOf(first.v).requests) && mutations.length > 0 ? 0.97 : 0;
    }
    const list = head.document === null ? undefined : memberOf(head.document, 'requests');
    const about =
      'responderUsername' in head.members || head.members.version === 3 || 'requesterUsername' in head.members;
    return list?.elements && about ? 0.96 : 0;
  },
  async read(source, head, sink, work) {
    const writer = new RunWriter(sink, true);
    sink.facts({ agent: stringOf(head.members.responderUsername) ?? 'VS Code chat' });
    if (head.container === 'lines') {
      const { session, places, warnings, cut } = await replayLog(source, work);
      for (const warning of warnings) sink.warn(warning);
      sink.facts({ sessionId: stringOf(session.sessionId), title: stringOf(session.customTitle) });
      for (const [index, request] of listOf(session.requests).entries()) {
        // A replayed request has no record of its own: its steps name the whole log and their place in the replay.
        addRequest(writer, fieldsOf(request), places, index);
      }
      writer.finish(cut, true);
      return;
    }
    sink.facts({ sessionId: stringOf(head.members.sessionId), title: stringOf(head.members.customTitle) });
    const list = head.document === null ? undefined : memberOf(head.document, 'requests');
    for (const place of list?.elements ?? []) {
      const request = fieldsOf((await source.value(place))?.value);
      addRequest(writer, request, [place], 0);
    }
    checkDocumentEnd(head, sink);
    writer.finish(false, true);
  },
  stepOf(records, hint) {
    const [request, what] = requestOf(records, hint);
    return stepsOf(request)[what] ?? eventBody('note', '');
  },
};

function addRequest(writer: RunWriter, request: Fields, ranges: ByteRange[], index: number): void {
  for (const [what, body] of stepsOf(request).entries()) writer.add(body, ranges, [index, what, ranges.length]);
  writer.setModel(stringOf(request.modelId));
}

/** The request a step was made from: its own record, or the log replayed again. */
function requestOf(records: readonly unknown[], hint: StepHint): [Fields, number] {
  const [index = 0, what = 0, lines = 1] = Array.isArray(hint) ? hint.map(Number) : [];
  const first = fieldsOf(records[0]);
  if (lines === 1 && !('kind' in first && 'v' in first)) return [first, what];
  const session = replayRecords(records.map(fieldsOf));
  return [fieldsOf(listOf(session.requests)[index]), what];
}

/** What a request shows: the user's message, the model's rounds with their results, and how it ended. */
function stepsOf(request: Fields): StepBody[] {
  const time = isoOfSeconds((numberOf(request.timestamp) ?? 0) / 1000);
  const common = time === null ? {} : { time };
  const message = fieldsOf(request.message);
  const steps: StepBody[] = [textBody('user', stringOf(message.text) ?? contentText(request.message), common)];
  const result = fieldsOf(request.result);
  const metadata = fieldsOf(result.metadata);
  const rounds = listOf(metadata.toolCallRounds).map(fieldsOf);
  const model = stringOf(request.modelId);
  const named = model === null ? {} : { model };
  for (const round of rounds) steps.push({ ...roundBody(round, fieldsOf(metadata.toolCallResults)), ...named });
  if (rounds.length === 0) {
    const body = responseBody(request);
    if (body.text !== '' || body.calls.length > 0) steps.push({ ...body, ...named });
  }
  const failed = stringOf(fieldsOf(result.errorDetails).message);
  if (failed !== null) steps.push(eventBody('exception', failed));
  if (request.isCanceled === true) steps.push(eventBody('aborted', 'The user stopped the request.'));
  return steps;
}

function roundBody(round: Fields, results: Fields): StepBody {
  const calls = listOf(round.toolCalls).map(fieldsOf);
  const thinking = fieldsOf(round.thinking);
  const reasoning = contentText(thinking.text ?? thinking.value);
  return {
    kind: 'agent',
    text: contentText(round.response),
    calls: calls.map((call) => ({
      id: plainId(call.id),
      name: stringOf(call.name) ?? 'unnamed',
      args: argumentsOf(call.arguments),
    })),
    results: calls.flatMap((call) => {
      const found = results[String(call.id)] ?? results[plainId(call.id)];
      return found === undefined
        ? []
        : [{ callId: plainId(call.id), text: resultText(found), isError: isFailure(fieldsOf(found)) }];
    }),
    ...(reasoning === '' ? {} : { reasoning }),
  };
}

function isFailure(result: Fields): boolean {
  return result.hasError === true || stringOf(result.toolResultError) !== null;
}

/** Parts of a tool's result hold text, or a tree of text nodes. */
function resultText(result: unknown): string {
  const texts: string[] = [];
  const walk = (value: unknown, depth: number) => {
    if (depth > 40 || texts.length > 5000) return;
    if (Array.isArray(value)) for (const one of value) walk(one, depth + 1);
    else if (isFields(value)) {
      if (typeof value.text === 'string') texts.push(value.text);
      else if (typeof value.value === 'string') texts.push(value.value);
      else for (const key of ['content', 'value', 'node', 'children']) walk(value[key], depth + 1);
    }
  };
  walk(result, 0);
  return texts.join('');
}

function responseBody(request: Fields): StepBody {
  const parts = listOf(request.response).map(fieldsOf);
  const texts: string[] = [];
  const body: StepBody = { kind: 'agent', text: '', calls: [], results: [] };
  for (const part of parts) {
    if (part.kind === undefined) texts.push(contentText(part.value));
    else if (part.kind === 'inlineReference') texts.push(referenceName(fieldsOf(part.inlineReference)));
    else if (part.kind === 'thinking') body.reasoning = `${body.reasoning ?? ''}${contentText(part.value)}`;
    else if (part.kind === 'toolInvocationSerialized') {
      const id = plainId(part.toolCallId);
      const said = fieldsOf(part.pastTenseMessage ?? part.invocationMessage);
      body.calls.push({
        id,
        name: stringOf(part.toolId) ?? 'unnamed',
        args: { message: contentText(said.value ?? part.invocationMessage) },
      });
      if (part.isComplete === true) body.results.push({ callId: id, text: contentText(said.value), isError: false });
    }
  }
  return { ...body, text: texts.join('') };
}

function referenceName(reference: Fields): string {
  const path =
    stringOf(reference.path) ?? stringOf(fieldsOf(reference.location).path) ?? stringOf(reference.name) ?? '';
  return path.split('/').at(-1) ?? '';
}
