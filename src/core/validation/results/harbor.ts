import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readTextIfPresent } from '../store';
import { parseResult } from './engines/resultFile';
import type { Trial } from './model';

const TrialHead = z.looseObject({
  task_name: z.string().optional(),
  started_at: z.string().nullish(),
  finished_at: z.string().nullish(),
});

/** True for a folder whose sub-folders are Harbor trials (`<task>__<id>`). */
export async function isHarborJob(folder: string): Promise<boolean> {
  return (await trialFolders(folder)).length > 0;
}

/**
 * Trials of a Harbor job folder, one a sub-folder. A folder without a readable `result.json` is a trial without a
 * verdict, never a failure. Repeats of a task are numbered by start time, because folder names end in random letters.
 */
export async function readHarborJob(folder: string): Promise<Trial[]> {
  const trials = await Promise.all((await trialFolders(folder)).map((name) => readTrial(folder, name)));
  trials.sort((one, other) => one.started.localeCompare(other.started) || one.output.localeCompare(other.output));
  const seen = new Map<string, number>();
  return trials.map((trial) => {
    const repeat = (seen.get(trial.task) ?? 0) + 1;
    seen.set(trial.task, repeat);
    return { ...trial, repeat };
  });
}

const trialName = /^(.+)__[A-Za-z0-9]{6,}$/;

async function trialFolders(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true });
  return found.filter((entry) => entry.isDirectory() && trialName.test(entry.name)).map((entry) => entry.name);
}

async function readTrial(folder: string, name: string): Promise<Trial> {
  const text = await readTextIfPresent(join(folder, name, 'result.json'));
  const head = headOf(text);
  const result = text === undefined ? undefined : parseResult(text, `${name}/result.json`);
  const trace = `${name}/agent/trajectory.json`;
  const reward = result?.reward ?? null;
  const missing = { type: 'ResultMissing', message: result?.problem ?? `${name} has no result.json.` };
  return {
    run: basename(folder),
    task: head.task_name ?? trialName.exec(name)?.[1] ?? name,
    arm: 'baseline',
    repeat: 1,
    seed: 0,
    verdict: reward === null ? 'missing' : reward >= 1 ? 'pass' : 'fail',
    reward,
    exception: result?.exception ?? (reward === null ? missing : null),
    infrastructure: reward === null && !result?.exception,
    exitCode: null,
    started: head.started_at ?? '',
    seconds: secondsBetween(head.started_at, head.finished_at),
    tokens: result?.tokens ?? null,
    costUsd: result?.costUsd ?? null,
    commit: '',
    trace: (await stat(join(folder, trace)).catch(() => undefined)) ? trace : null,
    output: name,
  };
}

function headOf(text: string | undefined): z.infer<typeof TrialHead> {
  try {
    return TrialHead.parse(JSON.parse(text ?? '{}'));
  } catch {
    return {}; // what is wrong with it is told with the missing verdict
  }
}

function secondsBetween(start: string | null | undefined, end: string | null | undefined): number {
  const seconds = (Date.parse(end ?? '') - Date.parse(start ?? '')) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
