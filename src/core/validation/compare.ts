import { InputError } from '../errors';
import type { Arm, RunManifest, Trial, Verdict } from './model';
import type { RunReport } from './report';
import { readTrialSet, type TrialSet } from './results';
import { readRun } from './runs';
import { defaultRule, judge } from './verdicts';

/**
 * Compares two runs of the same harness: the candidate of each, or its baseline where it has no candidate.
 * @throws InputError when a run is unknown, has no trials, or the two share no task.
 */
export async function compareRuns(root: string, first: string, second: string): Promise<Verdict> {
  return (await reportOnRuns(root, first, second)).verdict;
}

/** The same comparison with all that a written report needs. @throws like `compareRuns`. */
export async function reportOnRuns(root: string, first: string, second: string): Promise<RunReport> {
  const sides = await Promise.all([first, second].map((id) => sideOfRun(root, id)));
  return reportOnSets(sides[0] as TrialSet, sides[1] as TrialSet);
}

/**
 * Compares two result files or folders: a run folder of ours, or the results of any tool that `readTrialSet` knows.
 * @throws InputError naming what cannot be read, or when the two share no task.
 */
export async function compareResultFiles(first: string, second: string): Promise<Verdict> {
  return (await reportOnFiles(first, second)).verdict;
}

/** The same comparison with all that a written report needs. @throws like `compareResultFiles`. */
export async function reportOnFiles(first: string, second: string): Promise<RunReport> {
  return reportOnSets(await readTrialSet(first), await readTrialSet(second));
}

/** Judges one set against another by the default rule, on the tasks that both have. */
export function compareSets(before: TrialSet, after: TrialSet): Verdict {
  return reportOnSets(before, after).verdict;
}

function reportOnSets(before: TrialSet, after: TrialSet): RunReport {
  const tasks = namesOf(before.trials).filter((task) => namesOf(after.trials).includes(task));
  if (tasks.length === 0) {
    throw new InputError(`${before.name} and ${after.name} have no task in common.`, {
      code: 'no-common-task',
      nextStep: 'Compare runs of the same suite.',
    });
  }
  const trials = [...as('baseline', before), ...as('candidate', after)].filter((trial) => tasks.includes(trial.task));
  const [fewer = 1, repeats = 1] = [before, after].map(repeatsOf).sort((one, other) => one - other);
  const only = [before, after].flatMap(({ name, trials: own }) => {
    const count = namesOf(own).filter((task) => !tasks.includes(task)).length;
    if (count === 0) return [];
    return [
      count === 1
        ? `1 task is only in ${name} and was left out.`
        : `${count} tasks are only in ${name} and were left out.`,
    ];
  });
  if (fewer < repeats)
    only.push(`One side has ${fewer} and the other ${repeats} trials a task; their means are compared.`);
  const manifest = manifestOf(before, after, tasks, repeats);
  // Fewer repeats by design are no missing verdicts.
  manifest.rule.minimumCoverage *= fewer / repeats;
  const verdict = judge(manifest, trials);
  const sentence = [verdict.sentence, ...only].join(' ');
  const treatments = [...(verdict.treatments ?? []), ...only];
  return { manifest, trials, verdict: { ...verdict, sentence, treatments } };
}

function repeatsOf({ trials }: TrialSet): number {
  return Math.max(...trials.map((trial) => trial.repeat));
}

function namesOf(trials: readonly Trial[]): string[] {
  return [...new Set(trials.map((trial) => trial.task))];
}

function as(arm: Arm, set: TrialSet): Trial[] {
  return set.trials.map((trial) => ({ ...trial, arm }));
}

async function sideOfRun(root: string, id: string): Promise<TrialSet> {
  const { manifest, trials } = await readRun(root, id);
  const arm: Arm = manifest.arms.some((each) => each.arm === 'candidate') ? 'candidate' : 'baseline';
  const own = trials.filter((trial) => trial.arm === arm);
  if (own.length === 0) {
    throw new InputError(`Run ${id} has no finished trials of its ${arm}.`, {
      code: 'run-empty',
      nextStep: `Carry it out first: harnessmith validate --resume ${id}`,
    });
  }
  return { name: id, trials: own };
}

function manifestOf(before: TrialSet, after: TrialSet, tasks: string[], repeats: number): RunManifest {
  const arm = (name: string, which: Arm) => ({ arm: which, commit: '', tree: '', label: name });
  return {
    schemaVersion: 1,
    id: `${before.name}..${after.name}`,
    createdAt: new Date().toISOString(),
    suiteName: 'compared results',
    suite: {
      engine: 'command',
      tasks,
      command: ['-'],
      arguments: [],
      result: 'exit-code',
      prepare: [],
      trials: repeats,
      seed: 1,
      timeoutSeconds: 1,
      concurrency: 1,
      environment: {},
    },
    tasks,
    trials: repeats,
    arms: [arm(before.name, 'baseline'), arm(after.name, 'candidate')],
    proposal: null,
    rule: defaultRule(repeats),
    state: 'finished',
    finishedAt: null,
  };
}
