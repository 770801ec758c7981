import type { Command } from 'commander';
import { InputError } from '../core/errors';
import type { RuleChoices } from '../core/validation';
import { positive } from './options';

export interface RuleOptions {
  alpha?: string;
  margin?: string;
  effect?: string;
  candidates?: string;
  looks?: string;
  reward?: boolean;
}

/** Options that declare the accept rule of a run. */
export function addRuleOptions(command: Command): Command {
  return command
    .option('--alpha <level>', 'two-sided level of the decision, 0.05 when absent')
    .option('--margin <points>', 'differences within this many points are called equal, 5 when absent')
    .option('--effect <points>', 'the gap worth finding, 5 points when absent; told is how many tasks it needs')
    .option('--candidates <number>', 'how many candidates compete on these tasks; they share the level')
    .option('--looks <number>', "planned looks at a growing run; they share the level (O'Brien-Fleming)")
    .option('--reward', 'compare mean rewards instead of pass rates');
}

/** What was declared differently from the default rule. @throws InputError naming the option that is wrong. */
export function ruleChoices(options: RuleOptions): RuleChoices {
  return {
    ...(options.alpha === undefined ? {} : { alpha: between(options.alpha, '--alpha', 1) }),
    ...(options.margin === undefined ? {} : { margin: between(options.margin, '--margin', 100) / 100 }),
    ...(options.effect === undefined ? {} : { minimumEffect: between(options.effect, '--effect', 100) / 100 }),
    ...(options.candidates === undefined ? {} : { candidates: positive(options.candidates, '--candidates') }),
    ...(options.looks === undefined
      ? {}
      : { looks: { planned: Math.min(20, positive(options.looks, '--looks')), boundary: "O'Brien-Fleming" as const } }),
    ...(options.reward ? { metric: 'mean reward' as const } : {}),
  };
}

function between(text: string, option: string, limit: number): number {
  const value = Number(text);
  if (value > 0 && value < limit) return value;
  throw new InputError(`${option} ${text} is no number between 0 and ${limit}.`, {
    code: 'usage',
    nextStep: limit === 1 ? `Give ${option} a level such as 0.05.` : `Give ${option} points such as 5.`,
  });
}
