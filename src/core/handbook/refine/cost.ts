import type { ModelMessage, ModelUsage } from '../../models';
import type { RefineCost, TokenPrice } from './model';

/** Usual texts and code have about four characters a token; an estimate need not be better. */
const charactersOfToken = 4;
/** What an answer about one unit has, by its limits. */
export const answerTokensOfUnit = 260;
export const verdictTokensOfUnit = 160;

export function tokensOf(messages: readonly ModelMessage[]): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / charactersOfToken);
}

/** Money for tokens; null without a price. */
export function priceOf(input: number, output: number, price: TokenPrice | undefined): number | null {
  return price ? (input * price.inputUsd + output * price.outputUsd) / 1e6 : null;
}

/** Adds up what was used. */
export class Meter {
  readonly cost: RefineCost = { calls: 0, inputTokens: 0, outputTokens: 0, unknownCalls: 0, costUsd: null };

  constructor(private readonly price: TokenPrice | undefined) {}

  /** Counts one call; tokens that the model does not report are estimated for the budget only. */
  add(usage: ModelUsage, costUsd: number | null): void {
    const { cost } = this;
    cost.calls++;
    if (usage.inputTokens === null && usage.outputTokens === null) cost.unknownCalls++;
    cost.inputTokens += usage.inputTokens ?? 0;
    cost.outputTokens += usage.outputTokens ?? 0;
    const money = costUsd ?? priceOf(usage.inputTokens ?? 0, usage.outputTokens ?? 0, this.price);
    if (money !== null) cost.costUsd = (cost.costUsd ?? 0) + money;
  }

  /** Counts a call that gave no answer. */
  addFailed(): void {
    this.cost.calls++;
    this.cost.unknownCalls++;
  }

  /** Tokens used so far; for calls of unknown size the given estimate. */
  used(estimateOfCall: number): number {
    const { inputTokens, outputTokens, unknownCalls } = this.cost;
    return inputTokens + outputTokens + unknownCalls * estimateOfCall;
  }
}
