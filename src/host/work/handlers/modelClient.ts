import {
  answerInSchema,
  createModelClient,
  type ModelClient,
  type RawAnswer,
  requestLog,
  Spending,
  watchCall,
} from '../../../core/models';
import type { ModelChoice } from '../methods';
import type { HandlerContext } from '../workServer';

/** The editor's models are reached through the host; all others are asked from here. Every call goes into the log. */
export function clientFor(choice: ModelChoice, root: string, context: HandlerContext): Promise<ModelClient> {
  const { apiKey, ...settings } = choice;
  const watches = [requestLog(root)];
  if (settings.provider !== 'vscode') return createModelClient(settings, { env: process.env, apiKey, root, watches });
  const label = settings.model ? `the model ${settings.model} of the editor` : 'a model of the editor';
  const id = `vscode/${settings.model || 'default'}`;
  const spending = new Spending({ tokens: settings.budgetTokens });
  return Promise.resolve({
    id,
    label,
    spending,
    // The editor's provider bills by its own plan.
    price: null,
    generate: async (request) => {
      let used = id;
      const ask: Parameters<typeof answerInSchema>[0] = (messages) => {
        const answer: RawAnswer = { text: '', usage: { inputTokens: null, outputTokens: null }, cut: false };
        const started = { model: used, label, purpose: request.schemaName, messages, price: null };
        return watchCall(started, [spending, ...watches], answer, async () => {
          const { text, model, inputTokens, outputTokens } = await context.completeText(messages);
          used = model;
          request.onText?.(text);
          Object.assign(answer, {
            text,
            usage: { inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null },
          });
        });
      };
      const answer = await answerInSchema(ask, request, { id, label });
      return { ...answer, model: used };
    },
  });
}
