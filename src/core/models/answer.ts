import { throwIfCancelled } from '../errors';
import type { ModelAnswer, ModelMessage, ModelRequest, ModelUsage } from './model';
import { ModelAnswerError, ModelUnavailableError } from './modelErrors';
import { type ParsedModelJson, parseModelJson, schemaText } from './modelJson';

/** One raw answer of a model. */
export interface RawAnswer {
  text: string;
  usage: ModelUsage;
  /** True when the model stopped because it may say no more. */
  cut: boolean;
  /** US dollars; null or absent when the price is not known. */
  costUsd?: number | null;
}

/** Sends messages and gives the text of the answer. What an adapter, or a host with its own model, provides. */
export type AskModel = (messages: ModelMessage[]) => Promise<RawAnswer>;

/**
 * Asks for an answer in a schema. The schema goes into the messages, so this works with models that have no JSON
 * mode. An answer that does not fit is sent back once with the exact issues.
 * @throws ModelAnswerError when the second answer does not fit either, ModelUnavailableError when the answer is an
 * error message in JSON.
 */
export async function answerInSchema<T>(
  ask: AskModel,
  request: ModelRequest<T>,
  model: { id: string; label: string },
): Promise<ModelAnswer<T>> {
  const messages = withSchema(request);
  const first = await ask(messages);
  const parsed = parseModelJson(first.text, request.schema);
  if (parsed.ok) return { value: parsed.value, usage: first.usage, costUsd: first.costUsd ?? null, model: model.id };
  checkRepairable(first, parsed, model.label);
  throwIfCancelled(request.signal, 'The request to the model');
  request.onRetry?.('The answer is not of the wanted form; asking for it again');
  const second = await ask([
    ...messages,
    { role: 'assistant', content: first.text.slice(0, 20_000) || '(empty)' },
    { role: 'user', content: repairText(parsed.problem) },
  ]);
  const usage = addUsage(first.usage, second.usage);
  const repaired = parseModelJson(second.text, request.schema);
  const costUsd = add(first.costUsd ?? null, second.costUsd ?? null);
  if (repaired.ok) return { value: repaired.value, usage, costUsd, model: model.id };
  checkRepairable(second, repaired, model.label);
  throw new ModelAnswerError(model.label, repaired.problem.replaceAll('\n', '; '), second.text);
}

function withSchema<T>(request: ModelRequest<T>): ModelMessage[] {
  const instruction =
    `Answer with one JSON value only, no prose and no code fence. ` +
    `It is called "${request.schemaName}" and must be valid for this JSON schema:\n${schemaText(request.schema)}`;
  return [{ role: 'system', content: instruction }, ...request.messages];
}

function repairText(problem: string): string {
  return `Your answer cannot be used:\n${problem}\nSend the whole JSON value again, corrected, and nothing else.`;
}

function checkRepairable(raw: RawAnswer, parsed: ParsedModelJson<unknown> & { ok: false }, label: string): void {
  if (raw.cut) {
    throw new ModelAnswerError(
      label,
      'it was cut off because it reached the longest length allowed',
      raw.text,
      'Raise model.maxOutputTokens in harness.json, or ask for less.',
    );
  }
  const error = errorOf(parsed.value);
  if (error !== undefined) throw new ModelUnavailableError(label, `it answered with an error: ${error}`);
}

/** The message of an error object that a gateway sent in place of an answer; undefined when it is none. */
export function errorOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value) || !value.error) return undefined;
  const { error } = value;
  if (typeof error === 'string') return error.slice(0, 300);
  if (typeof error === 'object' && 'message' in error && typeof error.message === 'string') {
    return error.message.slice(0, 300);
  }
  return JSON.stringify(error).slice(0, 300);
}

/** Tokens of two answers together. */
export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  const sum: ModelUsage = {
    inputTokens: add(a.inputTokens, b.inputTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
  };
  const cached = add(a.cachedInputTokens ?? null, b.cachedInputTokens ?? null);
  const written = add(a.cacheWriteTokens ?? null, b.cacheWriteTokens ?? null);
  if (cached !== null) sum.cachedInputTokens = cached;
  if (written !== null) sum.cacheWriteTokens = written;
  return sum;
}

/** The sum of what is known; null when neither is. */
function add(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}
