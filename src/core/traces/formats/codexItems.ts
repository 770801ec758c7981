import type { ToolCall, ToolResult } from '../model';
import { argumentsOf, contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import type { StepBody } from './format';
import { eventBody, textBody, type Usage, usageTokens } from './runWriter';

/** What a line of a rollout is for the reader; null for lines that show nothing of the run. */
export type CodexMeaning = 'turn' | 'user' | 'context' | 'result' | 'event' | null;

const CALLS = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
  'tool_search_call',
  'image_generation_call',
]);
const RESULTS = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'tool_search_output',
]);
/** Calls the provider runs itself; no output line follows. */
const SERVER_CALLS = new Set(['web_search_call', 'image_generation_call']);
/** True for calls that the program must run and answer. */
export function isClientCall(item: Fields): boolean {
  return CALLS.has(String(item.type)) && !SERVER_CALLS.has(String(item.type));
}

const MACHINE_TEXT =
  /^\s*(<(environment_context|user_instructions|permissions|collaboration_mode|turn_aborted|INSTRUCTIONS|skill|subagent)|# AGENTS\.md)/i;

/** The item of a line: inside the envelope, or the line itself as versions before 0.40 wrote it. */
export function itemOf(record: Fields): Fields {
  return 'payload' in record ? fieldsOf(record.payload) : record;
}

/** True for items that are part of a model's answer. */
export function isOutput(item: Fields): boolean {
  const type = String(item.type);
  return (type === 'message' && item.role === 'assistant') || type === 'reasoning' || CALLS.has(type);
}

export function meaningOf(record: Fields): CodexMeaning {
  const item = itemOf(record);
  const type = String(item.type);
  if (record.type === 'compacted') return 'event';
  if (record.type === 'event_msg') return EVENTS.has(type) ? 'event' : null;
  if ('payload' in record && record.type !== 'response_item') return null;
  if (isOutput(item)) return 'turn';
  if (RESULTS.has(type)) return 'result';
  if (type !== 'message') return null;
  if (item.role !== 'user') return 'context';
  return MACHINE_TEXT.test(contentText(item.content)) ? 'context' : 'user';
}

const EVENTS = new Map([
  ['turn_aborted', 'aborted'],
  ['error', 'exception'],
  ['stream_error', 'exception'],
  ['collab_agent_spawn_end', 'subagent'],
  ['entered_review_mode', 'review'],
  ['exited_review_mode', 'review'],
]);

/** One step from its lines: the items of one answer, or one line of another kind. */
export function bodyOf(records: readonly Fields[]): StepBody {
  const first = records[0] ?? {};
  const item = itemOf(first);
  const time = stringOf(first.timestamp);
  const common = time === null ? {} : { time };
  switch (meaningOf(first)) {
    case 'turn':
      return { ...turnBody(records), ...common };
    case 'result':
      return { kind: 'tool', text: '', calls: [], results: [resultOf(item)], ...common };
    case 'user':
      return textBody('user', contentText(item.content), common);
    case 'context':
      return textBody(item.role === 'assistant' ? 'agent' : 'system', contentText(item.content), common);
    default:
      return { ...eventOf(first, item), ...common };
  }
}

function eventOf(record: Fields, item: Fields): StepBody {
  if (record.type === 'compacted') {
    const kept = listOf(item.replacement_history).length;
    return eventBody('compaction', stringOf(item.message) ?? `${kept} messages replace the history.`);
  }
  const started = stringOf(item.new_thread_id);
  const text = [item.message, item.reason, item.user_facing_hint, item.new_agent_nickname].map(
    (one) => stringOf(one) ?? '',
  );
  const event = EVENTS.get(String(item.type)) ?? String(item.type ?? 'note');
  return eventBody(event, text.filter((one) => one !== '').join('\n'), started === null ? {} : { startsRun: started });
}

function turnBody(records: readonly Fields[]): StepBody {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: ToolCall[] = [];
  const results: ToolResult[] = [];
  let more: Partial<StepBody> = {};
  for (const record of records) {
    const item = itemOf(record);
    const type = String(item.type);
    if (type === 'message') texts.push(contentText(item.content));
    else if (type === 'reasoning') thoughts.push(contentText(item.summary), contentText(item.content));
    else if (CALLS.has(type)) {
      const call = callOf(item);
      calls.push(call);
      if (SERVER_CALLS.has(type)) results.push({ callId: call.id, text: stringOf(item.result) ?? '', isError: false });
    } else if (type === 'token_count') {
      const usage = usageOf(fieldsOf(fieldsOf(item.info).last_token_usage));
      if (usage !== null) more = { tokens: usageTokens(usage, true) };
    }
  }
  const reasoning = thoughts.filter((text) => text !== '').join('\n');
  if (reasoning !== '') more = { ...more, reasoning };
  return { kind: 'agent', text: texts.filter((text) => text !== '').join('\n'), calls, results, ...more };
}

function callOf(item: Fields): ToolCall {
  const type = String(item.type);
  const id = stringOf(item.call_id) ?? stringOf(item.id) ?? 'unnamed';
  const name = stringOf(item.name) ?? type.replace(/_call$/, '');
  const space = stringOf(item.namespace);
  return {
    id,
    name: space === null ? name : `${space}.${name}`,
    args: argumentsOf(item.arguments ?? item.input ?? item.action ?? item.revised_prompt),
  };
}

/** Outputs are text, text that is JSON with `output` and `metadata`, or content blocks. */
function resultOf(item: Fields): ToolResult {
  const wrapped = typeof item.output === 'string' ? fieldsOf(argumentsOf(item.output)) : fieldsOf(item.output);
  const code = numberOf(fieldsOf(wrapped.metadata).exit_code);
  const text = 'output' in wrapped ? contentText(wrapped.output) : contentText(item.output ?? item.tools);
  const exit = code ?? Number(/(?:exited with code|Exit code:?) (\d+)/.exec(text.slice(0, 400))?.[1] ?? 0);
  const failed = exit !== 0 || wrapped.success === false || /^(\w+ failed|execution error|aborted by user)/.test(text);
  return { callId: stringOf(item.call_id) ?? stringOf(item.id), text, isError: failed };
}

/** Codex counts cached tokens as input and reasoning as output. */
export function usageOf(usage: Fields): Usage | null {
  const input = numberOf(usage.input_tokens);
  const output = numberOf(usage.output_tokens);
  if (input === null && output === null) return null;
  return { input, output, cached: numberOf(usage.cached_input_tokens) };
}
