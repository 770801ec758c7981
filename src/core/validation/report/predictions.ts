import type { Verdict } from '../model';
import { fisherExact } from '../statistics';

export type PredictionOutcome = 'HARMFUL' | 'MIXED' | 'EFFECTIVE' | 'PARTIALLY_EFFECTIVE' | 'INEFFECTIVE';

/** What came of the tasks that a proposal said it would fix or put at risk. */
export interface PredictionScore {
  outcome: PredictionOutcome;
  fixed: string[];
  notFixed: string[];
  broken: string[];
  /** Predicted tasks that the run did not measure. */
  unmeasured: string[];
  /** Tasks that flipped down without being named. */
  unforeseen: string[];
  /**
   * Chance that the predicted tasks flip up that much more often than the other failing ones if the prediction says
   * nothing (Fisher, two-sided). Noise alone flips tasks, so an outcome without a small value is no evidence.
   */
  byChance: number;
  sentence: string;
}

/**
 * Scores a prediction, in order: a risk came true and nothing was fixed HARMFUL; a risk came true and something was fixed
 * MIXED; all fixed EFFECTIVE; some PARTIALLY_EFFECTIVE; else INEFFECTIVE. A fix is a flip up by majority.
 */
export function scorePrediction(
  prediction: { fixes: readonly string[]; atRisk: readonly string[] },
  verdict: Verdict,
): PredictionScore {
  const groups = new Map(verdict.tasks.map((task) => [task.task, task.group]));
  const isIn = (group: string) => (task: string) => groups.get(task) === group;
  const measured = prediction.fixes.filter((task) => (groups.get(task) ?? 'not measured') !== 'not measured');
  const fixed = measured.filter(isIn('flipped up'));
  const broken = prediction.atRisk.filter(isIn('flipped down'));
  const failing = verdict.tasks.filter(
    (task) => task.group !== 'not measured' && 2 * task.baseline.passed <= task.baseline.of,
  );
  const others = failing.filter((task) => !prediction.fixes.includes(task.task));
  const otherUps = others.filter((task) => task.group === 'flipped up').length;
  const byChance = fisherExact(otherUps, others.length, fixed.length, measured.length);
  const outcome = outcomeOf(fixed.length, measured.length, broken.length);
  return {
    outcome,
    fixed,
    notFixed: measured.filter((task) => !fixed.includes(task)),
    broken,
    unmeasured: [...prediction.fixes, ...prediction.atRisk].filter(
      (task) => (groups.get(task) ?? 'not measured') === 'not measured',
    ),
    unforeseen: verdict.regressions.filter((task) => !prediction.atRisk.includes(task)),
    byChance,
    sentence: sentenceOf(outcome, fixed.length, measured.length, broken.length, prediction.atRisk.length, byChance),
  };
}

function outcomeOf(fixed: number, predicted: number, broken: number): PredictionOutcome {
  if (broken > 0) return fixed === 0 ? 'HARMFUL' : 'MIXED';
  if (fixed === 0) return 'INEFFECTIVE';
  return fixed === predicted ? 'EFFECTIVE' : 'PARTIALLY_EFFECTIVE';
}

function sentenceOf(
  outcome: PredictionOutcome,
  fixed: number,
  predicted: number,
  broken: number,
  atRisk: number,
  byChance: number,
): string {
  const words = outcome.toLowerCase().replace('_', ' ');
  const chance =
    byChance <= 0.05
      ? `other failing tasks flipped less often (p = ${Number(byChance.toPrecision(2))}).`
      : `other failing tasks flipped about as often (p = ${Number(byChance.toPrecision(2))}), so this may be luck.`;
  return `Prediction ${words}: ${fixed} of ${predicted} predicted fixes came true and ${broken} of ${atRisk} risks; ${chance}`;
}
