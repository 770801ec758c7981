import { join } from 'node:path';
import { InputError } from '../core/errors';
import type { Harness } from '../core/harness';
import type { ModelClient } from '../core/models';
import {
  type CostEstimate,
  contextText,
  estimateCost,
  type ProposalContext,
  type ProposedSet,
  type ProposeInput,
  proposalContext,
  proposeMany,
} from '../core/proposals';
import { storePaths, writeFileAtomic } from '../core/store';
import type { CommandContext } from './command';
import { configuredModel } from './configuredModel';
import { canAsk, confirm } from './confirm';
import { positive } from './options';
import { counted, money } from './words';

export interface SendOptions {
  k?: string;
  yes?: boolean;
  dryRun?: boolean;
  budget?: string;
  budgetTokens?: string;
}

/**
 * Shows what would be sent and what it may cost, asks, and sends it. `set` is null when nothing was sent. Answers from a
 * file leave this machine in no way and are not asked about. What was spent is told also when the model fails.
 */
export async function sent(
  harness: Harness,
  input: ProposeInput,
  options: SendOptions,
  context: CommandContext,
): Promise<{ set: ProposedSet | null; shown: string }> {
  const client = await configuredModel(harness, limitsOf(options));
  const count = positive(options.k ?? '1', '-k');
  const assembled = await proposalContext(input);
  const { maxOutputTokens = 8_000, provider } = harness.config.model ?? {};
  const estimate = estimateCost(assembled, { price: client.price ?? null, maxOutputTokens }, count);
  const shown = contextText(assembled, client.label, costWords(estimate));
  if (options.dryRun) return { set: null, shown };
  if (provider !== 'recorded' && !(await mayBeSent(harness, assembled, shown, client, estimate, options, context))) {
    return { set: null, shown };
  }
  try {
    return { set: await proposeMany(input, count, client, context), shown };
  } finally {
    const { spending } = client;
    if (spending && spending.calls > 0) context.note(`Used: ${spending.words()}.`);
  }
}

async function mayBeSent(
  { root }: Harness,
  { files, evidence, masked }: ProposalContext,
  shown: string,
  client: ModelClient,
  estimate: CostEstimate,
  { yes }: SendOptions,
  context: CommandContext,
): Promise<boolean> {
  const file = join(storePaths(root).cache, 'proposal-context.md');
  await writeFileAtomic(file, shown);
  const what = `${counted(evidence.length, 'piece')} of evidence and ${counted(files.length, 'file')}`;
  const hidden = masked > 0 ? `, ${counted(masked, 'value')} masked` : '';
  context.note(`To ${client.label}: ${what}${hidden}; ${costWords(estimate)}.`);
  context.note(`Every word of it: ${file}`);
  if (yes) return true;
  if (canAsk()) return confirm('Send it?', context.signal);
  context.note('Nothing was sent. Add --yes to send it.');
  return false;
}

/** "about 5,200 tokens in, at most 8,000 out, $0.02 to $0.16". */
function costWords({ inputTokens, outputTokens, costUsd }: CostEstimate): string {
  const cost = costUsd ? `${money(costUsd.least)} to ${money(costUsd.most)}` : 'price not known';
  return `about ${inputTokens.toLocaleString('en-US')} tokens in, at most ${outputTokens.toLocaleString('en-US')} out, ${cost}`;
}

function limitsOf({ budget, budgetTokens }: SendOptions): { budgetUsd?: number; budgetTokens?: number } {
  const budgetUsd = budget === undefined ? undefined : Number(budget);
  if (budgetUsd !== undefined && !(budgetUsd > 0)) {
    throw new InputError(`--budget ${budget} is no amount.`, { code: 'usage', nextStep: 'Write --budget 0.50.' });
  }
  return {
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(budgetTokens === undefined ? {} : { budgetTokens: positive(budgetTokens, '--budget-tokens') }),
  };
}
