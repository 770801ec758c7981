import * as vscode from 'vscode';
import { registerCommand, setting } from '../commands';
import { DisposableStore } from '../disposable';
import type { HostContribution, Services } from '../services';
import type { ModelChoice } from '../work/methods';
import { chooseModel, isKeyed, type KeyedProvider, keyedProviders } from './modelChoice';

const secretName = (provider: KeyedProvider) => `harnessmith.key.${provider}`;

/** Commands that put a key into the secret store of the editor and take it out. */
export const modelContribution: HostContribution = {
  name: 'models',
  activate(services: Services) {
    const store = new DisposableStore();
    const { secrets } = services.context;
    store.add(
      registerCommand('harnessmith.setModelKey', services.log, async () => {
        const provider = await pickProvider('Key for which provider?');
        if (!provider) return;
        const key = await vscode.window.showInputBox({
          title: `Key for ${keyedProviders[provider]}`,
          prompt: 'Kept in the secret store of the editor; never in settings or files',
          password: true,
          ignoreFocusOut: true,
        });
        if (!key?.trim()) return;
        await secrets.store(secretName(provider), key.trim());
        void vscode.window.setStatusBarMessage(`Harnessmith: key for ${keyedProviders[provider]} stored`, 5000);
      }),
    );
    store.add(
      registerCommand('harnessmith.removeModelKey', services.log, async () => {
        const provider = await pickProvider('Remove the key of which provider?');
        if (provider) await secrets.delete(secretName(provider));
      }),
    );
    return store;
  },
};

/** The model settings in force, with the stored key when the provider needs one. */
export async function modelInForce(services: Services): Promise<ModelChoice> {
  const choice = chooseModel(
    {
      'model.provider': setting('model.provider'),
      'model.name': setting('model.name'),
      'model.baseUrl': setting('model.baseUrl'),
      'model.answers': setting('model.answers'),
      'model.maxOutputTokens': setting('model.maxOutputTokens'),
      'model.timeoutSeconds': setting('model.timeoutSeconds'),
    },
    services.harness.head?.model ?? null,
  );
  if (!isKeyed(choice.provider)) return choice;
  const apiKey = await services.context.secrets.get(secretName(choice.provider));
  return apiKey ? { ...choice, apiKey } : choice;
}

async function pickProvider(title: string): Promise<KeyedProvider | undefined> {
  const picks = Object.entries(keyedProviders).map(([id, label]) => ({ label, id: id as KeyedProvider }));
  return (await vscode.window.showQuickPick(picks, { title }))?.id;
}
