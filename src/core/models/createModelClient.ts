import { InputError } from '../errors';
import { anthropic } from './anthropic';
import type { ModelEnvironment, ModelProvider, ModelSettings } from './config';
import type { ModelClient } from './model';
import { openaiCompatible } from './openaiCompatible';
import { recordedProvider } from './recorded';

/** The providers that work anywhere. The models of VS Code are reached by the extension alone. */
const providers: readonly ModelProvider[] = [openaiCompatible, anthropic, recordedProvider];

/**
 * The client for model settings. No request is made yet.
 * @throws ModelKeyMissingError, InputError when the settings are incomplete or need VS Code.
 */
export async function createModelClient(settings: ModelSettings, environment: ModelEnvironment): Promise<ModelClient> {
  const provider = providers.find((one) => one.id === settings.provider);
  if (provider) return provider.create(settings, environment);
  throw new InputError('The models of VS Code can be used inside VS Code only.', {
    code: 'model-needs-vscode',
    nextStep: 'Run this from the extension, or set model.provider to openai-compatible or anthropic.',
  });
}
