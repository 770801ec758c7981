import type { ToolCall, ToolResult } from '../model';
import { contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import type { StepBody } from './format';
import { usageTokens } from './runWriter';

/** What one line of a session is for the reader; null for lines that show nothing of the run. */
export type LineMeaning =
  | 'turn'
  | 'user'
  | 'result'
  | 'note'
  | 'compaction'
  | 'compaction_summary'
  | 'exception'
  | 'system';

const ECHO =
  /^\s*<(command-(name|message|args)|local-command-(stdout|stderr|caveat)|system-reminder|bash-(input|stdout|stderr))>/;

/** True for a user line that carries results of tools. */
export function isToolResult(record: Fields): boolean {
  return record.type === 'user' && blocksOf(record).some((block) => block.type === 'tool_result');
}

export function meaningOf(record: Fields): LineMeaning | null {
  const message = fieldsOf(record.message);
  if (record.type === 'assistant') {
    const failed = record.isApiErrorMessage === true || message.model === '<synthetic>';
    return failed ? 'exception' : 'turn';
  }
  if (record.type === 'user') {
    if (isToolResult(record)) return 'result';
    if (record.isCompactSummary === true) return 'compaction_summary';
    // The client puts reminders into blocks of their own, before or after what the user wrote.
    const parts =
      typeof message.content === 'string' ? [message.content] : blocksOf(record).map((block) => contentText([block]));
    const written = parts.some((part) => part.trim() !== '' && !ECHO.test(part));
    return record.isMeta === true || !written ? 'note' : 'user';
  }
  if (record.type === 'system') {
    if (/^(micro)?compact_boundary$/.test(String(record.subtype))) {
      return record.subtype === 'compact_boundary' ? 'compaction' : 'system';
    }
    return record.subtype === 'api_error' ? 'exception' : null;
  }
  return null;
}

function blocksOf(record: Fields): Fields[] {
  return listOf(fieldsOf(record.message).content).map(fieldsOf);
}

/** One step from the lines of one message (or from one line of another kind). */
export function bodyOf(records: readonly Fields[]): StepBody {
  const first = records[0] ?? {};
  const meaning = meaningOf(first) ?? 'system';
  const time = stringOf(first.timestamp);
  const common = time === null ? {} : { time };
  if (meaning === 'turn') return { ...turnBody(records), ...common };
  if (meaning === 'result') {
    const results = blocksOf(first)
      .filter((block) => block.type === 'tool_result')
      .map(toolResult);
    const milliseconds =
      numberOf(fieldsOf(first.toolUseResult).durationMs) ?? numberOf(fieldsOf(first.toolUseResult).totalDurationMs);
    const text = blocksOf(first)
      .filter((block) => block.type === 'text')
      .map(contentText)
      .join('\n');
    const started = stringOf(fieldsOf(first.toolUseResult).agentId);
    return {
      kind: 'tool',
      text,
      calls: [],
      results,
      ...common,
      ...(milliseconds === null ? {} : { seconds: milliseconds / 1000 }),
      ...(started === null ? {} : { startsRun: started }),
    };
  }
  if (meaning === 'user')
    return { kind: 'user', text: contentText(fieldsOf(first.message).content), calls: [], results: [], ...common };
  const event = meaning === 'system' ? (stringOf(first.subtype) ?? 'note') : meaning;
  return { kind: 'event', event, text: eventText(first), calls: [], results: [], ...common };
}

function eventText(record: Fields): string {
  const said = contentText(fieldsOf(record.message).content);
  if (said !== '') return said;
  const details = record.compactMetadata ?? record.microcompactMetadata ?? record.error;
  return [contentText(record.content), details === undefined ? '' : JSON.stringify(details)]
    .filter((part) => part !== '')
    .join('\n');
}

function turnBody(records: readonly Fields[]): StepBody {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: ToolCall[] = [];
  let model: string | null = null;
  const usage = new UsageMaximum();
  for (const record of records) {
    const message = fieldsOf(record.message);
    model ??= stringOf(message.model);
    usage.add(fieldsOf(message.usage));
    if (typeof message.content === 'string') texts.push(message.content);
    for (const block of blocksOf(record)) {
      if (block.type === 'text') texts.push(contentText(block));
      else if (block.type === 'thinking') thoughts.push(String(block.thinking ?? ''));
      else if (block.type === 'tool_use' || block.type === 'server_tool_use') calls.push(toolCall(block));
    }
  }
  const reasoning = thoughts.filter((thought) => thought !== '').join('\n');
  const text = texts.filter((part) => part.trim() !== '').join('\n');
  return {
    kind: 'agent',
    text,
    calls: calls.filter((call, at) => calls.findIndex((other) => other.id === call.id) === at),
    results: [],
    ...(reasoning === '' ? {} : { reasoning }),
    ...(model === null ? {} : { model }),
    ...(usage.any ? { tokens: usageTokens(usage, false) } : {}),
  };
}

function toolCall(block: Fields): ToolCall {
  return { id: stringOf(block.id) ?? 'unnamed', name: stringOf(block.name) ?? 'unnamed', args: block.input ?? {} };
}

function toolResult(block: Fields): ToolResult {
  return { callId: stringOf(block.tool_use_id), text: contentText(block.content), isError: block.is_error === true };
}

/**
 * Usage of one API message. Its lines repeat the usage and early ones hold partial output counts, so the largest
 * value of each field counts. The three input counts (new, written to cache, read from cache) do not overlap.
 */
export class UsageMaximum {
  input = 0;
  output = 0;
  cached = 0;
  cacheWrite = 0;
  any = false;

  add(usage: Fields): void {
    const input = numberOf(usage.input_tokens);
    const output = numberOf(usage.output_tokens);
    if (input === null && output === null) return;
    this.any = true;
    this.input = Math.max(this.input, input ?? 0);
    this.output = Math.max(this.output, output ?? 0);
    this.cached = Math.max(this.cached, numberOf(usage.cache_read_input_tokens) ?? 0);
    this.cacheWrite = Math.max(this.cacheWrite, numberOf(usage.cache_creation_input_tokens) ?? 0);
  }
}
