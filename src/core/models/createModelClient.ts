import { InputError } from '../errors';
import { anthropic } from './anthropic';
import type { ModelEnvironment, ModelProvider, ModelSettings } from './config';
import type { ModelClient } from './model';
import { openaiCompatible } from './openaiCompatible';
import { loadPrices, PriceList } from './prices';
import { recordedProvider } from './recorded';
import { Spending } from './spending';

/** The providers that work anywhere. The models of VS Code are reached by the extension alone. */
const providers: readonly ModelProvider[] = [openaiCompatible, anthropic, recordedProvider];

/**
 * The client for model settings. No request is made yet.
 * @throws ModelKeyMissingError, InputError when the settings are incomplete or need VS Code.
 */
export async function createModelClient(settings: ModelSettings, environment: ModelEnvironment): Promise<ModelClient> {
  const provider = providers.find((one) => one.id === settings.provider);
  if (provider) {
    const { root, watches = [] } = environment;
    const prices = environment.prices ?? (root === undefined ? new PriceList() : await loadPrices(root));
    const spending = new Spending({ usd: settings.budgetUsd, tokens: settings.budgetTokens });
    const client = await provider.create(settings, { ...environment, prices, watches: [spending, ...watches] });
    return Object.assign(client, { spending });
  }
  throw new InputError('The models of VS Code can be used inside VS Code only.', {
    code: 'model-needs-vscode',
    nextStep: 'Run this from the extension, or set model.provider to openai-compatible or anthropic.',
  });
}
