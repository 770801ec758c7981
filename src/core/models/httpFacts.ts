import { ModelAnswerError, ModelBudgetError, ModelTimeoutError, ModelUnavailableError } from './modelErrors';

/** What the SDK tells of a failed request. */
export interface HttpFacts {
  statusCode?: number;
  responseBody?: string;
  responseHeaders?: Record<string, string>;
}

export function httpFacts(error: unknown): HttpFacts {
  return typeof error === 'object' && error !== null ? (error as HttpFacts) : {};
}

/** An error of ours that the SDK wrapped in its own. */
export function ownCause(error: unknown): Error | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (ownClasses.some((one) => at instanceof one)) return at;
  }
  return undefined;
}

const ownClasses = [ModelUnavailableError, ModelAnswerError, ModelTimeoutError, ModelBudgetError];

/** Servers without structured output say so with a client error that names what they do not know. */
export function refusesJsonMode(error: unknown): boolean {
  const { statusCode, responseBody } = httpFacts(error);
  const refused = statusCode === 400 || statusCode === 404 || statusCode === 422 || statusCode === 501;
  return refused && /response_format|json_schema|structured|schema|grammar/i.test(responseBody ?? '');
}

/** Newer models of OpenAI know the limit of an answer by another name only. */
export function wantsCompletionTokens(error: unknown): boolean {
  const { statusCode, responseBody } = httpFacts(error);
  return statusCode === 400 && /max_completion_tokens/.test(responseBody ?? '');
}

/** Seconds a server asks to wait, by `retry-after-ms` or `retry-after` (seconds, or a date of RFC 9110). */
export function retryAfterSeconds(headers: Record<string, string> | undefined, now = Date.now()): number | undefined {
  const milliseconds = Number(headers?.['retry-after-ms'] || Number.NaN);
  if (milliseconds > 0) return milliseconds / 1000;
  const told = headers?.['retry-after'];
  if (told === undefined) return undefined;
  const seconds = /^[\d.]+$/.test(told.trim()) ? Number(told) : (Date.parse(told) - now) / 1000;
  return seconds > 0 ? seconds : undefined;
}

export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
