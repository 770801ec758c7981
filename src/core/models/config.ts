/** What a client needs to know; `model` of harness.json has this shape. */
export interface ModelSettings {
  provider: 'vscode' | 'openai-compatible' | 'anthropic' | 'recorded';
  model: string;
  baseUrl?: string;
  apiKeyVariable?: string;
  answers?: string;
  timeoutSeconds?: number;
  maxOutputTokens?: number;
}

export interface ModelEnvironment {
  env: Record<string, string | undefined>;
  /** A key from a secret store; wins over the environment. */
  apiKey?: string;
  /** Folder that paths of the settings are relative to; the working directory when absent. */
  root?: string;
  /** Pause in seconds before the first retry after a rate limit or server fault; doubled each time. Default 2. */
  retryPauseSeconds?: number;
}

export interface ModelProvider {
  id: ModelSettings['provider'];
  create(settings: ModelSettings, environment: ModelEnvironment): Promise<import('./model').ModelClient>;
}

/** Defaults of harness.json, for callers that do not come from there. */
export const defaults = { timeoutSeconds: 120, maxOutputTokens: 8_000, retryPauseSeconds: 2 };
