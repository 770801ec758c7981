import { InputError } from '../core/errors';
import type { Harness } from '../core/harness';
import { createModelClient, type ModelClient, requestLog } from '../core/models';

/** The model of harness.json. @throws InputError when none is configured, and what `createModelClient` throws. */
export async function configuredModel(
  { config, root }: Harness,
  limits: { budgetUsd?: number; budgetTokens?: number } = {},
): Promise<ModelClient> {
  if (config.model) {
    const settings = { ...config.model, ...limits };
    return createModelClient(settings, { env: process.env, root, watches: [requestLog(root)] });
  }
  throw new InputError('No model is configured.', {
    code: 'model-missing',
    nextStep: 'Set "model" in .harnessmith/harness.json; docs/models.md shows how.',
  });
}
