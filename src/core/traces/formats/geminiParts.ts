import type { ToolCall, ToolResult } from '../model';
import { contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import type { StepBody } from './format';
import type { Usage } from './runWriter';

/**
 * The parts of Gemini's protocol: text (thoughts are marked), function calls and responses, inline data. Identifiers may
 * be missing; `ids` gives those that were chosen for calls and responses, in order.
 */
export function partsBody(role: unknown, parts: unknown, ids: readonly string[] = []): StepBody {
  const list = listOf(parts).map(fieldsOf);
  const named = ids.values();
  const calls: ToolCall[] = [];
  const results: ToolResult[] = [];
  const texts: string[] = [];
  const thoughts: string[] = [];
  for (const part of list) {
    if (part.functionCall !== undefined) calls.push(callOf(fieldsOf(part.functionCall), named.next().value));
    else if (part.functionResponse !== undefined)
      results.push(responseOf(fieldsOf(part.functionResponse), named.next().value));
    else (part.thought === true ? thoughts : texts).push(partText(part));
  }
  const text = texts.filter((one) => one !== '').join('\n');
  const reasoning = thoughts.filter((one) => one !== '').join('\n');
  const kind = role === 'model' || role === 'assistant' ? 'agent' : results.length > 0 ? 'tool' : 'user';
  return { kind, text, calls, results, ...(reasoning === '' ? {} : { reasoning }) };
}

function partText(part: Fields): string {
  if (typeof part.text === 'string') return part.text;
  const data = fieldsOf(part.inlineData ?? part.fileData);
  return 'mimeType' in data ? `[${String(data.mimeType)} data]` : '';
}

function callOf(call: Fields, id: string | undefined): ToolCall {
  return { id: stringOf(call.id) ?? id ?? 'unnamed', name: stringOf(call.name) ?? 'unnamed', args: call.args ?? {} };
}

/** A function response; `output` and `error` are where the tools of Gemini CLI put their text. */
export function responseOf(response: Fields, id?: string): ToolResult {
  const said = fieldsOf(response.response);
  const failed = stringOf(said.error);
  const text = failed ?? (typeof said.output === 'string' ? said.output : contentText(response.response));
  return {
    callId: stringOf(response.id) ?? id ?? null,
    text: text === '' && Object.keys(said).length > 0 ? JSON.stringify(said) : text,
    isError: failed !== null,
  };
}

/** Names of calls and responses without an identifier, matched by function and order. */
export class CallNumbering {
  private next = 1;
  private readonly open = new Map<string, string[]>();

  ids(parts: unknown): string[] {
    const found: string[] = [];
    for (const part of listOf(parts).map(fieldsOf)) {
      const call = fieldsOf(part.functionCall);
      const response = fieldsOf(part.functionResponse);
      const name = String(call.name ?? response.name ?? '');
      if (part.functionCall !== undefined) {
        const id = stringOf(call.id) ?? `call-${this.next}`;
        this.next += 1;
        this.open.set(name, [...(this.open.get(name) ?? []), id]);
        found.push(id);
      } else if (part.functionResponse !== undefined) {
        const waiting = this.open.get(name) ?? [];
        const id = stringOf(response.id) ?? waiting[0] ?? `response-${this.next}`;
        this.open.set(
          name,
          waiting.filter((one) => one !== id),
        );
        found.push(id);
      }
    }
    return found;
  }
}

/** `usageMetadata` of the API. The prompt includes cached tokens; thoughts are counted apart from the answer. */
export function usageOf(metadata: Fields): Usage {
  return {
    input: numberOf(metadata.promptTokenCount),
    output: numberOf(metadata.candidatesTokenCount),
    cached: numberOf(metadata.cachedContentTokenCount),
  };
}
