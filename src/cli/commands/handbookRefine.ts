import type { Command } from 'commander';
import { z } from 'zod';
import { CancelledError, EnvironmentError, InputError } from '../../core/errors';
import type { OpenedHarness } from '../../core/handbook';
import {
  estimateRefinement,
  RefineEstimate,
  type RefineOptions,
  RefineResult,
  refineHandbook,
  type TokenPrice,
} from '../../core/handbook';
import type { CommandContext } from '../command';
import { configuredModel } from '../configuredModel';
import { canAsk, confirm } from '../confirm';
import { positive } from '../options';
import { counted, money } from '../words';

export const RefinedDocument = z.object({
  estimate: RefineEstimate,
  /** Null when the model was not asked: nobody said yes, or there was nothing to ask. */
  result: RefineResult.nullable(),
});
export type RefinedDocument = z.infer<typeof RefinedDocument>;

export interface RefineFlags {
  llm?: boolean;
  rounds: string;
  tokenBudget: string;
  units?: string;
  price?: string;
  again?: boolean;
  yes?: boolean;
}

/** The options of `handbook` that belong to --llm. */
export function addRefineOptions(command: Command): Command {
  return command
    .option('--llm', 'let the configured model name, describe and regroup units first; shows the cost and asks')
    .option('--rounds <number>', 'with --llm: how often what the reviewer dropped is asked for again', '2')
    .option('--token-budget <number>', 'with --llm: no request goes over this many tokens', '200000')
    .option('--units <number>', 'with --llm: at most so many units, most important first')
    .option('--price <in,out>', 'with --llm: dollars for a million tokens in and out, to show the cost in money')
    .option('--again', 'with --llm: ask about units that were done before as well')
    .option('--yes', 'with --llm: go on without asking');
}

/**
 * Shows what the model would cost, asks, and lets it write. Where nobody can be asked and --yes is missing, it only shows.
 * @throws CancelledError after what was done is kept; InputError when no model is configured; EnvironmentError when the
 * model failed before it wrote anything.
 */
export async function refined(
  opened: OpenedHarness,
  flags: RefineFlags,
  context: CommandContext,
): Promise<RefinedDocument> {
  const client = await configuredModel(opened.harness);
  const price = flags.price === undefined ? undefined : priceOf(flags.price);
  const options: RefineOptions = {
    rounds: positive(flags.rounds, '--rounds'),
    tokenBudget: positive(flags.tokenBudget, '--token-budget'),
    ...(flags.units === undefined ? {} : { mostUnits: positive(flags.units, '--units') }),
    ...(price ? { price } : {}),
    again: flags.again === true,
    signal: context.signal,
    progress: context.progress,
  };
  const input = { ...opened, client };
  const estimate = await estimateRefinement(input, options);
  context.note(estimateText(estimate, client.label));
  if (estimate.units === 0) return { estimate, result: null };
  if (!flags.yes && !canAsk()) {
    context.note('The model was not asked. Add --yes to go on.');
    return { estimate, result: null };
  }
  if (!flags.yes && !(await confirm('Ask the model?', context.signal))) return { estimate, result: null };
  const result = await refineHandbook(input, options);
  context.note(resultText(result));
  if (result.stopped?.why === 'cancelled') throw new CancelledError('The refinement of the handbook');
  // Words that came before the model failed are kept and shown; without any, nothing was done.
  if (result.stopped?.why === 'model' && result.units.every((unit) => unit.outcome !== 'written'))
    throw new EnvironmentError(`The model wrote nothing: ${result.stopped.message}`, {
      code: 'model-unavailable',
      nextStep: 'Look at "model" in harness.json and at its endpoint, then run the same command again.',
    });
  return { estimate, result };
}

function estimateText({ units, skipped, batches, tokens, costUsd }: RefineEstimate, label: string): string {
  if (units === 0) return `Nothing to ask ${label}: ${counted(skipped, 'unit')} with the same text were done before.`;
  const cost = costUsd ? `, ${money(costUsd.least)} to ${money(costUsd.most)}` : '';
  const before = skipped > 0 ? ` ${counted(skipped, 'unit')} were done before.` : '';
  return `${label} would be asked about ${counted(units, 'unit')} in ${counted(batches, 'batch', 'batches')}: about ${tokens.least} to ${tokens.most} tokens${cost}.${before}`;
}

/** What was written and used, and why it ended early. */
export function resultText({ units, cost, stopped }: RefineResult): string {
  const written = units.filter((unit) => unit.outcome === 'written').length;
  const dropped = units.reduce((sum, unit) => sum + unit.dropped.length, 0);
  const failed = units.filter((unit) => unit.outcome === 'failed').length;
  const unknown = cost.unknownCalls > 0 ? ` (${counted(cost.unknownCalls, 'call')} without a count)` : '';
  const price = cost.costUsd === null ? '' : `, ${money(cost.costUsd)}`;
  const lines = [
    `The model wrote about ${counted(written, 'unit')}; ${counted(dropped, 'statement')} dropped${failed > 0 ? `, ${counted(failed, 'unit')} without a usable answer` : ''}.`,
    `Used: ${cost.inputTokens} tokens in, ${cost.outputTokens} out in ${counted(cost.calls, 'call')}${unknown}${price}.`,
  ];
  if (stopped)
    lines.push(`Stopped: ${stopped.message} ${counted(stopped.left, 'unit')} left; the same command goes on.`);
  return lines.join('\n');
}

/** @throws InputError unless the text is two numbers. */
function priceOf(text: string): TokenPrice {
  const [inputUsd, outputUsd, more] = text.split(',').map(Number);
  if (inputUsd !== undefined && outputUsd !== undefined && more === undefined && inputUsd >= 0 && outputUsd >= 0)
    return { inputUsd, outputUsd };
  throw new InputError(`--price ${text} is not two numbers.`, {
    code: 'usage',
    nextStep: 'Give the price of a million tokens in and out, such as --price 3,15.',
  });
}
