import type { CallWatch } from './calls';
import type { ModelClient } from './model';
import type { PriceList } from './prices';

/** What a client needs to know; `model` of harness.json has this shape. */
export interface ModelSettings {
  provider: 'vscode' | 'openai-compatible' | 'anthropic' | 'recorded';
  model: string;
  baseUrl?: string;
  apiKeyVariable?: string;
  answers?: string;
  timeoutSeconds?: number;
  maxOutputTokens?: number;
  /** Most that the calls of one client may cost together, in US dollars. */
  budgetUsd?: number;
  /** Most tokens, in and out, that the calls of one client may use together. */
  budgetTokens?: number;
}

export interface ModelEnvironment {
  env: Record<string, string | undefined>;
  /** A key from a secret store; wins over the environment. */
  apiKey?: string;
  /** Folder that paths of the settings are relative to; the working directory when absent. */
  root?: string;
  /** Pause in seconds before the first retry after a rate limit or server fault; doubled each time. Default 2. */
  retryPauseSeconds?: number;
  /** The longest silence in the middle of an answer, in seconds. Default 60. */
  stallSeconds?: number;
  /** What models cost; read from `root` when absent. */
  prices?: PriceList;
  /** Who follows the calls, beside the spending that every client counts. */
  watches?: readonly CallWatch[];
}

/** What `createModelClient` hands to a provider. */
export interface ProviderEnvironment extends ModelEnvironment {
  prices: PriceList;
  watches: readonly CallWatch[];
}

export interface ModelProvider {
  id: ModelSettings['provider'];
  create(settings: ModelSettings, environment: ProviderEnvironment): Promise<ModelClient>;
}

/** Defaults of harness.json, for callers that do not come from there. */
export const defaults = { timeoutSeconds: 120, maxOutputTokens: 8_000, retryPauseSeconds: 2, stallSeconds: 60 };
