import { join } from 'node:path';
import { appendJsonLine, readJsonLines, storePaths } from '../../store';
import { type Arm, type RunManifest, Trial } from '../model';

/** What makes a trial the same trial, within one run. */
export interface TrialKey {
  task: string;
  arm: Arm;
  repeat: number;
}

/** A text that is equal for equal keys only. */
export function keyOf({ task, arm, repeat }: TrialKey): string {
  return JSON.stringify([task, arm, repeat]);
}

/** Path of `trials.jsonl` of a run. */
export function trialLogFile(root: string, run: string): string {
  return join(storePaths(root).run(run), 'trials.jsonl');
}

/**
 * Finished trials of a run in the order they finished, each key once: where a trial was made again, its last record counts.
 * A last line that a crash tore is passed over. @throws InputError for a whole line that is no trial.
 */
export async function readTrials(root: string, run: string): Promise<Trial[]> {
  const { entries } = await readJsonLines(trialLogFile(root, run), Trial);
  return uniqueTrials(entries.filter((trial) => trial.run === run));
}

/** Keeps the last record of every key. */
export function uniqueTrials(trials: readonly Trial[]): Trial[] {
  const byKey = new Map<string, Trial>();
  for (const trial of trials) {
    byKey.delete(keyOf(trial));
    byKey.set(keyOf(trial), trial);
  }
  return [...byKey.values()];
}

/** Appends records one after the other; each call returns when its record is on disk. */
export class TrialLog {
  private pending: Promise<void> = Promise.resolve();

  constructor(private readonly file: string) {}

  append(trial: Trial): Promise<void> {
    const done = this.pending.then(() => appendJsonLine(this.file, Trial.parse(trial)));
    this.pending = done.catch(() => undefined); // the caller of this append gets the error; later ones try anew
    return done;
  }
}

/** A trial that is to be made. */
export interface PlannedTrial extends TrialKey {
  seed: number;
}

/**
 * All trials of a run in the order they are started: repeat by repeat, task by task, both arms next to each other with
 * the same seed, and in turns first, so that slow changes of the machine or the model meet both arms alike.
 */
export function planTrials(manifest: Pick<RunManifest, 'tasks' | 'trials' | 'arms' | 'suite'>): PlannedTrial[] {
  const planned: PlannedTrial[] = [];
  for (let repeat = 1; repeat <= manifest.trials; repeat++) {
    manifest.tasks.forEach((task, index) => {
      const arms = [...manifest.arms];
      if ((index + repeat) % 2 === 1) arms.reverse();
      for (const { arm, seedOffset = 0 } of arms) {
        planned.push({ task, arm, repeat, seed: manifest.suite.seed + seedOffset + repeat - 1 });
      }
    });
  }
  return planned;
}
