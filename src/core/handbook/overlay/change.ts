import { setTimeout as pause } from 'node:timers/promises';
import { acquireLock, ensureStore, type Lock, LockedError, storePaths } from '../../store';
import { loadOverlay, overlayText, saveOverlay } from './file';
import { recordChange } from './history';
import { HandbookOverlay } from './model';

/** A change takes milliseconds; who waits longer than this waits for something that hangs. */
const longestWaitMilliseconds = 3_000;
const waitMilliseconds = 25;

/**
 * Reads `handbook.json`, changes it and writes it back, alone: a second window or process waits its turn, so that no
 * change is lost. What was before is kept for `undoOverlay` when a label is given.
 * @throws LockedError when another process holds the file too long; InputError when the file is wrong.
 */
export function changeOverlay(
  root: string,
  label: string | null,
  change: (overlay: HandbookOverlay) => HandbookOverlay,
): Promise<HandbookOverlay> {
  return withOverlay(root, async (before) => {
    const after = HandbookOverlay.parse(change(structuredClone(before)));
    if (overlayText(after) === overlayText(before)) return before;
    await saveOverlay({ root }, after);
    if (label !== null) await recordChange(root, label, before, after);
    return after;
  });
}

/** Works on the overlay while nobody else does. @throws as `changeOverlay`. */
export async function withOverlay<T>(root: string, work: (overlay: HandbookOverlay) => Promise<T>): Promise<T> {
  await ensureStore(root);
  const lock = await patientLock(`${storePaths(root).handbookJson}.lock`);
  try {
    return await work(await loadOverlay({ root }));
  } finally {
    await lock.release();
  }
}

async function patientLock(file: string): Promise<Lock> {
  for (let waited = 0; ; waited += waitMilliseconds) {
    try {
      return await acquireLock(file, { owner: 'an edit of the handbook' });
    } catch (error) {
      if (!(error instanceof LockedError) || waited >= longestWaitMilliseconds) throw error;
      await pause(waitMilliseconds);
    }
  }
}
