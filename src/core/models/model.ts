import type { z } from 'zod';

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
}

export interface ModelUsage {
  inputTokens: number | null;
  outputTokens: number | null;
}

export interface ModelAnswer<T> {
  value: T;
  usage: ModelUsage;
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
  generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>>;
}
