import { InputError } from '../errors';
import { defaults, type ModelProvider } from './config';
import { isLoopback, keyFromEnvironment } from './environmentKey';
import { HttpModelClient } from './httpModel';
import { ModelKeyMissingError } from './modelErrors';

const publicAddress = 'https://api.openai.com/v1';

/** Chat completions of OpenAI and of everything that speaks the same protocol. */
export const openaiCompatible: ModelProvider = {
  id: 'openai-compatible',
  async create(settings, { env, apiKey, retryPauseSeconds, stallSeconds, prices, watches }) {
    const address = settings.baseUrl ?? publicAddress;
    const label = `${settings.model || 'the model'} at ${new URL(address).host}`;
    if (settings.model === '') {
      throw new InputError('No model is named for the OpenAI-compatible endpoint.', {
        code: 'model-unnamed',
        nextStep: 'Set model.model in harness.json.',
      });
    }
    // A key for the public service is never sent to an address that somebody wrote into a repository.
    const variable = settings.apiKeyVariable ?? (address === publicAddress ? 'OPENAI_API_KEY' : undefined);
    const key =
      apiKey ?? (variable === undefined ? undefined : keyFromEnvironment({ variable, address, publicAddress, env }));
    if (variable !== undefined && !key) throw new ModelKeyMissingError(variable, label);
    const own = isLoopback(new URL(address).hostname);
    return new HttpModelClient({
      id: `openai-compatible/${settings.model}`,
      model: settings.model,
      // What is served on this machine has no list price, whatever it is called.
      price: own ? prices.ownPriceOf(settings.model) : prices.priceOf(settings.model),
      watches,
      stallSeconds: stallSeconds ?? defaults.stallSeconds,
      label,
      timeoutSeconds: settings.timeoutSeconds ?? defaults.timeoutSeconds,
      maxOutputTokens: settings.maxOutputTokens ?? defaults.maxOutputTokens,
      retryPauseSeconds: retryPauseSeconds ?? defaults.retryPauseSeconds,
      jsonMode: true,
      secret: key,
      makeModel: async (fetch, { completionTokens }) => {
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
        const provider = createOpenAICompatible({
          name: 'openai-compatible',
          ...addressOf(address),
          ...(completionTokens ? { transformRequestBody: withCompletionTokens } : {}),
          apiKey: key,
          includeUsage: true,
          supportsStructuredOutputs: true,
          fetch,
        });
        return provider.chatModel(settings.model);
      },
    });
  },
};

/** Azure wants its version behind every path: `https://name.openai.azure.com/openai/v1?api-version=preview`. */
function addressOf(address: string): { baseURL: string; queryParams?: Record<string, string> } {
  const url = new URL(address);
  if (url.search === '') return { baseURL: address };
  const queryParams = Object.fromEntries(url.searchParams);
  url.search = '';
  return { baseURL: url.href, queryParams };
}

function withCompletionTokens({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: limit };
}
