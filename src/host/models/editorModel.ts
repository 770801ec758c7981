import * as vscode from 'vscode';
import { CancelledError, EnvironmentError } from '../../core/errors';
import { setting } from '../commands';
import type { TextAnswer, TextMessages } from '../work/messages';

/**
 * Gets a text from a language model of the editor. The first call of a session may ask the person for consent.
 * `scope` says whose settings name the model. Throws `EnvironmentError` when no model is there or it refuses, `CancelledError` on abort.
 */
export async function completeWithEditorModel(
  messages: TextMessages,
  signal: AbortSignal,
  scope: vscode.Uri | undefined,
): Promise<TextAnswer> {
  const model = await pickModel(scope);
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const options = { justification: 'Harnessmith asks for a change proposal you requested.' };
    const response = await model.sendRequest(foldSystem(messages), options, cancellation.token);
    let text = '';
    for await (const chunk of response.text) text += chunk;
    if (signal.aborted) throw new CancelledError();
    return { text, model: `${model.vendor}/${model.id}`, ...(await tokensOf(model, messages, text)) };
  } catch (error) {
    throw signal.aborted ? new CancelledError() : translate(error, model.name);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

/** Tokens by the count of the model; none where it cannot count. */
async function tokensOf(model: vscode.LanguageModelChat, messages: TextMessages, text: string) {
  try {
    const input = await Promise.all(messages.map(({ content }) => model.countTokens(content)));
    return { inputTokens: input.reduce((sum, one) => sum + one, 0), outputTokens: await model.countTokens(text) };
  } catch {
    return {}; // the answer counts, not its length
  }
}

async function pickModel(scope: vscode.Uri | undefined): Promise<vscode.LanguageModelChat> {
  const wanted = setting('model.name', scope).trim();
  const models = await vscode.lm.selectChatModels();
  const model = wanted
    ? models.find((one) => one.id === wanted || one.family === wanted || one.name === wanted)
    : models[0];
  if (model) return model;
  const offered = models.map((one) => one.id).join(', ');
  throw new EnvironmentError(
    wanted && offered
      ? `The editor has no language model "${wanted}"; it has ${offered}.`
      : 'The editor offers no language model.',
    {
      code: 'model-unavailable',
      nextStep: 'Set "harnessmith.model.provider" and a key (Harnessmith: Set Model Key), or install a model provider.',
    },
  );
}

/** The editor's models know no system role: those texts go in front, as the person's words. */
function foldSystem(messages: TextMessages): vscode.LanguageModelChatMessage[] {
  return messages.map(({ role, content }) =>
    role === 'assistant'
      ? vscode.LanguageModelChatMessage.Assistant(content)
      : vscode.LanguageModelChatMessage.User(content),
  );
}

function translate(error: unknown, model: string): unknown {
  if (!(error instanceof vscode.LanguageModelError)) return error;
  const reasons: Record<string, string> = {
    NoPermissions: `The use of ${model} was not allowed.`,
    NotFound: `The model ${model} is no longer there.`,
    Blocked: `The provider of ${model} blocked the request.`,
  };
  return new EnvironmentError(reasons[error.code] ?? `The model ${model} failed: ${error.message}`, {
    code: 'model-unavailable',
    nextStep: 'Choose another model in the settings under "harnessmith.model", or allow the use and try again.',
    cause: error,
  });
}
