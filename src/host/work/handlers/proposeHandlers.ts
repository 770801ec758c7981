import { InputError } from '../../../core/errors';
import { answerInSchema, createModelClient, type ModelClient } from '../../../core/models';
import { type GatherSubject, gatherProposal, propose } from '../../../core/proposals';
import { loadCatalog, type TraceRun } from '../../../core/traces';
import { taskTexts } from '../../../core/validation';
import type { Indexed, IndexedHarnesses } from '../indexedHarnesses';
import type { ModelChoice } from '../methods';
import type { HandlerContext, Handlers } from '../workServer';
import { diagnoseAll } from './diagnosisHandlers';

/** Asks the chosen model for a change. */
export function proposeHandlers(harnesses: IndexedHarnesses): Pick<Handlers, 'propose'> {
  return {
    propose: async ({ root, flaw, request, model }, context) => {
      const indexed = harnesses.get(root);
      const client = await clientFor(model, root, context);
      const { runs } = await loadCatalog(root, context);
      const subject = flaw === null ? { request } : await flawSubject(indexed, runs, flaw, context);
      const input = await gatherProposal({ ...indexed, runs }, subject, context);
      return propose({ ...input, tasks: await taskTexts(indexed.harness) }, client, context);
    },
  };
}

/** The editor's models are reached through the host; all others are asked from here. */
function clientFor(choice: ModelChoice, root: string, context: HandlerContext): Promise<ModelClient> {
  const { apiKey, ...settings } = choice;
  if (settings.provider !== 'vscode') return createModelClient(settings, { env: process.env, apiKey, root });
  const label = settings.model ? `the model ${settings.model} of the editor` : 'a model of the editor';
  return Promise.resolve({
    id: `vscode/${settings.model || 'default'}`,
    label,
    generate: async (request) => {
      let used = `vscode/${settings.model || 'default'}`;
      const ask: Parameters<typeof answerInSchema>[0] = async (messages) => {
        const { text, model } = await context.completeText(messages);
        used = model;
        request.onText?.(text);
        return { text, usage: { inputTokens: null, outputTokens: null }, cut: false };
      };
      const answer = await answerInSchema(ask, request, { id: used, label });
      return { ...answer, model: used };
    },
  });
}

async function flawSubject(
  indexed: Indexed,
  runs: readonly TraceRun[],
  id: string,
  context: HandlerContext,
): Promise<GatherSubject> {
  const { flaws, findings } = await diagnoseAll(indexed, runs, context);
  const flaw = flaws.find((one) => one.id === id);
  if (flaw) return { flaw, findings };
  throw new InputError('This flaw is no longer found in the traces.', {
    code: 'flaw-unknown',
    nextStep: 'Refresh the traces and choose another one.',
  });
}
