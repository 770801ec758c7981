import type { Arm, RunManifest, TaskComparison, Trial, Verdict, VerdictRule } from './model';
import { verdictSentence } from './sentence';
import { detectableGap, exactMcNemar, exactSignFlip, furtherTasks, pairedBootstrap } from './statistics';
import { compareTasks } from './taskTable';

/** The accept rule that holds when nothing else is declared before the run. */
export function defaultRule(trials: number): VerdictRule {
  return {
    metric: 'pass rate',
    test: trials === 1 ? 'exact McNemar on single trials' : 'exact McNemar on task majorities',
    alpha: 0.05,
    interval: 'paired bootstrap over tasks, 95 %',
    bootstrapSamples: 10_000,
    bootstrapSeed: 1,
    minimumCoverage: 0.8,
  };
}

/**
 * Judges a run by its declared rule. The unit is the task: repeats are folded to one majority a task and arm, flips are
 * tested with the exact two-sided McNemar test, and the interval is a paired bootstrap over tasks of the difference of
 * pass rates. A pure function of its arguments; nothing here asks a model.
 *
 * accept: p <= alpha, more tasks up than down, and a difference above 0; reject: the same downwards; not measured: less
 * than the minimum coverage in either arm, or no task measured in both; undecided otherwise.
 */
export function judge(manifest: RunManifest, trials: readonly Trial[]): Verdict {
  const tasks = compareTasks(manifest.tasks, manifest.trials, trials);
  const measured = tasks.filter((task) => task.group !== 'not measured');
  const differences = measured.map((task) => rate(task.candidate) - rate(task.baseline));
  const difference =
    differences.length === 0 ? 0 : differences.reduce((sum, each) => sum + each, 0) / differences.length;
  const up = tasks.filter((task) => task.group === 'flipped up').length;
  const down = tasks.filter((task) => task.group === 'flipped down').length;
  const p = exactMcNemar(down, up);
  const decided = decide(manifest, tasks, { difference, up, down, p });
  const verdict: Omit<Verdict, 'sentence'> = {
    schemaVersion: 1,
    run: manifest.id,
    verdict: decided,
    rule: manifest.rule,
    difference,
    interval: intervalOf(differences, manifest.rule),
    p,
    // Laplace's rule, because a run without any flip does not show that tasks never flip.
    detectable: detectableGap(measured.length, (up + down + 1) / (measured.length + 2), manifest.rule),
    moreTasks: decided === 'undecided' ? moreTasks(measured.length, up, down, manifest.rule) : null,
    up,
    down,
    coverage: { measured: measuredTrials(tasks), planned: plannedTrials(manifest) },
    tasks,
    regressions: tasks.filter((task) => task.group === 'flipped down').map((task) => task.task),
    bounds: boundsOf(tasks),
    signFlipP: signFlipOf(measured),
    missing: missingReasons(manifest, trials),
    cost: { baselineTokens: tokensOf(trials, 'baseline'), candidateTokens: tokensOf(trials, 'candidate') },
  };
  return { ...verdict, sentence: verdictSentence(manifest, verdict) };
}

function decide(
  manifest: RunManifest,
  tasks: readonly TaskComparison[],
  seen: { difference: number; up: number; down: number; p: number },
): Verdict['verdict'] {
  const covered = (['baseline', 'candidate'] as const).every((arm) => {
    const trials = tasks.reduce((sum, task) => sum + task[arm].of, 0);
    return trials > 0 && trials >= manifest.rule.minimumCoverage * tasks.length * manifest.trials;
  });
  if (!covered || tasks.every((task) => task.group === 'not measured')) return 'not measured';
  if (seen.p > manifest.rule.alpha) return 'undecided';
  if (seen.up > seen.down && seen.difference > 0) return 'accept';
  if (seen.down > seen.up && seen.difference < 0) return 'reject';
  return 'undecided'; // flips and pass rates point in opposite directions
}

function rate({ passed, of }: { passed: number; of: number }): number {
  return passed / of;
}

function intervalOf(differences: readonly number[], rule: VerdictRule): [number, number] {
  if (differences.length === 0) return [-1, 1]; // nothing is known
  return pairedBootstrap(differences, { samples: rule.bootstrapSamples, seed: rule.bootstrapSeed });
}

function moreTasks(tasks: number, up: number, down: number, rule: VerdictRule): number | null {
  return tasks === 0 ? null : furtherTasks(tasks, { up: up / tasks, down: down / tasks }, rule);
}

function measuredTrials(tasks: readonly TaskComparison[]): number {
  return tasks.reduce((sum, task) => sum + task.baseline.of + task.candidate.of, 0);
}

function plannedTrials(manifest: RunManifest): number {
  return manifest.tasks.length * manifest.trials * manifest.arms.length;
}

/** The two worst readings of missing trials, over all tasks. */
function boundsOf(tasks: readonly TaskComparison[]): [number, number] {
  const total = { low: 0, high: 0 };
  for (const { baseline, candidate } of tasks) {
    const before = baseline.of + baseline.missing;
    const after = candidate.of + candidate.missing;
    if (before === 0 || after === 0) continue;
    total.low += candidate.passed / after - (baseline.passed + baseline.missing) / before;
    total.high += (candidate.passed + candidate.missing) / after - baseline.passed / before;
  }
  return [total.low / tasks.length, total.high / tasks.length];
}

/** Pass counts can be compared as integers only where every task was measured equally often in both arms. */
function signFlipOf(measured: readonly TaskComparison[]): number | null {
  const times = measured[0]?.baseline.of;
  if (times === undefined || measured.some((task) => task.baseline.of !== times || task.candidate.of !== times))
    return null;
  return exactSignFlip(measured.map((task) => task.candidate.passed - task.baseline.passed));
}

function missingReasons(manifest: RunManifest, trials: readonly Trial[]): NonNullable<Verdict['missing']> {
  const counts = new Map<string, { arm: Arm; reason: string; trials: number }>();
  for (const trial of trials) {
    if (trial.verdict !== 'missing' || !manifest.tasks.includes(trial.task)) continue;
    const reason = trial.exception ? trial.exception.type : 'no verdict';
    const key = `${trial.arm} ${reason}`;
    const entry = counts.get(key) ?? { arm: trial.arm, reason, trials: 0 };
    counts.set(key, { ...entry, trials: entry.trials + 1 });
  }
  return [...counts.values()].sort((one, other) => other.trials - one.trials);
}

/** Null unless every trial of the arm states its tokens: a partial sum would compare unlike things. */
function tokensOf(trials: readonly Trial[], arm: Arm): number | null {
  const own = trials.filter((trial) => trial.arm === arm);
  if (own.length === 0 || own.some((trial) => trial.tokens === null)) return null;
  return own.reduce((sum, trial) => sum + (trial.tokens ?? 0), 0);
}
