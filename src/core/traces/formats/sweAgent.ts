import { basename } from 'node:path';
import { contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import type { TraceHead } from '../reading/head';
import { memberOf } from '../reading/jsonDocument';
import { checkDocumentEnd, elementsOf } from './elements';
import type { StepBody, StepCounts, TraceFormat, TraceSink } from './format';
import { shorten } from './text';

/**
 * SWE-agent `.traj`: the steps are in `trajectory`; the system prompt, demonstrations and task come from the start of
 * `history`. The whole prompt that 1.x stores in every step (`messages` or `query`) is not shown again.
 */
export const sweAgent: TraceFormat = {
  id: 'swe-agent',
  title: 'SWE-agent trajectory',
  looksFor: 'an object with a trajectory list of actions and observations, and info',
  sniff(head) {
    const keys = new Set(head.document?.members.map((member) => member.key));
    if (!keys.has('trajectory') || head.document === null) return 0;
    if (memberOf(head.document, 'trajectory')?.elements === null) return 0;
    if (keys.has('info') && (keys.has('history') || keys.has('environment') || keys.has('replay_config'))) return 0.95;
    return keys.has('info') || keys.has('history') ? 0.7 : 0.2;
  },
  async read(source, head, sink, work) {
    headFacts(head, source.file, sink);
    let titled = false;
    for await (const { value, range } of elementsOf(source, head, 'history', sink, work)) {
      const message = fieldsOf(value);
      if (message.role === 'assistant' && message.is_demo !== true) break;
      const body = promptBody(message);
      const task = body.kind === 'user' && body.copied !== true;
      if (task && !titled) {
        sink.facts({ title: shorten(body.text, 200) });
        titled = true;
      }
      sink.step({ body, ranges: [range], hint: 'prompt', counts: task ? { userMessage: true } : {} });
    }
    let open = false;
    for await (const { value, range, index } of elementsOf(source, head, 'trajectory', sink, work)) {
      const record = fieldsOf(value);
      const body = turnBody(record, index);
      const counts: StepCounts = body.kind === 'agent' ? { modelTurn: true } : {};
      sink.step({ body, ranges: [range], hint: index, counts });
      open = body.calls.length > 0;
    }
    const ended = stringOf(fieldsOf(head.members.info).exit_status) !== null;
    if (open && !ended) sink.facts({ endsTruncated: true });
    checkDocumentEnd(head, sink);
  },
  stepOf(records, hint) {
    const record = fieldsOf(records[0]);
    return hint === 'prompt' ? promptBody(record) : turnBody(record, Number(hint));
  },
};

function headFacts(head: TraceHead, file: string, sink: TraceSink): void {
  const info = fieldsOf(head.members.info);
  const stats = fieldsOf(info.model_stats);
  const called = (numberOf(stats.api_calls) ?? 0) > 0;
  // The file is named after the task; a demonstration or replay counts no calls, so its zeros are no record.
  const task = basename(file)
    .replace(/\.(traj|json)$/gi, '')
    .replace(/\.traj$/i, '');
  const input = called ? numberOf(stats.tokens_sent) : null;
  sink.facts({
    formatVersion: stringOf(info.swe_agent_version),
    sessionId: task,
    task,
    agent: 'SWE-agent',
    agentVersion: stringOf(info.swe_agent_version),
    model: configuredModel(head.members.replay_config),
    exitStatus: stringOf(info.exit_status),
    tokens: {
      input,
      output: called ? numberOf(stats.tokens_received) : null,
      cached: null,
      inputIncludesCached: input === null ? null : true,
    },
    costUsd: called ? numberOf(stats.instance_cost) : null,
  });
}

function configuredModel(replay: unknown): string | null {
  let config = replay;
  if (typeof replay === 'string') {
    try {
      config = JSON.parse(replay);
    } catch {
      return null;
    }
  }
  return stringOf(fieldsOf(fieldsOf(fieldsOf(config).agent).model).name);
}

function promptBody(message: Fields): StepBody {
  const kind = message.role === 'system' ? 'system' : message.role === 'assistant' ? 'agent' : 'user';
  const body: StepBody = { kind, text: contentText(message.content), calls: [], results: [] };
  if (message.is_demo === true) body.copied = true;
  return body;
}

function turnBody(record: Fields, index: number): StepBody {
  const action = typeof record.action === 'string' ? record.action.trim() : '';
  const response = contentText(record.response);
  const text = response !== '' ? response : contentText(record.thought);
  const observation = contentText(record.observation);
  // The harness writes a step of its own when it stops a run: no answer of the model stands in it.
  const harnessMade = response.trim() === '' || /^exit due to/i.test(text.trim());
  const body: StepBody = { kind: harnessMade ? 'event' : 'agent', text, calls: [], results: [] };
  if (harnessMade) {
    body.event = /cost|context|limit|exceeded|timed? ?out/i.test(`${text} ${action}`) ? 'limit' : 'exception';
    if (observation !== '') body.text = [text, observation].filter((part) => part !== '').join('\n');
  } else if (action !== '') {
    const id = stringOf(listOf(record.tool_call_ids)[0]) ?? `step-${index + 1}`;
    body.calls = [{ id, name: action.split(/\s/, 1)[0] ?? action, args: { command: action } }];
    if (typeof record.observation === 'string') body.results = [{ callId: id, text: observation, isError: false }];
  } else if (observation !== '') {
    body.results = [{ callId: null, text: observation, isError: true }];
    body.event = 'format_error';
  }
  const seconds = numberOf(record.execution_time);
  if (seconds !== null) body.seconds = seconds;
  return body;
}
