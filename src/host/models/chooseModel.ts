import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import { registerCommand } from '../commands';
import type { DisposableLike } from '../disposable';
import type { Services } from '../services';

/** Lets the person choose one of the editor's models; the choice goes into the person's settings. */
export function registerChooseModel(services: Services): DisposableLike {
  return registerCommand('harnessmith.chooseModel', services.log, async () => {
    const models = await vscode.lm.selectChatModels();
    if (models.length === 0) {
      throw new InputError('The editor offers no language model.', {
        code: 'model-unavailable',
        nextStep: 'Install a model provider, or set "harnessmith.model.provider" to an endpoint of your own.',
      });
    }
    const access = services.context.languageModelAccessInformation;
    const picks = models.map((model) => ({
      label: model.name,
      description: `${model.vendor}, up to ${model.maxInputTokens.toLocaleString('en-US')} tokens`,
      detail: access.canSendRequest(model) === undefined ? 'You will be asked for consent with the first request' : '',
      id: model.id,
    }));
    const picked = await vscode.window.showQuickPick(picks, { title: 'Which model proposes changes?' });
    if (!picked) return;
    const settings = vscode.workspace.getConfiguration('harnessmith.model');
    await settings.update('provider', 'vscode', vscode.ConfigurationTarget.Global);
    await settings.update('name', picked.id, vscode.ConfigurationTarget.Global);
  });
}
