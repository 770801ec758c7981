import type { RunManifest, Trial } from '../model';
import { keyOf } from '../runs/trialLog';

/** Trials that can be counted, and what was done to get them, a sentence each. */
export interface SoundTrials {
  trials: Trial[];
  treatments: string[];
}

/**
 * Takes trials as they come and makes them countable: of a key that occurs twice the last record counts; a verdict whose
 * reward is no number from 0 to 1 is no verdict; repeats beyond the plan and tasks outside it are left out; where the two
 * arms saw different versions of a task, the task is not compared. Order does not matter.
 */
export function soundTrials(manifest: RunManifest, made: readonly Trial[]): SoundTrials {
  const treatments: string[] = [];
  const say = (count: number, one: string, many: string) => {
    if (count > 0) treatments.push(count === 1 ? `1 ${one}` : `${count} ${many}`);
  };
  const byKey = new Map(made.map((trial) => [keyOf(trial), trial]));
  say(
    made.length - byKey.size,
    'trial was recorded twice; its last record counts.',
    'trials were recorded twice; their last records count.',
  );
  const known = [...byKey.values()].filter((trial) => manifest.tasks.includes(trial.task));
  say(
    byKey.size - known.length,
    'trial of a task outside the run was left out.',
    'trials of tasks outside the run were left out.',
  );
  const planned = known.filter((trial) => trial.repeat >= 1 && trial.repeat <= manifest.trials);
  say(
    known.length - planned.length,
    `trial beyond repeat ${manifest.trials} was left out.`,
    `trials beyond repeat ${manifest.trials} were left out.`,
  );
  const checked = planned.map(withoutImpossibleReward);
  say(
    checked.filter((trial, index) => trial !== planned[index]).length,
    'reward is no number from 0 to 1; its trial counts as one without a verdict.',
    'rewards are no numbers from 0 to 1; their trials count as ones without a verdict.',
  );
  const changed = changedTasks(checked);
  say(
    changed.size,
    `task differs between the arms and is not compared: ${[...changed].join(', ')}.`,
    `tasks differ between the arms and are not compared: ${[...changed].join(', ')}.`,
  );
  return { trials: checked.map((trial) => (changed.has(trial.task) ? voided(trial) : trial)), treatments };
}

function withoutImpossibleReward(trial: Trial): Trial {
  const { reward } = trial;
  if (trial.verdict === 'missing' || reward === null || (reward >= 0 && reward <= 1)) return trial;
  const exception = { type: 'RewardImpossible', message: `The reward ${reward} is no number from 0 to 1.` };
  return { ...trial, verdict: 'missing', reward: null, exception: trial.exception ?? exception };
}

/** Tasks that were another text, or another environment, in one arm than in the other. */
function changedTasks(trials: readonly Trial[]): Set<string> {
  const digests = new Map<string, Set<string>>();
  for (const { task, taskDigest } of trials) {
    if (taskDigest !== undefined) digests.set(task, (digests.get(task) ?? new Set()).add(taskDigest));
  }
  return new Set([...digests].filter(([, seen]) => seen.size > 1).map(([task]) => task));
}

function voided(trial: Trial): Trial {
  if (trial.verdict === 'missing') return trial;
  const exception = { type: 'TaskChanged', message: 'The task differs between the arms.' };
  return { ...trial, verdict: 'missing', reward: null, exception };
}
