import { InputError } from '../core/errors';
import type { Harness } from '../core/harness';
import { createModelClient, type ModelClient } from '../core/models';

/** The model of harness.json. @throws InputError when none is configured, and what `createModelClient` throws. */
export async function configuredModel(harness: Harness): Promise<ModelClient> {
  if (harness.config.model) return createModelClient(harness.config.model, { env: process.env, root: harness.root });
  throw new InputError('No model is configured.', {
    code: 'model-missing',
    nextStep: 'Set "model" in .harnessmith/harness.json; docs/models.md shows how.',
  });
}
