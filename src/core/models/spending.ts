import type { CallWatch, ModelCall, StartedCall } from './calls';
import type { ModelMessage } from './model';
import { ModelBudgetError } from './modelErrors';
import { costAt } from './prices';

/** What the calls of one client may use together. */
export interface Budget {
  usd?: number;
  tokens?: number;
}

/** Usual texts and code have about four characters a token; an estimate need not be better. */
const charactersOfToken = 4;

/** Tokens that texts have, roughly. */
export function estimateTokens(texts: Iterable<string>): number {
  let characters = 0;
  for (const text of texts) characters += text.length;
  return Math.ceil(characters / charactersOfToken);
}

/** Counts what the calls of a client use, also those that fail, and refuses calls that the budget has no room for. */
export class Spending implements CallWatch {
  calls = 0;
  failedCalls = 0;
  inputTokens = 0;
  outputTokens = 0;
  /** Null until a call had a known price. */
  costUsd: number | null = null;
  /** Calls whose tokens the model did not report and that are estimated from the length of the texts. */
  estimatedCalls = 0;
  /** Calls whose price is not known. */
  unpricedCalls = 0;

  constructor(readonly budget: Budget = {}) {}

  /** @throws ModelBudgetError when the call could go beyond the budget, or when nothing says what it costs. */
  before({ label, messages, price }: StartedCall): void {
    const { usd, tokens } = this.budget;
    const input = estimateTokens(contents(messages));
    if (tokens !== undefined && this.inputTokens + this.outputTokens + input > tokens) {
      const used = this.inputTokens + this.outputTokens;
      throw new ModelBudgetError(label, `${used} of ${tokens} tokens are used and the next request has about ${input}`);
    }
    if (usd === undefined) return;
    if (price === null)
      throw new ModelBudgetError(label, 'its price is not known, so a limit in US dollars cannot hold');
    const next = costAt(price, { inputTokens: input, outputTokens: 0 }) ?? 0;
    const spent = this.costUsd ?? 0;
    if (spent + next > usd) {
      throw new ModelBudgetError(
        label,
        `${dollars(spent)} of ${dollars(usd)} are spent, the next takes ${dollars(next)}`,
      );
    }
  }

  after({ messages, text, usage, costUsd, price, error }: ModelCall): void {
    this.calls++;
    if (error !== null) this.failedCalls++;
    // A request that was turned away costs nothing; one that broke off in its answer is counted by its length.
    const isUnknown = usage.inputTokens === null && usage.outputTokens === null;
    if (isUnknown && error !== null && text === '') return;
    const counted = isUnknown
      ? { inputTokens: estimateTokens(contents(messages)), outputTokens: estimateTokens([text]) }
      : usage;
    if (isUnknown) this.estimatedCalls++;
    this.inputTokens += counted.inputTokens ?? 0;
    this.outputTokens += counted.outputTokens ?? 0;
    const cost = costUsd ?? (price && costAt(price, counted));
    if (cost === null) this.unpricedCalls++;
    else this.costUsd = (this.costUsd ?? 0) + cost;
  }

  /** One line for people, such as `2 requests (1 failed), 5,210 tokens in, 480 out, $0.0123`. */
  words(): string {
    const failed = this.failedCalls > 0 ? ` (${this.failedCalls} failed)` : '';
    const requests = `${this.calls} ${this.calls === 1 ? 'request' : 'requests'}${failed}`;
    const about = this.estimatedCalls > 0 ? 'about ' : '';
    const tokens = `${about}${grouped(this.inputTokens)} tokens in, ${grouped(this.outputTokens)} out`;
    return `${requests}, ${tokens}, ${this.moneyWords(about)}`;
  }

  private moneyWords(about: string): string {
    if (this.costUsd === null) return this.unpricedCalls > 0 ? 'price not known' : 'nothing spent';
    return `${about}${dollars(this.costUsd)}${this.unpricedCalls > 0 ? ' and calls without a known price' : ''}`;
  }
}

/** US dollars with enough digits that a single cheap call is not $0.00. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd >= 1 || usd === 0 ? 2 : 4)}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

function contents(messages: readonly ModelMessage[]): string[] {
  return messages.map(({ content }) => content);
}
