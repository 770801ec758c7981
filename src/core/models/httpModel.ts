import type { LanguageModel } from 'ai';
import { CancelledError, messageOf } from '../errors';
import { type AskModel, answerInSchema, errorOf, type RawAnswer } from './answer';
import type { ModelAnswer, ModelClient, ModelMessage, ModelRequest } from './model';
import { ModelAnswerError, ModelTimeoutError, ModelUnavailableError } from './modelErrors';
import { answerSchema } from './modelJson';
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
  /** Makes the provider's model; called once, when the first request is made. */
  makeModel: (fetch: typeof globalThis.fetch) => Promise<LanguageModel>;
}

/** Longer answers are runaways; they are stopped while they stream. */
const maximumCharacters = 2_000_000;
const maximumBytes = 64_000_000;
const maximumErrorBytes = 1_000_000;
const retries = 3;

/** A client over one of the providers of the `ai` SDK. The SDK is loaded with the first request. */
export class HttpModelClient implements ModelClient {
  readonly id: string;
  readonly label: string;
  private model: Promise<LanguageModel> | undefined;
  private jsonMode: boolean;

  constructor(private readonly settings: HttpModelSettings) {
    this.id = settings.id;
    this.label = settings.label;
    this.jsonMode = settings.jsonMode;
  }

  generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>> {
    const ask: AskModel = (messages) =>
      withRetries(() => this.askOnce(messages, request), {
        retries,
        firstPauseSeconds: this.settings.retryPauseSeconds,
        signal: request.signal,
      });
    return answerInSchema(ask, request, this);
  }

  private async askOnce<T>(messages: ModelMessage[], request: ModelRequest<T>): Promise<RawAnswer> {
    const timeout = AbortSignal.timeout(Math.ceil(this.settings.timeoutSeconds * 1000));
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      return await this.stream(messages, request, signal);
    } catch (error) {
      if (request.signal?.aborted) throw new CancelledError('The request to the model');
      if (timeout.aborted) throw new ModelTimeoutError(this.label, this.settings.timeoutSeconds);
      if (this.jsonMode && refusesJsonMode(error)) {
        this.jsonMode = false;
        return this.askOnce(messages, request);
      }
      throw this.asModelError(error);
    }
  }

  private async stream<T>(messages: ModelMessage[], request: ModelRequest<T>, signal: AbortSignal): Promise<RawAnswer> {
    const { Output, streamText } = await import('ai');
    // The SDK writes its warnings to the console, where the answer of the command line stands.
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    this.model ??= this.settings.makeModel(guardedFetch(this.label));
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
    const answer: RawAnswer = { text: '', usage: { inputTokens: null, outputTokens: null }, cut: false };
    // Not `for await`: leaving that early waits for the rest of the stream, which may never end.
    const parts = result.fullStream[Symbol.asyncIterator]();
    try {
      for (let next = await parts.next(); !next.done; next = await parts.next()) {
        const part = next.value;
        if (part.type === 'error') throw part.error;
        if (part.type === 'abort') throw new CancelledError('The request to the model');
        if (part.type === 'text-delta') this.addText(answer, part.text, request.onText);
        if (part.type === 'finish') {
          answer.cut = part.finishReason === 'length';
          answer.usage = {
            inputTokens: part.totalUsage.inputTokens ?? null,
            outputTokens: part.totalUsage.outputTokens ?? null,
          };
        }
      }
    } finally {
      stop.abort(); // closes the connection when the answer was not read to its end
    }
    return answer;
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
    const wait = Number(responseHeaders?.['retry-after']);
    return new ModelUnavailableError(this.label, `${this.withoutSecret(reason)}${status}`, {
      cause: error,
      retryable: broke || statusCode === undefined || [408, 429].includes(statusCode) || statusCode >= 500,
      retryAfterSeconds: Number.isFinite(wait) && wait > 0 ? wait : undefined,
    });
  }

  private withoutSecret(text: string): string {
    const { secret } = this.settings;
    return secret ? text.replaceAll(secret, '(key)') : text;
  }
}

/** An error of ours that the SDK wrapped in its own. */
function ownCause(error: unknown): Error | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof ModelUnavailableError || at instanceof ModelAnswerError) return at;
  }
  return undefined;
}

/**
 * Only the format of the SDK's object mode. The mode itself parses the whole text again with every piece of it, which
 * takes minutes for a long answer, and the answer is checked here anyway.
 */
async function jsonFormat<T>({ schema, schemaName }: ModelRequest<T>) {
  return { type: 'json' as const, name: schemaName, schema: answerSchema(schema) };
}

/** Servers without structured output say so with a client error that names what they do not know. */
function refusesJsonMode(error: unknown): boolean {
  const { statusCode, responseBody } = httpFacts(error);
  const refused = statusCode === 400 || statusCode === 404 || statusCode === 422 || statusCode === 501;
  return refused && /response_format|json_schema|structured|schema|grammar/i.test(responseBody ?? '');
}

interface HttpFacts {
  statusCode?: number;
  responseBody?: string;
  responseHeaders?: Record<string, string>;
}

function httpFacts(error: unknown): HttpFacts {
  return typeof error === 'object' && error !== null ? (error as HttpFacts) : {};
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Some gateways answer a failed request with status 200 and an error as JSON, where a stream of events is expected.
 * No answer may fill the memory: the connection is closed behind the longest one.
 */
function guardedFetch(label: string): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    const streams = response.ok && type.includes('event-stream');
    const body = response.body?.pipeThrough(byteLimit(label, streams ? maximumBytes : maximumErrorBytes));
    const limited = new Response(body, response);
    if (!response.ok || streams) return limited;
    const told = errorOf(tryJson(await limited.text()));
    throw new ModelUnavailableError(
      label,
      told === undefined
        ? `it does not stream its answers (content type "${type}")`
        : `it answered with an error: ${told}`,
      { retryable: told !== undefined && /rate|overload|capacity|try again/i.test(told) },
    );
  };
}

function byteLimit(label: string, limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > limit) controller.error(new ModelAnswerError(label, `it is longer than ${limit} bytes`, ''));
      else controller.enqueue(chunk);
    },
  });
}
