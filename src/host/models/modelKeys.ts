import * as vscode from 'vscode';
import { registerCommand, setting, settingScope } from '../commands';
import { DisposableStore } from '../disposable';
import type { HostContribution, Services } from '../services';
import type { ModelChoice } from '../work/methods';
import { registerChooseModel } from './chooseModel';
import { chooseModel, isKeyed, type KeyedProvider, keyedProviders, secretName } from './modelChoice';

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
        const address = addressOf(services, provider);
        const key = await vscode.window.showInputBox({
          title: `Key for ${keyedProviders[provider]}${address ? ` at ${address}` : ''}`,
          prompt: 'Kept in the secret store of the editor; never in settings or files',
          password: true,
          ignoreFocusOut: true,
        });
        if (!key?.trim()) return;
        await secrets.store(secretName(provider, address), key.trim());
        void vscode.window.setStatusBarMessage(`Harnessmith: key for ${keyedProviders[provider]} stored`, 5000);
      }),
    );
    store.add(
      registerCommand('harnessmith.removeModelKey', services.log, async () => {
        const provider = await pickProvider('Remove the key of which provider?');
        if (provider) await secrets.delete(secretName(provider, addressOf(services, provider)));
      }),
    );
    store.add(registerChooseModel(services));
    return store;
  },
};

/** The model settings in force, with the stored key when the provider needs one. */
export async function modelInForce(services: Services): Promise<ModelChoice> {
  const choice = choiceInForce(services);
  if (!isKeyed(choice.provider)) return choice;
  const apiKey = await services.context.secrets.get(secretName(choice.provider, choice.baseUrl));
  return apiKey ? { ...choice, apiKey } : choice;
}

/** The address a key of the provider would go to; undefined for its public service. */
function addressOf(services: Services, provider: KeyedProvider): string | undefined {
  const choice = choiceInForce(services);
  return choice.provider === provider ? choice.baseUrl : undefined;
}

function choiceInForce(services: Services): ModelChoice {
  const scope = settingScope(services.harness);
  return chooseModel(
    {
      'model.provider': setting('model.provider', scope),
      'model.name': setting('model.name', scope),
      'model.baseUrl': setting('model.baseUrl', scope),
      'model.answers': setting('model.answers', scope),
      'model.maxOutputTokens': setting('model.maxOutputTokens', scope),
      'model.timeoutSeconds': setting('model.timeoutSeconds', scope),
    },
    services.harness.head?.model ?? null,
  );
}

async function pickProvider(title: string): Promise<KeyedProvider | undefined> {
  const picks = Object.entries(keyedProviders).map(([id, label]) => ({ label, id: id as KeyedProvider }));
  return (await vscode.window.showQuickPick(picks, { title }))?.id;
}
