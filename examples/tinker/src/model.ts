import type { Config } from './config.ts';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelAnswer {
  text: string;
  promptTokens: number;
  completionTokens: number;
}

/** The model could not be reached or answered something that is not a chat completion. */
export class ModelError extends Error {
  readonly retryable: boolean;

  constructor(message: string, retryable: boolean) {
    super(message);
    this.name = 'ModelError';
    this.retryable = retryable;
  }
}

interface CompletionBody {
  choices?: { message?: { content?: unknown } }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
}

/** Client for the OpenAI chat-completions protocol. */
export class ModelClient {
  readonly name: string;
  private readonly settings: Config['model'];
  private readonly url: string;
  private readonly apiKey: string | undefined;
  private readonly seed: number;

  constructor(settings: Config['model'], endpoint: { baseUrl: string; apiKey?: string; seed: number }) {
    this.settings = settings;
    this.name = settings.name;
    this.url = `${endpoint.baseUrl.replace(/\/$/, '')}/chat/completions`;
    this.apiKey = endpoint.apiKey;
    this.seed = endpoint.seed;
  }

  /** Asks for the next reply and repeats the request when the failure may pass. Throws ModelError. */
  async complete(messages: ChatMessage[]): Promise<ModelAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.request(messages);
      } catch (error) {
        if (!(error instanceof ModelError) || !error.retryable || attempt >= this.settings.retries) throw error;
        await new Promise((resolve) => setTimeout(resolve, this.settings.retryDelayMs * 2 ** attempt));
      }
    }
  }

  private async request(messages: ChatMessage[]): Promise<ModelAnswer> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (this.apiKey) headers.authorization = `Bearer ${this.apiKey}`;
    const { name, temperature, maxTokens, timeoutSeconds } = this.settings;
    const body = JSON.stringify({ model: name, messages, temperature, max_tokens: maxTokens, seed: this.seed });
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.url, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      });
      text = await response.text();
    } catch (error) {
      throw new ModelError(
        `${this.url} did not answer: ${error instanceof Error ? error.message : String(error)}`,
        true,
      );
    }
    if (!response.ok) {
      const passing = response.status === 429 || response.status >= 500;
      throw new ModelError(`${this.url} answered ${response.status}: ${text.slice(0, 200)}`, passing);
    }
    return readCompletion(text);
  }
}

/** Takes the reply and the token counts out of a chat-completions body. Throws ModelError. */
export function readCompletion(body: string): ModelAnswer {
  let parsed: CompletionBody;
  try {
    parsed = JSON.parse(body) as CompletionBody;
  } catch {
    throw new ModelError(`the model's answer is not JSON: ${body.slice(0, 100)}`, true);
  }
  const content = parsed.choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new ModelError("the model's answer has no choices[0].message.content", false);
  return {
    text: content,
    promptTokens: parsed.usage?.prompt_tokens ?? 0,
    completionTokens: parsed.usage?.completion_tokens ?? 0,
  };
}
