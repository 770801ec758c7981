import { InputError } from '../errors';
import { defaults, type ModelProvider } from './config';
import { keyFromEnvironment } from './environmentKey';
import { HttpModelClient } from './httpModel';
import { ModelKeyMissingError } from './modelErrors';

const publicAddress = 'https://api.openai.com/v1';

/** Chat completions of OpenAI and of everything that speaks the same protocol. */
export const openaiCompatible: ModelProvider = {
  id: 'openai-compatible',
  async create(settings, { env, apiKey, retryPauseSeconds }) {
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
    return new HttpModelClient({
      id: `openai-compatible/${settings.model}`,
      label,
      timeoutSeconds: settings.timeoutSeconds ?? defaults.timeoutSeconds,
      maxOutputTokens: settings.maxOutputTokens ?? defaults.maxOutputTokens,
      retryPauseSeconds: retryPauseSeconds ?? defaults.retryPauseSeconds,
      jsonMode: true,
      secret: key,
      makeModel: async (fetch) => {
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
        const provider = createOpenAICompatible({
          name: 'openai-compatible',
          baseURL: address,
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
