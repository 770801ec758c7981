import { estimateTokens, type ModelMessage, maskSecrets, type TokenPrice } from '../models';
import { type OfferedEvidence, offerEvidence } from './evidence';
import type { ProposeInput } from './propose';
import { proposerMessages } from './proposerPrompt';
import { repositoryRules } from './repositoryRules';
import { siteTexts } from './siteTexts';

/** Everything a model is going to be sent for a proposal, ready to be shown before it is. */
export interface ProposalContext {
  request: string;
  messages: ModelMessage[];
  evidence: OfferedEvidence[];
  /** Paths of the files whose text is in it. */
  files: string[];
  /** Values that looked like keys or passwords and were taken out. */
  masked: number;
  /** Steps left out because their tasks must stay unseen. */
  withheld: number;
  /** Tokens of the messages, about. */
  inputTokens: number;
}

/** Assembles the context of a proposal. Nothing is sent; the same input and files always give the same context. */
export async function proposalContext(input: ProposeInput): Promise<ProposalContext> {
  const { root, config } = input.harness;
  const units = unitsFor(input);
  const sites = [...(input.flaw?.site ? [input.flaw.site] : []), ...(input.sites ?? [])];
  const hidden = new Set(input.withheldTasks ?? []);
  const steps = (input.steps ?? []).filter(({ task }) => !task || !hidden.has(task));
  const evidence = offerEvidence({ flaw: input.flaw, steps, units, sites });
  const places = [...sites, ...units.flatMap((unit) => unit.sites)];
  const files = await siteTexts(root, places, config.protected, input.unsaved);
  const request = requestOf(input);
  let masked = 0;
  const clean = (text: string): string => {
    const found = maskSecrets(text);
    masked += found.masked;
    return found.text;
  };
  const parts = {
    // The title of a flaw holds names of the repository, so it stands as evidence and not as what is asked for.
    request: input.request ?? 'Repair the flaw that F1 records.',
    evidence,
    files,
    premises: input.premises ?? [],
    rejected: input.rejected ?? [],
    earlier: input.earlier ?? [],
    revision: input.revision,
    module: input.module,
    rules: await repositoryRules(root),
  };
  const messages = proposerMessages(parts, clean);
  return {
    request,
    messages,
    evidence,
    files: files.map(({ file }) => file),
    masked,
    withheld: (input.steps ?? []).length - steps.length,
    inputTokens: estimateTokens(messages.map(({ content }) => content)),
  };
}

/** The request in words; for a flaw without one, its repair. */
export function requestOf(input: Pick<ProposeInput, 'request' | 'flaw'>): string {
  return input.request ?? `Repair this flaw: ${input.flaw?.title ?? ''}`;
}

function unitsFor({ map, flaw, unitIds = [] }: ProposeInput) {
  const ids = [...new Set([...(flaw?.where ? [flaw.where] : []), ...unitIds])];
  return ids.flatMap((id) => map?.units.find((unit) => unit.id === id) ?? []).slice(0, 8);
}

export interface CostEstimate {
  inputTokens: number;
  /** The longest answer the settings allow. */
  outputTokens: number;
  /** US dollars with a short answer and with the longest; null when the price is not known. */
  costUsd: { least: number; most: number } | null;
}

/** What sending the context may cost, for `count` proposals, each of which may have to be asked for twice. */
export function estimateCost(
  context: Pick<ProposalContext, 'inputTokens'>,
  model: { price: TokenPrice | null; maxOutputTokens: number },
  count = 1,
): CostEstimate {
  // The schema of the answer goes along.
  const input = (context.inputTokens + 900) * count;
  const output = model.maxOutputTokens * count;
  const { price } = model;
  const money = (inTokens: number, outTokens: number) =>
    price ? (inTokens * price.input + outTokens * price.output) / 1e6 : 0;
  const costUsd = price && { least: money(input, 600 * count), most: money(2 * input + output, 2 * output) };
  return { inputTokens: input, outputTokens: output, costUsd };
}

/** The context as a text for people: what it is made of, then every word that is sent. */
export function contextText(context: ProposalContext, to: string, cost: string): string {
  const { evidence, files, masked, withheld } = context;
  const kinds = { step: 'step of traces', unit: 'handbook unit', site: 'place', flaw: 'flaw record' };
  const counts = Object.entries(kinds).flatMap(([kind, words]) => {
    const count = evidence.filter((one) => one.ref.kind === kind).length;
    return count > 0 ? [`${count} ${words}${count === 1 ? '' : 's'}`] : [];
  });
  return [
    '# What is sent',
    '',
    `To: ${to}`,
    `Length: ${cost}`,
    `Evidence: ${counts.join(', ') || 'none'}`,
    `Files: ${files.join(', ') || 'none'}`,
    masked > 0 ? `Masked: ${masked} values that look like keys or passwords` : 'Masked: nothing looks like a key',
    ...(withheld > 0 ? [`Left out: ${withheld} steps of tasks that must stay unseen`] : []),
    ...context.messages.flatMap(({ role, content }) => ['', `## ${role}`, '', content]),
    '',
  ].join('\n');
}
