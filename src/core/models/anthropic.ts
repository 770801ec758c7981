import { InputError } from '../errors';
import { defaults, type ModelProvider } from './config';
import { keyFromEnvironment } from './environmentKey';
import { HttpModelClient } from './httpModel';
import { ModelKeyMissingError } from './modelErrors';

const defaultVariable = 'ANTHROPIC_API_KEY';
const publicAddress = 'https://api.anthropic.com/v1';

/** The messages API of Anthropic. */
export const anthropic: ModelProvider = {
  id: 'anthropic',
  async create(settings, { env, apiKey, retryPauseSeconds, stallSeconds, prices, watches }) {
    const address = settings.baseUrl ?? publicAddress;
    const label = `${settings.model || 'the model'} at ${new URL(address).host}`;
    if (settings.model === '') {
      throw new InputError('No model is named for Anthropic.', {
        code: 'model-unnamed',
        nextStep: 'Set model.model in harness.json.',
      });
    }
    const variable = settings.apiKeyVariable ?? defaultVariable;
    // The key of the public service goes to another address only when the settings name its variable.
    const mayRead = settings.apiKeyVariable !== undefined || address === publicAddress;
    const key = apiKey ?? (mayRead ? keyFromEnvironment({ variable, address, publicAddress, env }) : undefined);
    if (!key) throw new ModelKeyMissingError(mayRead ? variable : `named by model.apiKeyVariable`, label);
    return new HttpModelClient({
      id: `anthropic/${settings.model}`,
      model: settings.model,
      price: prices.priceOf(settings.model),
      watches,
      stallSeconds: stallSeconds ?? defaults.stallSeconds,
      label,
      timeoutSeconds: settings.timeoutSeconds ?? defaults.timeoutSeconds,
      maxOutputTokens: settings.maxOutputTokens ?? defaults.maxOutputTokens,
      retryPauseSeconds: retryPauseSeconds ?? defaults.retryPauseSeconds,
      jsonMode: false, // only some models have it; the schema in the messages serves all
      secret: key,
      makeModel: async (fetch) => {
        const { createAnthropic } = await import('@ai-sdk/anthropic');
        return createAnthropic({ baseURL: address, apiKey: key, fetch })(settings.model);
      },
    });
  },
};
