import { InputError } from '../../errors';
import type { SuiteConfig } from '../../harness';
import type { Trial } from '../model';

/**
 * Counts what the trials made in this session use, and throws when the budget of the suite is spent. The run can be resumed
 * with the budget anew.
 */
export class SuiteBudget {
  private readonly used = { trials: 0, tokens: 0, usd: 0 };
  private readonly from = performance.now();

  constructor(
    private readonly run: string,
    private readonly budget: SuiteConfig['budget'],
  ) {}

  /** Adds a finished trial. @throws InputError when that spends the budget while others are still to be made. */
  add(trial: Pick<Trial, 'tokens' | 'costUsd'>, left: number): void {
    this.used.trials++;
    this.used.tokens += trial.tokens ?? 0;
    this.used.usd += trial.costUsd ?? 0;
    const { trials, tokens, usd, minutes } = this.budget ?? {};
    if (left === 0) return;
    const spent = [
      trials !== undefined && this.used.trials >= trials && `${trials} trials`,
      tokens !== undefined && this.used.tokens >= tokens && `${tokens} tokens`,
      usd !== undefined && this.used.usd >= usd && `$${usd}`,
      minutes !== undefined && performance.now() - this.from >= minutes * 60_000 && `${minutes} minutes`,
    ].find((each) => each !== false);
    if (spent === undefined) return;
    throw new InputError(`The budget of the suite (${spent}) is spent; run ${this.run} stopped before its end.`, {
      code: 'budget-spent',
      nextStep: `Go on with: harnessmith validate --resume ${this.run}`,
    });
  }
}
