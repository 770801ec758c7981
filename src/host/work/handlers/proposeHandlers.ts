import { InputError } from '../../../core/errors';
import { dollars } from '../../../core/models';
import {
  contextText,
  estimateCost,
  gatherProposal,
  gatherRevision,
  type ProposeInput,
  proposalContext,
  proposeMany,
} from '../../../core/proposals';
import { loadCatalog } from '../../../core/traces';
import { taskTexts, withheldTasks } from '../../../core/validation';
import type { IndexedHarnesses } from '../indexedHarnesses';
import type { Params } from '../methods';
import { unsavedTexts } from '../unsavedTexts';
import type { HandlerContext, Handlers } from '../workServer';
import { diagnoseAll } from './diagnosisHandlers';
import { clientFor } from './modelClient';

/** Shows what the chosen model would be sent, and asks it. */
export function proposeHandlers(harnesses: IndexedHarnesses): Pick<Handlers, 'propose' | 'proposalContext'> {
  return {
    proposalContext: async (params, context) => {
      const input = await inputOf(harnesses, params, context);
      const client = await clientFor(params.model, params.root, context);
      const assembled = await proposalContext(input);
      const price = client.price ?? null;
      const { maxOutputTokens } = params.model;
      const { inputTokens, costUsd } = estimateCost(assembled, { price, maxOutputTokens }, params.count ?? 1);
      const cost = costUsd ? `${dollars(costUsd.least)} to ${dollars(costUsd.most)}` : 'price not known';
      const length = `about ${inputTokens.toLocaleString('en-US')} tokens, ${cost}`;
      const files = assembled.files.length === 1 ? '1 file' : `${assembled.files.length} files`;
      const hidden = assembled.masked > 0 ? `, ${assembled.masked} values masked` : '';
      return {
        text: contextText(assembled, client.label, length),
        summary: `${length}: ${assembled.evidence.length} pieces of evidence, ${files}${hidden}`,
        sendsNothing: params.model.provider === 'recorded',
      };
    },
    propose: async (params, context) => {
      const input = await inputOf(harnesses, params, context);
      const client = await clientFor(params.model, params.root, context);
      const set = await proposeMany(input, params.count ?? 1, client, context);
      return { ...set, spent: client.spending?.words() ?? '' };
    },
  };
}

async function inputOf(
  harnesses: IndexedHarnesses,
  { root, subject, module, unsaved }: Params<'propose'>,
  context: HandlerContext,
): Promise<ProposeInput> {
  const indexed = harnesses.get(root);
  const tasks = await taskTexts(indexed.harness);
  const sources = { ...indexed, module, unsaved: await unsavedTexts(root, unsaved) };
  if (subject.kind === 'revision') {
    return { ...(await gatherRevision(sources, subject.proposal, subject.comment, subject.hunks)), tasks };
  }
  const { runs } = await loadCatalog(root, context);
  const all = { ...sources, runs, withheldTasks: await withheldTasks(indexed.harness) };
  if (subject.kind === 'flaw') {
    const { flaws, findings } = await diagnoseAll(indexed, runs, context);
    const flaw = flaws.find((one) => one.id === subject.flaw);
    if (flaw) return { ...(await gatherProposal(all, { flaw, findings, request: subject.request }, context)), tasks };
    throw new InputError('This flaw is no longer found in the traces.', {
      code: 'flaw-unknown',
      nextStep: 'Refresh the traces and choose another one.',
    });
  }
  const { request } = subject;
  const unit = subject.kind === 'unit' ? subject.unit : undefined;
  const selection = subject.kind === 'selection' ? subject : undefined;
  return { ...(await gatherProposal(all, { request, unit, selection }, context)), tasks };
}
