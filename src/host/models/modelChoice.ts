import type { ModelConfig } from '../../core/harness';
import type { Settings } from '../ids';
import type { ModelChoice } from '../work/methods';

/** Providers that need a key, with the words people know them by. */
export const keyedProviders = { anthropic: 'Anthropic', 'openai-compatible': 'OpenAI-compatible endpoint' } as const;
export type KeyedProvider = keyof typeof keyedProviders;

export function isKeyed(provider: string): provider is KeyedProvider {
  return Object.hasOwn(keyedProviders, provider);
}

/**
 * Name under which a key is kept. Every address has its own: a repository that names another one never gets a key
 * that was given for the public service or for somebody else's.
 */
export function secretName(provider: KeyedProvider, baseUrl: string | undefined): string {
  const name = `harnessmith.key.${provider}`;
  return baseUrl === undefined ? name : `${name} ${URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl}`;
}

type ModelSettings = Pick<
  Settings,
  'model.provider' | 'model.name' | 'model.baseUrl' | 'model.answers' | 'model.maxOutputTokens' | 'model.timeoutSeconds'
>;

/**
 * The model to use: what the person set wins over what the harness says; with neither, a model of the editor.
 * The key is not part of it.
 */
export function chooseModel(settings: ModelSettings, fromHarness: ModelConfig | null): ModelChoice {
  const common = {
    timeoutSeconds: settings['model.timeoutSeconds'],
    maxOutputTokens: settings['model.maxOutputTokens'],
  };
  const name = settings['model.name'].trim();
  if (settings['model.provider'] === 'harness') {
    if (fromHarness) return { ...fromHarness, model: name || fromHarness.model };
    return { provider: 'vscode', model: name, ...common };
  }
  const provider = settings['model.provider'];
  const same = fromHarness?.provider === provider ? fromHarness : null;
  return {
    ...same,
    provider,
    model: name || same?.model || '',
    ...common,
    baseUrl: settings['model.baseUrl'].trim() || same?.baseUrl,
    answers: settings['model.answers'].trim() || same?.answers,
  };
}
