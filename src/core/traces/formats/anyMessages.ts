import type { ToolCall, ToolResult } from '../model';
import { argumentsOf, contentText, type Fields, fieldsOf, isFields, listOf, stringOf } from '../reading/fields';
import { messageBody } from './chatMessage';
import type { StepBody } from './format';
import { partsBody } from './geminiParts';
import { textBody } from './runWriter';

const DEEPEST = 6;

/** Where frameworks keep messages or the text of one, the surest first. */
const CONTENT_KEYS = [
  'messages',
  'contents',
  'choices',
  'candidates',
  'generations',
  'new_message',
  'output',
  'input',
  'prompt',
  'outputs',
  'text',
  'content',
  'value',
];

/**
 * The messages in what an instrumentation recorded as input or output of a model, whatever the framework's own shape:
 * chat and Anthropic messages, parts of OpenTelemetry and of the AI SDK, items of the Responses API, LangChain messages
 * plain or serialized, completions with choices or generations, or bare text. JSON in strings is parsed, also twice.
 */
export function messagesIn(value: unknown, role: 'user' | 'assistant', depth = 0): StepBody[] {
  const plain = parsed(value);
  if (depth > DEEPEST || plain === null || plain === undefined) return [];
  if (typeof plain !== 'object') return [textBody(role === 'user' ? 'user' : 'agent', String(plain))];
  if (Array.isArray(plain)) return messagesInList(plain, role, depth);
  const record = fieldsOf(plain);
  const message = oneMessage(record, role);
  if (message !== null) return [message];
  const system = record.system ?? record.instructions ?? fieldsOf(record.config).system_instruction;
  const before = typeof system === 'string' && system !== '' ? [textBody('system', system)] : [];
  for (const key of CONTENT_KEYS) {
    if (record[key] === undefined || record[key] === null) continue;
    const found = messagesIn(record[key], role, depth + 1);
    if (found.length > 0) return [...before, ...found];
  }
  return before;
}

/** JSON in a string, as often as it was encoded; other text stays. */
function parsed(value: unknown): unknown {
  let plain = value;
  for (let times = 0; times < 3 && typeof plain === 'string' && /^\s*["[{]/.test(plain); times += 1) {
    const next = argumentsOf(plain);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

function oneMessage(record: Fields, role: 'user' | 'assistant'): StepBody | null {
  const kwargs = fieldsOf(record.kwargs);
  if (Array.isArray(record.id) && isFields(record.kwargs)) return langchain({ type: record.id.at(-1), ...kwargs });
  if (isFields(record.message) && record.role === undefined) return oneMessage(fieldsOf(record.message), role);
  if (record.type === 'function_call') return agent('', [responsesCall(record)]);
  if (record.type === 'function_call_output') return tool(record.call_id, contentText(record.output));
  if (record.type === 'reasoning') return null;
  if (typeof record.role === 'string') return withParts(record);
  if (/^(human|ai|system|tool)(message|messagechunk)?$/i.test(String(record.type)) && 'content' in record)
    return langchain(record);
  if (typeof record.toolCallId === 'string' && 'toolName' in record) return agent('', [sdkCall(record)]);
  return role === 'assistant' && record.type === 'text' && typeof record.text === 'string'
    ? agent(record.text, [])
    : null;
}

/** The items of one answer in the Responses API stand beside each other: a call belongs to the message before it. */
function messagesInList(list: readonly unknown[], role: 'user' | 'assistant', depth: number): StepBody[] {
  const found: StepBody[] = [];
  for (const one of list) {
    const bodies = messagesIn(one, role, depth + 1);
    const last = found.at(-1);
    const [call] = bodies;
    const joins = fieldsOf(one).type === 'function_call' && last?.kind === 'agent' && call !== undefined;
    if (joins) found[found.length - 1] = { ...last, calls: [...last.calls, ...call.calls] };
    else found.push(...bodies);
  }
  return found;
}

function withParts(message: Fields): StepBody {
  const parts = listOf(message.parts ?? message.content).map(fieldsOf);
  // Parts with neither a type nor content are Gemini's.
  if (parts.some((part) => part.type === undefined && !('content' in part))) return geminiMessage(message.role, parts);
  const special = parts.some((part) =>
    /^(tool_call|tool_call_response|tool-call|tool-result)$/.test(String(part.type)),
  );
  const told = typeof message.role === 'string' && message.parts !== undefined;
  const role = message.role === 'model' ? 'assistant' : message.role;
  if (!special && !told) return messageBody({ ...message, role });
  const texts = parts.filter((part) => part.type === 'text').map((part) => contentText(part.content ?? part.text));
  const calls: ToolCall[] = parts.filter((part) => /^tool[_-]call$/.test(String(part.type))).map(sdkCall);
  const results: ToolResult[] = parts
    .filter((part) => /^(tool_call_response|tool-result)$/.test(String(part.type)))
    .map((part) => ({
      callId: stringOf(part.id) ?? stringOf(part.toolCallId),
      text: textOf(part.response ?? part.result ?? part.output),
      isError: part.isError === true,
    }));
  const kind = role === 'assistant' ? 'agent' : results.length > 0 ? 'tool' : role === 'system' ? 'system' : 'user';
  return { kind, text: texts.filter((text) => text !== '').join('\n'), calls, results };
}

/** Parts of Gemini's protocol; its Python library writes names with underscores. */
function geminiMessage(role: unknown, parts: readonly Fields[]): StepBody {
  const plain = parts.map((part) => ({
    ...part,
    ...(part.function_call === undefined ? {} : { functionCall: part.function_call }),
    ...(part.function_response === undefined ? {} : { functionResponse: part.function_response }),
  }));
  return partsBody(role, plain);
}

function langchain(record: Fields): StepBody {
  const type = String(record.type).toLowerCase();
  if (type.startsWith('tool')) return tool(record.tool_call_id, contentText(record.content));
  if (type.startsWith('system')) return textBody('system', contentText(record.content));
  if (type.startsWith('human')) return textBody('user', contentText(record.content));
  const own = listOf(record.tool_calls).map(fieldsOf);
  const raw = listOf(fieldsOf(record.additional_kwargs).tool_calls);
  if (own.length > 0)
    return agent(
      contentText(record.content),
      own.map((call) => ({
        id: stringOf(call.id) ?? 'unnamed',
        name: stringOf(call.name) ?? 'unnamed',
        args: call.args ?? {},
      })),
    );
  return messageBody({ role: 'assistant', content: record.content, tool_calls: raw });
}

function sdkCall(part: Fields): ToolCall {
  return {
    id: stringOf(part.id) ?? stringOf(part.toolCallId) ?? 'unnamed',
    name: stringOf(part.name) ?? stringOf(part.toolName) ?? 'unnamed',
    args: argumentsOf(part.arguments ?? part.input ?? part.args),
  };
}

function responsesCall(item: Fields): ToolCall {
  const id = stringOf(item.call_id) ?? stringOf(item.id) ?? 'unnamed';
  return { id, name: stringOf(item.name) ?? 'unnamed', args: argumentsOf(item.arguments) };
}

function agent(text: string, calls: ToolCall[]): StepBody {
  return { kind: 'agent', text, calls, results: [] };
}

function tool(id: unknown, text: string): StepBody {
  return { kind: 'tool', text: '', calls: [], results: [{ callId: stringOf(id), text, isError: false }] };
}

/** One answer that was recorded as several messages: their texts below each other, and all their calls. */
export function joined(bodies: readonly StepBody[]): StepBody {
  const texts = bodies.map((body) => body.text).filter((text) => text !== '');
  return agent(
    texts.join('\n'),
    bodies.flatMap((body) => body.calls),
  );
}

/** What a tool gave back, as text: JSON in a string is shown as what it holds. */
export function textOf(value: unknown): string {
  const plain = parsed(value);
  if (plain === undefined || plain === null) return '';
  if (typeof plain === 'string') return plain;
  // A serialized LangChain message.
  if (isFields(plain) && isFields(plain.kwargs)) return contentText(plain.kwargs.content);
  const text = contentText(plain);
  return text === '' || text === '[object Object]' || !isFields(plain)
    ? Array.isArray(plain) && text !== ''
      ? text
      : JSON.stringify(plain)
    : text;
}
