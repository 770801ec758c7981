import type { RunManifest, TaskComparison, Trial, Verdict } from '../model';
import { verdictSentence } from '../sentence';
import {
  anytimeP,
  benjaminiHochberg,
  equivalenceP,
  estimateFromSample,
  exactMcNemar,
  fisherExact,
  mean,
  nonInferiorityP,
  pairedMean,
  signFlip,
} from '../statistics';
import { compareTasks } from '../taskTable';
import { armScore, boundsOf, missingReasons, passAtOf, retentionOf } from './arms';
import { costChanges, totalOf } from './costs';
import { decide } from './decide';
import { integerDifferences, outcomesOf, type TaskOutcomes, taskDifferences } from './differences';
import { intervalOf } from './intervals';
import { type BaselineReruns, noiseFloorOf } from './noiseFloor';
import { resolutionOf } from './plan';
import { levelAt } from './rule';
import { splitVerdicts } from './splits';
import { soundTrials } from './treatments';

export interface JudgeOptions {
  /** Trials of the same baseline in other runs; they tell the noise floor and nothing else. */
  reruns?: readonly BaselineReruns[];
}

/**
 * Judges a run by the rule it declares. Tasks are the sample: repeats are averaged within a task, and the differences of
 * tasks are tested by exact sign-flip (or exact McNemar where the rule says so). A pure function of its arguments;
 * nothing here asks a model. See `decide` for the order of the outcomes.
 */
export function judge(manifest: RunManifest, made: readonly Trial[], options: JudgeOptions = {}): Verdict {
  const { trials, treatments } = soundTrials(manifest, made);
  const tasks = withOwnEvidence(compareTasks(manifest.tasks, manifest.trials, trials), manifest);
  const outcomes = outcomesOf(tasks, trials, manifest.rule.metric);
  const differences = taskDifferences(outcomes);
  const difference = differences.length === 0 ? 0 : mean(differences);
  const up = tasks.filter((task) => task.group === 'flipped up').length;
  const down = tasks.filter((task) => task.group === 'flipped down').length;
  const level = levelAt(manifest.rule, manifest.look);
  const signFlipP = differences.length === 0 ? null : signFlip(integerDifferences(outcomes));
  const mcnemarP = exactMcNemar(down, up);
  const p = manifest.rule.test === 'exact sign-flip on task means' ? (signFlipP ?? 1) : mcnemarP;
  const paired = pairedMean(differences);
  const equivalence = equivalenceOf(manifest, differences);
  const noiseFloor = noiseFloorOf(manifest, trials, options.reruns);
  const changes = costChanges(manifest.tasks, trials, manifest.rule);
  const decided = decide(manifest, tasks, {
    difference,
    p,
    level,
    up,
    down,
    noiseFloor: noiseFloor?.halfWidth ?? null,
    equivalenceP: equivalence?.p ?? null,
    notWorseP: equivalence?.notWorseP ?? null,
    costs: changes,
  });
  const plan = resolutionOf(manifest, outcomes, level);
  const open = decided === 'undecided';
  const splits = splitVerdicts(manifest, tasks, outcomes);
  const verdict: Omit<Verdict, 'sentence'> = {
    schemaVersion: 1,
    run: manifest.id,
    verdict: decided,
    rule: manifest.rule,
    difference,
    interval: intervalOf(differences, manifest.rule),
    p,
    level,
    standardError: paired?.standardError ?? null,
    detectable: plan.detectable,
    moreTasks: open ? plan.moreTasks : null,
    moreTrials: open ? plan.moreTrials : null,
    tasksForEffect: plan.tasksForEffect,
    noiseFloor,
    up,
    down,
    coverage: {
      measured: tasks.reduce((sum, task) => sum + task.baseline.of + task.candidate.of, 0),
      planned: manifest.tasks.length * manifest.trials * manifest.arms.length,
    },
    scores: {
      baseline: armScore(manifest, 'baseline', outcomes, trials),
      candidate: armScore(manifest, 'candidate', outcomes, trials),
    },
    tasks,
    regressions: tasks.filter((task) => task.group === 'flipped down').map((task) => task.task),
    retention: retentionOf(tasks),
    splits,
    ...populationOf(manifest, outcomes, differences),
    passAt: passAtOf(tasks, manifest.trials),
    equivalence,
    bounds: boundsOf(tasks),
    signFlipP,
    mcnemarP,
    anytimeP: anytimeP(down, up),
    missing: missingReasons(manifest, trials),
    cost: {
      baselineTokens: totalOf(trials, 'baseline', (trial) => trial.tokens),
      candidateTokens: totalOf(trials, 'candidate', (trial) => trial.tokens),
      baselineUsd: totalOf(trials, 'baseline', (trial) => trial.costUsd),
      candidateUsd: totalOf(trials, 'candidate', (trial) => trial.costUsd),
      changes,
    },
    treatments,
  };
  return { ...verdict, sentence: verdictSentence(manifest, verdict) };
}

/** TOST and non-inferiority; null where one task or no spread at all leaves nothing to compute them from. */
function equivalenceOf(manifest: RunManifest, differences: readonly number[]): Verdict['equivalence'] {
  const { margin } = manifest.rule;
  if (margin === undefined || differences.length < 2) return null;
  // Tasks that all differ alike show no spread; one imagined task in each direction stands for what was not seen.
  const seen = pairedMean(differences);
  const paired = seen !== null && seen.standardError > 1e-12 ? seen : pairedMean([...differences, -1, 1]);
  if (paired === null) return null;
  return { margin, p: equivalenceP(paired, margin), notWorseP: nonInferiorityP(paired, margin) };
}

/** A screening run draws tasks with unequal chances, so their plain mean stands for nothing else. */
function populationOf(
  manifest: RunManifest,
  outcomes: readonly TaskOutcomes[],
  differences: readonly number[],
): Pick<Verdict, 'population'> {
  const { screening } = manifest;
  if (!screening || outcomes.length === 0) return {};
  const sample = outcomes.map(({ task }, index) => ({
    value: differences[index] ?? 0,
    inclusion: screening.inclusion[task] ?? 1,
  }));
  const { mean: estimate, hajek, standardError } = estimateFromSample(sample, screening.population);
  return { population: { tasks: screening.population, mean: estimate, hajek, standardError } };
}

/** What each task says by itself: Fisher's p, and its q in the list of all tasks. */
function withOwnEvidence(tasks: readonly TaskComparison[], manifest: RunManifest): TaskComparison[] {
  const measured = tasks.filter((task) => task.group !== 'not measured');
  const pValues = measured.map(({ baseline, candidate }) =>
    fisherExact(baseline.passed, baseline.of, candidate.passed, candidate.of),
  );
  const qValues = benjaminiHochberg(pValues);
  const evidence = new Map(measured.map((task, index) => [task.task, { p: pValues[index], q: qValues[index] }]));
  return tasks.map((task) => ({
    ...task,
    ...evidence.get(task.task),
    unstable: [task.baseline, task.candidate].some(({ passed, of }) => passed > 0 && passed < of),
    ...(manifest.taskSplits?.[task.task] ? { split: manifest.taskSplits[task.task] } : {}),
  }));
}
