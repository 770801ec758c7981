import { InputError } from '../../errors';
import type { VerdictRule } from '../model';
import { lookLevels } from '../statistics';

/** What may be declared differently from the default before a run. */
export type RuleChoices = Partial<VerdictRule>;

/**
 * The accept rule that holds when nothing else is declared before the run. Tasks are the sample: repeats are averaged
 * within a task and the task differences tested by exact sign-flip, which for single trials is McNemar's test.
 */
export function defaultRule(trials: number): VerdictRule {
  return {
    metric: 'pass rate',
    test: trials === 1 ? 'exact McNemar on single trials' : 'exact sign-flip on task means',
    alpha: 0.05,
    interval: trials === 1 ? 'Bonett-Price, 95 %' : 't over tasks, 95 %',
    bootstrapSamples: 10_000,
    bootstrapSeed: 1,
    minimumCoverage: 0.8,
    margin: 0.05,
    minimumEffect: 0.05,
    minimumSaving: 0.1,
    candidates: 1,
    looks: { planned: 1, boundary: "O'Brien-Fleming" },
  };
}

/**
 * The default rule with what was chosen differently.
 * @throws InputError for a choice that contradicts the design, such as single trials for more than one repeat.
 */
export function ruleFor(trials: number, choices: RuleChoices = {}): VerdictRule {
  const rule = { ...defaultRule(trials), ...choices };
  if (rule.test === 'exact McNemar on single trials' && trials > 1) {
    throw new InputError(`The rule is for single trials, and the run makes ${trials} of each task.`, {
      code: 'rule-wrong',
      nextStep: 'Use "exact sign-flip on task means", or one trial a task.',
    });
  }
  if (rule.metric === 'mean reward' && rule.test !== 'exact sign-flip on task means') {
    return { ...rule, test: 'exact sign-flip on task means', interval: 't over tasks, 95 %' };
  }
  return rule;
}

/**
 * The level that p is compared with at a look: alpha, divided among the candidates that compete (Bonferroni) and spread
 * over the planned looks (group-sequential). Looks beyond the planned ones have no level left, so theirs is 0.
 */
export function levelAt(rule: VerdictRule, look = 1): number {
  const share = rule.alpha / (rule.candidates ?? 1);
  const { planned, boundary } = rule.looks ?? { planned: 1, boundary: "O'Brien-Fleming" as const };
  if (look > planned) return 0;
  return planned === 1 ? share : (lookLevels(planned, share, boundary)[look - 1] ?? 0);
}

/** The rule in words, as declared: what is measured, how it is tested, at which level, what else it holds. */
export function ruleWords(rule: VerdictRule): string {
  const parts = [`${rule.metric}, ${rule.test}, alpha ${rule.alpha}`];
  if ((rule.candidates ?? 1) > 1) parts.push(`shared by ${rule.candidates} candidates`);
  if (rule.looks && rule.looks.planned > 1) {
    parts.push(`spread over ${rule.looks.planned} looks (${rule.looks.boundary})`);
  }
  parts.push(`interval: ${rule.interval}`);
  if (rule.margin !== undefined) parts.push(`equal within ${percent(rule.margin)} points`);
  if (rule.minimumEffect !== undefined) parts.push(`effect worth finding ${percent(rule.minimumEffect)} points`);
  parts.push(`coverage at least ${percent(rule.minimumCoverage)} % in each arm`);
  return parts.join('; ');
}

function percent(share: number): string {
  return String(Math.round(share * 1000) / 10);
}
