import { createHash } from 'node:crypto';
import { contentText, type Fields, fieldsOf, isFields, stringOf } from '../reading/fields';
import { parseLenient } from '../reading/lenientJson';

/** One message that went to the model. */
export interface InputMessage {
  role: string;
  text: string;
}

/** What a model call was given, as far as its record holds it. */
export interface ModelInput {
  messages: InputMessage[];
  /** Schemas of the tools as JSON; null when the record has none. */
  tools: string | null;
}

/** Records are looked into this deep; inputs stand near the top. */
const DEEPEST = 4;
const INPUT_KEYS = ['messages', 'input', 'input_messages', 'gen_ai.input.messages', 'ai.prompt.messages', 'contents'];
const TOOL_KEYS = ['tools', 'tool_definitions', 'functions', 'gen_ai.tool.definitions', 'ai.prompt.tools'];
const SYSTEM_KEYS = ['system', 'instructions', 'gen_ai.system_instructions', 'system_prompt', 'systemInstruction'];
const INSIDE = [
  'inputs',
  'request',
  'body',
  'attributes',
  'data',
  'call',
  'invocation_params',
  'span',
  'payload',
  'extra',
];

/**
 * The model input in the raw record of a step: tracing exports, evaluation logs and request dumps hold it, logs of agents
 * mostly do not. Null when there is none.
 */
export function modelInputOf(raw: string): ModelInput | null {
  const value = parseLenient(raw)?.value;
  if (!isFields(value)) return null;
  const messages: InputMessage[] = [];
  const found = search(value, 0);
  for (const key of SYSTEM_KEYS) {
    const system = found.holder === null ? undefined : opened(found.holder[key]);
    if (system === undefined || system === null) continue;
    messages.push({ role: 'system', text: textOf(system) });
    break;
  }
  messages.push(...found.messages);
  if (found.messages.length === 0) return null;
  return { messages, tools: found.tools };
}

interface Found {
  messages: InputMessage[];
  tools: string | null;
  /** The object that holds the messages. */
  holder: Fields | null;
}

function search(value: Fields, depth: number): Found {
  const record = flattened(value);
  let tools: string | null = null;
  for (const key of TOOL_KEYS) {
    const list = opened(record[key]);
    if (tools === null && Array.isArray(list) && list.length > 0) tools = JSON.stringify(list);
  }
  for (const key of INPUT_KEYS) {
    const list = opened(record[key]);
    const messages = Array.isArray(list) ? list.map(messageOf) : [];
    if (messages.length > 0 && messages.every((message) => message !== null))
      return { messages, tools, holder: record };
  }
  const numbered = numberedMessages(record);
  if (numbered.length > 0) return { messages: numbered, tools, holder: record };
  for (const key of depth < DEEPEST ? [...INSIDE, 'input'] : []) {
    const inner = opened(record[key]);
    const found = isFields(inner) || Array.isArray(inner) ? search(asFields(inner), depth + 1) : null;
    if (found !== null && found.messages.length > 0) return { ...found, tools: found.tools ?? tools };
    tools ??= found?.tools ?? null;
  }
  return { messages: [], tools, holder: null };
}

function asFields(value: unknown): Fields {
  return Array.isArray(value) ? flattened({ attributes: value }) : fieldsOf(value);
}

/** OTLP writes attributes as a list of `{key, value: {stringValue}}`; they are members like any others. */
function flattened(record: Fields): Fields {
  const attributes = record.attributes;
  if (!Array.isArray(attributes)) return record;
  const flat: Record<string, unknown> = Object.create(null);
  for (const entry of attributes) {
    const { key, value } = fieldsOf(entry);
    const values = fieldsOf(value);
    if (typeof key === 'string') flat[key] = values.stringValue ?? values.intValue ?? values.arrayValue ?? value;
  }
  return { ...flat, ...record };
}

/** JSON in a string is opened. */
function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return parseLenient(value)?.value ?? value;
}

function messageOf(value: unknown): InputMessage | null {
  const message = fieldsOf(value);
  const inner = isFields(message.message) ? message.message : message;
  const role = stringOf(inner.role) ?? stringOf(inner.type) ?? null;
  if (role === null) return null;
  return { role, text: textOf(inner) };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const message = fieldsOf(value);
  const parts = message.content ?? message.parts ?? message.text ?? message.output;
  const text = contentText(Array.isArray(value) ? value : parts);
  const calls = message.tool_calls ?? message.arguments;
  const rest = calls === undefined ? '' : (JSON.stringify(calls) ?? '');
  return text === '' && rest === '' ? (JSON.stringify(value) ?? '') : `${text}${rest}`;
}

/** OpenInference writes `llm.input_messages.0.message.content`. */
function numberedMessages(record: Fields): InputMessage[] {
  const texts = new Map<number, { role: string; parts: string[] }>();
  for (const [key, value] of Object.entries(record)) {
    const match = /^(?:llm\.input_messages|gen_ai\.prompt)\.(\d{1,5})\.(.*)$/.exec(key);
    if (match === null) continue;
    const known = texts.get(Number(match[1])) ?? { role: '', parts: [] };
    if (/(^|\.)role$/.test(match[2])) known.role = String(value);
    else known.parts.push(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    texts.set(Number(match[1]), known);
  }
  return [...texts].sort(([a], [b]) => a - b).map(([, { role, parts }]) => ({ role, text: parts.join('\n') }));
}

/** A message as it is remembered to compare the next input with. */
export interface MessageMark {
  key: string;
  role: string;
  length: number;
  start: string;
}

const START = 60;

export function marksOf(input: ModelInput): MessageMark[] {
  return input.messages.map(({ role, text }) => ({
    key: createHash('sha256').update(`${role}\0${text}`).digest('base64url').slice(0, 16),
    role,
    length: text.length,
    start: text.slice(0, START),
  }));
}

/** What became of the messages of an input in the next one, see {@link InputChange}. */
export function inputChange(before: readonly MessageMark[], after: readonly MessageMark[]) {
  let [kept, shortened, dropped, at] = [0, 0, 0, 0];
  for (const [index, mark] of before.entries()) {
    const same = after.findIndex((other, place) => place >= at && other.key === mark.key);
    if (same >= 0) {
      kept += 1;
      at = same + 1;
      continue;
    }
    const other = after[at];
    const cut = other !== undefined && other.role === mark.role && other.length < mark.length;
    // The same start, or a placeholder where the message stood while the next one is still there.
    const next = before[index + 1]?.key;
    if (cut && (other.start.slice(0, 20) === mark.start.slice(0, 20) || (next ?? '') === after[at + 1]?.key)) {
      shortened += 1;
      at += 1;
    } else dropped += 1;
  }
  return { kept, shortened, dropped, added: after.length - kept - shortened };
}
