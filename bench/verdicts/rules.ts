import { SuiteConfig } from '../../src/core/harness';
import { defaultRule, judge, type RunManifest, statistics, type VerdictRule } from '../../src/core/validation';
import type { Pair } from './matrices';

/** A way to say that the second side is better. */
export interface AcceptRule {
  name: string;
  accepts(pair: Pair): boolean;
}

const level = 0.05;

const differences = ({ before, after, repeats }: Pair) =>
  before.map((count, index) => ((after[index] ?? 0) - count) / repeats);

/** Mean paired difference in standard errors; 0 where nothing differs. */
function meanInErrors(pair: Pair): number {
  const paired = statistics.pairedMean(differences(pair));
  return paired === null || Number.isNaN(paired.t) ? 0 : paired.t;
}

/** Tasks whose majority flips. */
function flips({ before, after, repeats }: Pair): { up: number; down: number } {
  const passes = (count: number | undefined) => 2 * (count ?? 0) > repeats;
  const changed = before.map((count, index) => Number(passes(after[index])) - Number(passes(count)));
  return { up: changed.filter((each) => each > 0).length, down: changed.filter((each) => each < 0).length };
}

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);

/** The rules of published systems, as they state them, and the tests that statistics offers. */
const commonRules: AcceptRule[] = [
  { name: 'mean not more than 3 points lower', accepts: (pair) => statistics.mean(differences(pair)) >= -0.03 },
  { name: 'mean strictly greater', accepts: ({ before, after }) => sum(after) > sum(before) },
  { name: 'mean difference > 0.2 standard errors', accepts: (pair) => meanInErrors(pair) > 0.2 },
  {
    name: 'no half of the tasks drops, mean rises',
    accepts: (pair) => {
      const half = (start: number) => sum(differences(pair).filter((_, index) => index % 2 === start));
      return half(0) >= 0 && half(1) >= 0 && half(0) + half(1) > 0;
    },
  },
  // Compared with a tolerance: one single flip makes mean and error exactly equal.
  { name: 'mean difference > 1 standard error', accepts: (pair) => meanInErrors(pair) > 1 + 1e-9 },
  {
    name: 'net gain of a task, at most 2 regressions',
    accepts: (pair) => flips(pair).up - flips(pair).down >= 1 && flips(pair).down <= 2,
  },
  {
    name: 'trials taken as independent, z test at 5 %',
    accepts: ({ before, after, repeats }) => {
      const trials = before.length * repeats;
      const pooled = (sum(before) + sum(after)) / (2 * trials);
      const error = Math.sqrt((2 * pooled * (1 - pooled)) / trials);
      return (sum(after) - sum(before)) / trials > statistics.normalQuantile(1 - level / 2) * error;
    },
  },
  {
    name: 'paired t, one-sided 5 %',
    accepts: (pair) => {
      const paired = statistics.pairedMean(differences(pair));
      return paired !== null && paired.t > 0 && paired.p / 2 <= level;
    },
  },
  {
    name: 'chi-squared McNemar without correction at 5 %',
    accepts: (pair) => {
      const { up, down } = flips(pair);
      return up > down && statistics.chiSquaredMcNemar(down, up) <= level;
    },
  },
];

/** What the default rule is measured against: the exact test on majorities at the same level. */
export const majorityRule: AcceptRule = {
  name: 'exact McNemar on task majorities at 5 %',
  accepts: (pair) => {
    const { up, down } = flips(pair);
    return up > down && statistics.exactMcNemar(down, up) <= level;
  },
};

/** The product's own default, asked through the function that judges runs. */
export const ownRule: AcceptRule = {
  name: 'default rule of the product, alpha 5 %',
  accepts: (pair) => judgedAs(pair, defaultRule(pair.repeats)) === 'accept',
};

function judgedAs(pair: Pair, rule: VerdictRule) {
  return judge(manifestOf(pair, rule), pair.trials()).verdict;
}

export const rules: AcceptRule[] = [...commonRules, majorityRule, ownRule];

function manifestOf({ tasks, repeats }: Pair, rule: VerdictRule): RunManifest {
  const arm = (name: 'baseline' | 'candidate') => ({ arm: name, commit: '', tree: name, label: name });
  return {
    schemaVersion: 1,
    id: 'bench',
    createdAt: '',
    suiteName: 'reruns',
    suite: SuiteConfig.parse({ tasks, command: ['-'], trials: repeats }),
    tasks,
    trials: repeats,
    arms: [arm('baseline'), arm('candidate')],
    proposal: null,
    rule,
    state: 'finished',
    finishedAt: null,
  };
}
