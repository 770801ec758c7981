import { throwIfCancelled } from '../errors';
import { symbolsIn } from '../graph';
import { gitFacts, type Harness } from '../harness';
import type { ModelAnswer, ModelClient, ModelMessage } from '../models';
import type { WorkOptions } from '../progress';
import { type CheckedAnswer, checkAnswer, type EditLimits } from './checkAnswer';
import { composeFile } from './compose';
import type { UnsavedTexts } from './editPaths';
import type { EvidenceSources, OfferedEvidence, PlaceFacts, UnitFacts } from './evidence';
import { type GateContext, runGates } from './gates';
import { type BaseTexts, hunksOf } from './hunks';
import type { Hunk, Proposal } from './model';
import { type ProposalContext, proposalContext, requestOf } from './proposalContext';
import { NoChangeNeededError, ProposalEmptyError } from './proposalErrors';
import { newProposalId, saveProposal } from './proposalStore';
import { ProposerAnswer } from './proposerAnswer';
import { type Premise, refusalText } from './proposerPrompt';
import { sameEdits } from './sameEdits';

export interface ProposeInput {
  harness: Pick<Harness, 'root'> & { config: Pick<Harness['config'], 'protected' | 'gates'> };
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
  /** The only path below which files may change. */
  module?: string;
  /** Texts that stand unsaved in an editor; edits are made for them. */
  unsaved?: UnsavedTexts;
  /** Tasks whose steps must not be shown to a model: those that verdicts are made on. */
  withheldTasks?: readonly string[];
  /** Proposals made for the same request, which the next must not repeat. */
  earlier?: readonly { title: string; decisions: readonly string[] }[];
  /** Makes the proposal a revision of an earlier one. */
  revision?: { of: NonNullable<Proposal['revises']>; diff: string; comment: string };
}

export interface ProposeWork {
  /** The context as it was shown to a person; assembled when absent. */
  context?: ProposalContext;
  /** Proposals whose edits an answer must not repeat. */
  notLike?: readonly Pick<Proposal, 'decisions'>[];
}

/**
 * Asks a model for a proposal, keeps what can be applied, runs the gates and stores it. Edits that cannot be used are
 * told to the model once and listed in `refused` when they stay so. Nothing but `.harnessmith/` is written.
 * @throws NoChangeNeededError when the model sees no need, ProposalEmptyError when no edit can be used; the errors of
 * `ModelClient`; CancelledError.
 */
export async function propose(
  input: ProposeInput,
  client: ModelClient,
  work: WorkOptions & ProposeWork = {},
): Promise<Proposal> {
  const { root, config } = input.harness;
  const { messages, evidence } = work.context ?? (await proposalContext(input));
  throwIfCancelled(work.signal, 'The proposal');
  work.progress?.({ message: `Asking ${client.label}` });
  const limits = { protected: config.protected, module: input.module, unsaved: input.unsaved };
  const { answer, checked } = await askUntilUsable(root, messages, evidence, limits, client, work);
  if (checked.decisions.length === 0) {
    const { title, decisions, prediction } = answer.value;
    if (decisions.length === 0) throw new NoChangeNeededError(prediction.note || title, checked.refused, answer.value);
    throw new ProposalEmptyError(checked.refused, answer.value);
  }
  if (work.notLike?.some((other) => sameEdits(other, checked))) {
    const reason = 'it makes the same edits as an earlier proposal';
    throw new ProposalEmptyError([{ file: '-', reason }], answer.value);
  }
  const proposal = await makeProposal(input, requestOf(input), answer, checked, work);
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
  limits: EditLimits,
  client: ModelClient,
  { signal, progress }: WorkOptions,
): Promise<Asked> {
  const ask = async (asked: ModelMessage[]): Promise<Asked> => {
    const answer = await client.generate({
      messages: asked,
      schema: ProposerAnswer,
      schemaName: 'proposal',
      signal,
      onText: received(client.label, progress),
      onRetry: (message) => progress?.({ message }),
    });
    return { answer, checked: await checkAnswer(root, answer.value, evidence, limits) };
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
  const costUsd = add(first.answer.costUsd, second.answer.costUsd);
  return { answer: { ...better.answer, usage, costUsd }, checked: better.checked };
}

/** Tells now and then how much of the answer has come. */
function received(label: string, progress: WorkOptions['progress']): (chunk: string) => void {
  let characters = 0;
  let told = 0;
  return (chunk) => {
    characters += chunk.length;
    if (characters - told < 400) return;
    told = characters;
    progress?.({ message: `${label} is answering: ${characters} characters` });
  };
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
    ...(checked.fuzz.length > 0 ? { fuzz: checked.fuzz } : {}),
    ...(input.revision ? { revises: input.revision.of } : {}),
    model: { id: model, ...usage, costUsd },
  };
  const gates = await runGates(gateContext(draft, checked.baseTexts, input));
  return { ...draft, gates };
}

/** What the gates look at, for a proposal and its base texts, or for some of its hunks. */
export function gateContext(
  proposal: Pick<Proposal, 'id' | 'decisions' | 'declares'>,
  baseTexts: BaseTexts,
  input: Pick<ProposeInput, 'harness' | 'tasks' | 'premises' | 'syntaxErrors' | 'steps'> &
    Pick<GateContext, 'currentTexts'>,
  hunks: readonly Hunk[] = hunksOf(proposal, baseTexts),
): GateContext {
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
    symbolsIn,
    settings: input.harness.config.gates,
    ...(input.steps ? { traceTexts: input.steps.map((step) => step.text) } : {}),
    ...(input.currentTexts ? { currentTexts: input.currentTexts } : {}),
  };
}
