import { InputError } from '../../errors';
import { acquireLock } from '../../store';
import { isNoiseRun, type RunManifest } from '../model';
import { readManifest, runLockFile, writeManifest } from './runStore';

/**
 * Plans more repeats of every task and arm of a finished run, which is one more look at it. Trials that are there are kept;
 * `executeRun` makes the others and judges again, at the level that is left for this look.
 * @throws InputError when all looks that were planned before the run are used up: a look that was not planned would make
 * the level untrue. Then a new run is needed, judged by its own trials alone.
 */
export async function extendRun(root: string, id: string, repeats: number): Promise<RunManifest> {
  const known = await readManifest(root, id);
  const look = known.look ?? 1;
  const planned = known.rule.looks?.planned ?? 1;
  if (known.state !== 'finished') {
    throw new InputError(`Run ${id} is ${known.state}.`, {
      code: 'run-unfinished',
      nextStep: `Finish it first: harnessmith validate --resume ${id}`,
    });
  }
  if (isNoiseRun(known)) {
    throw new InputError(
      `Run ${id} compares the baseline with itself; its arms have seeds for ${known.trials} trials.`,
      {
        code: 'noise-run',
        nextStep: 'Start a new run: harnessmith validate --same --trials N',
      },
    );
  }
  if (look >= planned) {
    throw new InputError(
      `Run ${id} was planned with ${planned} ${planned === 1 ? 'look' : 'looks'}, and ${look} was the last.`,
      {
        code: 'looks-used',
        nextStep: 'Start a new run with more trials; plan several looks with --looks to be able to add some later.',
      },
    );
  }
  if (!Number.isInteger(repeats) || repeats < 1 || known.trials + repeats > 1000) {
    throw new InputError(`${repeats} more trials of each task are not possible.`, {
      code: 'trials-wrong',
      nextStep: 'Give 1 or more, at most 1000 in all.',
    });
  }
  const lock = await acquireLock(runLockFile(root, id), { owner: 'extending the run' });
  try {
    const manifest: RunManifest = {
      ...known,
      trials: known.trials + repeats,
      look: look + 1,
      state: 'interrupted',
      finishedAt: null,
    };
    await writeManifest(root, manifest);
    return manifest;
  } finally {
    await lock.release();
  }
}
