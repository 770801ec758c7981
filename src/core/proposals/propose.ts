import { throwIfCancelled } from '../errors';
import { gitFacts, type Harness } from '../harness';
import type { ModelAnswer, ModelClient, ModelMessage } from '../models';
import type { WorkOptions } from '../progress';
import { type CheckedAnswer, checkAnswer } from './checkAnswer';
import { composeFile } from './compose';
import { type EvidenceSources, type OfferedEvidence, offerEvidence, type PlaceFacts, type UnitFacts } from './evidence';
import { type GateContext, runGates } from './gates';
import { type BaseTexts, hunksOf } from './hunks';
import type { Proposal } from './model';
import { ProposalEmptyError } from './proposalErrors';
import { newProposalId, saveProposal } from './proposalStore';
import { ProposerAnswer } from './proposerAnswer';
import { type Premise, proposerMessages, refusalText } from './proposerPrompt';
import { siteTexts } from './siteTexts';

export interface ProposeInput {
  harness: Pick<Harness, 'root'> & { config: Pick<Harness['config'], 'protected'> };
  /** What should change, in words. May be left out when there is a flaw. */
  request?: string;
  /** A flaw record to repair; its unit and site are shown to the model. */
  flaw?: EvidenceSources['flaw'] & { where: string | null; site: PlaceFacts | null };
  /** The handbook map; units are looked up in it. */
  map?: { units: readonly UnitFacts[] };
  /** Ids of further handbook units to show, most important first, such as those of a locate answer. */
  unitIds?: readonly string[];
  /** Places whose files are shown, most important first. */
  sites?: readonly PlaceFacts[];
  /** Steps that show the problem, as text. */
  steps?: EvidenceSources['steps'];
  premises?: readonly Premise[];
  rejected?: readonly { title: string; reason: string }[];
  /** For the gate that looks for task contents in the edits. */
  tasks?: GateContext['tasks'];
  /** For the gate that parses the result; `syntaxErrors` of core/graph. */
  syntaxErrors?: GateContext['syntaxErrors'];
  who?: string;
}

/**
 * Asks a model for a proposal, keeps what can be applied, runs the gates and stores it. Edits that cannot be used are
 * told to the model once and listed in `refused` when they stay so. Nothing but `.harnessmith/` is written.
 * @throws ProposalEmptyError when no edit can be used; the errors of `ModelClient`; CancelledError.
 */
export async function propose(input: ProposeInput, client: ModelClient, work: WorkOptions = {}): Promise<Proposal> {
  const { root, config } = input.harness;
  const units = unitsFor(input);
  const sites = [...(input.flaw?.site ? [input.flaw.site] : []), ...(input.sites ?? [])];
  const evidence = offerEvidence({ flaw: input.flaw, steps: input.steps, units, sites });
  const places = [...sites, ...units.flatMap((unit) => unit.sites)];
  const request = input.request ?? `Repair this flaw: ${input.flaw?.title ?? ''}`;
  const messages = proposerMessages({
    request,
    evidence,
    files: await siteTexts(root, places, config.protected),
    premises: input.premises ?? [],
    rejected: input.rejected ?? [],
  });
  throwIfCancelled(work.signal, 'The proposal');
  work.progress?.({ message: `Asking ${client.label}` });
  const { answer, checked } = await askUntilUsable(root, messages, evidence, config.protected, client, work);
  if (checked.decisions.length === 0) throw new ProposalEmptyError(checked.refused, answer.value);
  const proposal = await makeProposal(input, request, answer, checked, work);
  throwIfCancelled(work.signal, 'The proposal');
  await saveProposal(root, proposal, checked.baseTexts, input.who);
  return proposal;
}

interface Asked {
  answer: ModelAnswer<ProposerAnswer>;
  checked: CheckedAnswer;
}

/** One retry with the reasons, when some edits were refused; the answer with more usable edits is taken. */
async function askUntilUsable(
  root: string,
  messages: ModelMessage[],
  evidence: readonly OfferedEvidence[],
  protectedPatterns: readonly string[],
  client: ModelClient,
  { signal, progress }: WorkOptions,
): Promise<Asked> {
  const ask = async (asked: ModelMessage[]): Promise<Asked> => {
    const answer = await client.generate({ messages: asked, schema: ProposerAnswer, schemaName: 'proposal', signal });
    return { answer, checked: await checkAnswer(root, answer.value, evidence, protectedPatterns) };
  };
  const first = await ask(messages);
  const { refused } = first.checked;
  if (refused.length === 0) return first;
  progress?.({ message: `Asking again: ${refused.length} parts of the answer cannot be used` });
  const second = await ask([
    ...messages,
    { role: 'assistant', content: JSON.stringify(first.answer.value) },
    { role: 'user', content: refusalText(refused) },
  ]);
  const better = editCount(second) >= editCount(first) ? second : first;
  const add = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : a + b);
  const usage = {
    inputTokens: add(first.answer.usage.inputTokens, second.answer.usage.inputTokens),
    outputTokens: add(first.answer.usage.outputTokens, second.answer.usage.outputTokens),
  };
  return { answer: { ...better.answer, usage }, checked: better.checked };
}

function editCount({ checked }: Asked): number {
  return checked.decisions.reduce((count, decision) => count + decision.edits.length, 0);
}

async function makeProposal(
  input: ProposeInput,
  request: string,
  answer: ModelAnswer<ProposerAnswer>,
  checked: CheckedAnswer,
  work: WorkOptions,
): Promise<Proposal> {
  const { value, usage, costUsd, model } = answer;
  const facts = await gitFacts(input.harness.root, work.signal);
  const draft = {
    schemaVersion: 1 as const,
    id: newProposalId(),
    createdAt: new Date().toISOString(),
    title: value.title,
    request,
    flaw: input.flaw?.id ?? null,
    base: { commit: facts.head, files: checked.baseFiles },
    decisions: checked.decisions,
    declares: value.declares,
    prediction: value.prediction,
    refused: checked.refused,
    model: { id: model, ...usage, costUsd },
  };
  const gates = await runGates(gateContext(draft, checked.baseTexts, input));
  return { ...draft, gates };
}

/** What the gates look at, for a proposal and its base texts. */
export function gateContext(
  proposal: Pick<Proposal, 'id' | 'decisions' | 'declares'>,
  baseTexts: BaseTexts,
  input: Pick<ProposeInput, 'harness' | 'tasks' | 'premises' | 'syntaxErrors'>,
): GateContext {
  const hunks = hunksOf(proposal, baseTexts);
  const proposedTexts = new Map<string, string | null>();
  for (const [file, base] of baseTexts) {
    const own = hunks.filter((hunk) => hunk.file === file);
    const numbers = own.map((hunk) => hunk.number);
    proposedTexts.set(file, composeFile(base, own, numbers));
  }
  return {
    proposal,
    hunks,
    baseTexts,
    proposedTexts,
    protectedPatterns: input.harness.config.protected,
    tasks: input.tasks ?? { names: [], instructions: [] },
    premises: input.premises ?? [],
    syntaxErrors: input.syntaxErrors,
  };
}

function unitsFor({ map, flaw, unitIds = [] }: ProposeInput): UnitFacts[] {
  const ids = [...new Set([...(flaw?.where ? [flaw.where] : []), ...unitIds])];
  return ids.flatMap((id) => map?.units.find((unit) => unit.id === id) ?? []).slice(0, 8);
}
