import type { ToolCall, ToolResult } from '../model';
import {
  argumentsOf,
  contentText,
  type Fields,
  fieldsOf,
  isoOfSeconds,
  listOf,
  numberOf,
  stringOf,
} from '../reading/fields';
import type { StepBody } from './format';
import type { Usage } from './runWriter';

/** One message in the shapes of the OpenAI chat protocol and the Anthropic one. */
export function messageBody(message: Fields): StepBody {
  const blocks = listOf(message.content).map(fieldsOf);
  const answers = blocks.filter((block) => isAnswer(block.type));
  const role = String(message.role);
  const time =
    stringOf(message.timestamp) ?? isoOfSeconds(message.timestamp) ?? isoOfSeconds((numberOf(message.ts) ?? 0) / 1000);
  const reasoning =
    stringOf(message.reasoning_content) ?? (blocks.map((block) => stringOf(block.thinking) ?? '').join('') || null);
  const body: StepBody = {
    kind: role === 'assistant' ? 'agent' : role === 'system' || role === 'developer' ? 'system' : 'user',
    text: contentText(
      blocks.length === 0
        ? message.content
        : blocks.filter((block) => !isCall(block.type) && !isAnswer(block.type) && block.type !== 'thinking'),
    ),
    calls: [
      ...listOf(message.tool_calls).map(chatCall),
      ...blocks.filter((block) => isCall(block.type)).map(blockCall),
    ],
    results: answers.map(blockResult),
    ...(time === null ? {} : { time }),
    ...(reasoning === null ? {} : { reasoning }),
  };
  if (role === 'tool' || role === 'function') {
    body.results = [{ callId: stringOf(message.tool_call_id), text: body.text, isError: message.is_error === true }];
    body.text = '';
  }
  if (body.kind === 'user' && body.results.length > 0) body.kind = 'tool';
  return body;
}

function chatCall(value: unknown): ToolCall {
  const call = fieldsOf(value);
  const about = 'function' in call && typeof call.function === 'object' ? fieldsOf(call.function) : call;
  return {
    id: stringOf(call.id) ?? 'unnamed',
    name: stringOf(about.name) ?? stringOf(call.function) ?? 'unnamed',
    args: argumentsOf(about.arguments ?? call.args),
  };
}

function blockCall(block: Fields): ToolCall {
  return { id: stringOf(block.id) ?? 'unnamed', name: stringOf(block.name) ?? 'unnamed', args: block.input ?? {} };
}

function blockResult(block: Fields): ToolResult {
  return { callId: stringOf(block.tool_use_id), text: contentText(block.content), isError: block.is_error === true };
}

/** Also for tools that the provider runs itself: their results stand in the same message. */
function isCall(type: unknown): boolean {
  return /(^|_)tool_use$/.test(String(type));
}

function isAnswer(type: unknown): boolean {
  return /(^|_)tool_result$/.test(String(type));
}

/** Usage as the chat protocol has it (input includes cached tokens), or as Anthropic has it (it does not). */
export function chatUsage(usage: Fields): { usage: Usage; includesCached: boolean } | null {
  const prompt = numberOf(usage.prompt_tokens);
  if (prompt !== null) {
    const cached = numberOf(fieldsOf(usage.prompt_tokens_details).cached_tokens);
    return { usage: { input: prompt, output: numberOf(usage.completion_tokens), cached }, includesCached: true };
  }
  const input = numberOf(usage.input_tokens);
  if (input === null) return null;
  const output = numberOf(usage.output_tokens);
  if ('cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage) {
    const cacheWrite = numberOf(usage.cache_creation_input_tokens);
    return {
      usage: { input, output, cached: numberOf(usage.cache_read_input_tokens), cacheWrite },
      includesCached: false,
    };
  }
  return {
    usage: { input, output, cached: numberOf(fieldsOf(usage.input_tokens_details).cached_tokens) },
    includesCached: true,
  };
}
