import type { LanguageModel, LanguageModelUsage } from 'ai';
import { CancelledError, messageOf } from '../errors';
import { type AskModel, answerInSchema, errorOf, type RawAnswer } from './answer';
import { type CallWatch, watchCall } from './calls';
import { guardedFetch } from './guardedFetch';
import { httpFacts, ownCause, refusesJsonMode, retryAfterSeconds, tryJson, wantsCompletionTokens } from './httpFacts';
import type { ModelAnswer, ModelClient, ModelMessage, ModelRequest, ModelUsage } from './model';
import { ModelAnswerError, ModelTimeoutError, ModelUnavailableError } from './modelErrors';
import { answerSchema } from './modelJson';
import type { TokenPrice } from './prices';
import { withRetries } from './retry';

export interface HttpModelSettings {
  id: string;
  label: string;
  timeoutSeconds: number;
  maxOutputTokens: number;
  /** Pause before the first further try after a rate limit or server fault. */
  retryPauseSeconds: number;
  /** True for protocols whose servers can hold an answer to a JSON schema; one that refuses it is asked without. */
  jsonMode: boolean;
  /** Never shown: taken out of every message. */
  secret?: string;
  /** The longest silence in the middle of an answer. */
  stallSeconds: number;
  /** Name for the log and the price; null when what it costs is not known. */
  model: string;
  price: TokenPrice | null;
  watches: readonly CallWatch[];
  /** Makes the provider's model; called once, when the first request is made. */
  makeModel: (fetch: typeof globalThis.fetch, options: { completionTokens: boolean }) => Promise<LanguageModel>;
}

/** Longer answers are runaways; they are stopped while they stream. */
const maximumCharacters = 2_000_000;
const retries = 3;
/** A second wait as long as the first is all that a timeout is worth. */
const retriesOfTimeout = 1;

/** A client over one of the providers of the `ai` SDK. The SDK is loaded with the first request. */
export class HttpModelClient implements ModelClient {
  readonly id: string;
  readonly label: string;
  readonly price: TokenPrice | null;
  private model: Promise<LanguageModel> | undefined;
  private jsonMode: boolean;
  private completionTokens = false;

  constructor(private readonly settings: HttpModelSettings) {
    this.id = settings.id;
    this.label = settings.label;
    this.price = settings.price;
    this.jsonMode = settings.jsonMode;
  }

  generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>> {
    const ask: AskModel = (messages) =>
      withRetries(() => this.askOnce(messages, request), {
        retries,
        retriesOfTimeout,
        firstPauseSeconds: this.settings.retryPauseSeconds,
        signal: request.signal,
        onRetry: request.onRetry,
      });
    return answerInSchema(ask, request, this);
  }

  private async askOnce<T>(messages: ModelMessage[], request: ModelRequest<T>): Promise<RawAnswer> {
    const { model, price, watches } = this.settings;
    const started = { model, label: this.label, purpose: request.schemaName, messages, price };
    const answer: RawAnswer = { text: '', usage: { inputTokens: null, outputTokens: null }, cut: false };
    try {
      return await watchCall(started, watches, answer, () => this.askInTime(messages, request, answer));
    } catch (error) {
      if (!this.adaptTo(error)) throw error;
    }
    return this.askOnce(messages, request);
  }

  /** True when the server refused a way of asking for which there is another, which is taken from then on. */
  private adaptTo(error: unknown): boolean {
    const cause = error instanceof ModelUnavailableError ? error.cause : error;
    if (this.jsonMode && refusesJsonMode(cause)) {
      this.jsonMode = false;
      return true;
    }
    if (this.completionTokens || !wantsCompletionTokens(cause)) return false;
    this.completionTokens = true;
    this.model = undefined;
    return true;
  }

  private async askInTime<T>(messages: ModelMessage[], request: ModelRequest<T>, answer: RawAnswer): Promise<void> {
    const { timeoutSeconds, stallSeconds } = this.settings;
    const timeout = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const stall = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // The wait for the first word is the model thinking; only a silence after it is a stall.
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => stall.abort(), stallSeconds * 1000);
    };
    try {
      await this.stream(messages, request, AbortSignal.any([signal, stall.signal]), answer, heard);
    } catch (error) {
      if (request.signal?.aborted) throw new CancelledError('The request to the model');
      if (timeout.aborted) throw new ModelTimeoutError(this.label, timeoutSeconds);
      if (stall.signal.aborted) throw new ModelTimeoutError(this.label, stallSeconds, true);
      throw this.asModelError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async stream<T>(
    messages: ModelMessage[],
    request: ModelRequest<T>,
    signal: AbortSignal,
    answer: RawAnswer,
    heard: () => void,
  ): Promise<void> {
    const { Output, streamText } = await import('ai');
    // The SDK writes its warnings to the console, where the answer of the command line stands.
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    this.model ??= this.settings.makeModel(guardedFetch(this.label), { completionTokens: this.completionTokens });
    const stop = new AbortController();
    const system = messages.filter((message) => message.role === 'system').map((message) => message.content);
    const result = streamText({
      model: await this.model,
      instructions: system.join('\n\n'),
      messages: messages.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }])),
      maxOutputTokens: request.maxOutputTokens ?? this.settings.maxOutputTokens,
      output: this.jsonMode ? { ...Output.text(), responseFormat: jsonFormat(request) } : undefined,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, stop.signal]),
      onError: () => undefined, // thrown below; the default writes to the console
    });
    // Not `for await`: leaving that early waits for the rest of the stream, which may never end.
    const parts = result.fullStream[Symbol.asyncIterator]();
    try {
      for (let next = await parts.next(); !next.done; next = await parts.next()) {
        const part = next.value;
        if (part.type === 'error') throw part.error;
        if (part.type === 'abort') throw new CancelledError('The request to the model');
        if (part.type.endsWith('-delta')) heard();
        if (part.type === 'text-delta') this.addText(answer, part.text, request.onText);
        if (part.type === 'finish') {
          answer.cut = part.finishReason === 'length';
          answer.usage = usageOf(part.totalUsage);
        }
      }
    } finally {
      stop.abort(); // closes the connection when the answer was not read to its end
    }
  }

  private addText(answer: RawAnswer, text: string, onText: ((chunk: string) => void) | undefined): void {
    answer.text += text;
    onText?.(text);
    if (answer.text.length <= maximumCharacters) return;
    throw new ModelAnswerError(this.label, `it is longer than ${maximumCharacters} characters`, answer.text);
  }

  private asModelError(error: unknown): unknown {
    const own = ownCause(error);
    if (own) return own;
    const { statusCode, responseBody, responseHeaders } = httpFacts(error);
    // Status 200 and still an error: the connection broke while the answer came.
    const broke = statusCode !== undefined && statusCode < 400;
    const told = responseBody === undefined ? undefined : errorOf(tryJson(responseBody));
    const reason = broke ? 'the connection broke in the middle of the answer' : (told ?? messageOf(error));
    const status = statusCode === undefined || broke ? '' : ` (HTTP ${statusCode})`;
    return new ModelUnavailableError(this.label, `${this.withoutSecret(reason)}${status}`, {
      cause: error,
      retryable: broke || statusCode === undefined || [408, 429].includes(statusCode) || statusCode >= 500,
      retryAfterSeconds: retryAfterSeconds(responseHeaders),
    });
  }

  private withoutSecret(text: string): string {
    const { secret } = this.settings;
    return secret ? text.replaceAll(secret, '(key)') : text;
  }
}

/**
 * Only the format of the SDK's object mode. The mode itself parses the whole text again with every piece of it, which
 * takes minutes for a long answer, and the answer is checked here anyway.
 */
async function jsonFormat<T>({ schema, schemaName }: ModelRequest<T>) {
  return { type: 'json' as const, name: schemaName, schema: answerSchema(schema) };
}

function usageOf(total: LanguageModelUsage): ModelUsage {
  const { cacheReadTokens, cacheWriteTokens } = total.inputTokenDetails;
  return {
    inputTokens: total.inputTokens ?? null,
    outputTokens: total.outputTokens ?? null,
    ...(cacheReadTokens ? { cachedInputTokens: cacheReadTokens } : {}),
    ...(cacheWriteTokens ? { cacheWriteTokens } : {}),
  };
}
