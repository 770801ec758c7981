import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { InputError, throwIfCancelled } from '../../errors';
import type { WorkOptions } from '../../progress';
import { currentPerson, Ledger, storePaths } from '../../store';
import type { Trial } from '../model';
import { type RunRecord, readManifest, readRun } from './runStore';
import { keyOf } from './trialLog';

const pollMilliseconds = 250;

function cancelFile(root: string, id: string): string {
  return join(storePaths(root).run(id), 'cancel');
}

/** Asks whoever carries a run out to stop; works across processes. @throws InputError for an unknown run. */
export async function cancelRun(root: string, id: string): Promise<void> {
  await readManifest(root, id);
  await writeFile(cancelFile(root, id), '');
}

/**
 * A signal that is aborted when somebody asks for it with `cancelRun`. Forgets earlier requests first.
 * `stop` ends the watching.
 */
export async function cancelSignal(root: string, id: string): Promise<{ signal: AbortSignal; stop: () => void }> {
  const file = cancelFile(root, id);
  await rm(file, { force: true });
  const controller = new AbortController();
  const timer = setInterval(() => {
    stat(file).then(
      () => controller.abort(),
      () => undefined, // no request yet
    );
  }, pollMilliseconds);
  timer.unref();
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

export interface WatchOptions extends WorkOptions {
  onTrial?: (trial: Trial, done: number, total: number) => void;
}

/**
 * Follows a run that another process carries out: reports every finished trial, those from before included, and returns
 * when nobody carries it out any more. Aborting the signal ends the watching, not the run.
 */
export async function watchRun(root: string, id: string, options: WatchOptions = {}): Promise<RunRecord> {
  const told = new Set<string>();
  for (;;) {
    throwIfCancelled(options.signal, 'Watching the run');
    const record = await readRun(root, id);
    const { tasks, trials, arms } = record.manifest;
    const total = tasks.length * trials * arms.length;
    for (const trial of record.trials) {
      if (told.has(keyOf(trial))) continue;
      told.add(keyOf(trial));
      options.onTrial?.(trial, told.size, total);
      options.progress?.({ message: `${told.size} of ${total} trials`, done: told.size, total });
    }
    if (record.runner === null) return record;
    await wait(pollMilliseconds);
  }
}

/**
 * Records that a person goes against the verdict of a run. Changes nothing else.
 * @throws InputError without a reason, because an override that nobody can explain later is worth nothing.
 */
export async function overrideVerdict(root: string, id: string, reason: string): Promise<void> {
  await readManifest(root, id);
  if (reason.trim() === '') {
    throw new InputError('An override needs a reason.', {
      code: 'reason-missing',
      nextStep: 'Say in a few words why the verdict does not count.',
    });
  }
  const ledger = await Ledger.open(root);
  await ledger.append({
    kind: 'override',
    at: new Date().toISOString(),
    by: currentPerson(),
    run: id,
    reason: reason.trim(),
  });
}
