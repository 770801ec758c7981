import type { z } from 'zod';
import type { TokenPrice } from './prices';
import type { Spending } from './spending';

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelRequest<T> {
  messages: ModelMessage[];
  /** The only accepted shape of the answer. */
  schema: z.ZodType<T>;
  /** Short name of the answer for providers that want one, such as `proposal`. */
  schemaName: string;
  maxOutputTokens?: number;
  signal?: AbortSignal;
  /** Receives partial text while the answer streams, for progress only. */
  onText?: (chunk: string) => void;
  /** Told in words when the request is made again, and why. */
  onRetry?: (message: string) => void;
}

export interface ModelUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  /** Part of the input that the provider read from, or wrote to, its cache; only some say so. */
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
}

export interface ModelAnswer<T> {
  value: T;
  usage: ModelUsage;
  /** US dollars for all tries of the answer; null when the price of the model is not known. */
  costUsd: number | null;
  model: string;
}

/**
 * One language model. Throws `ModelError` classes of this folder (key missing, timeout, rate limit, refused,
 * answer not in the schema after one repair) and `CancelledError`.
 */
export interface ModelClient {
  readonly id: string;
  readonly label: string;
  /** What its calls used so far; absent for clients that do not count. */
  readonly spending?: Spending;
  /** What its tokens cost; null when that is not known. */
  readonly price?: TokenPrice | null;
  generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>>;
}
