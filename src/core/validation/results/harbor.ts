import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readTextIfPresent } from '../../store';
import { parseResult } from '../engines/resultFile';
import type { Trial } from '../model';
import { readDocument } from './document';
import { type FoundTrial, type ResultReader, secondsBetween, trialsOf } from './resultReader';

const time = z.string().nullish();

const TrialHead = z.looseObject({
  task_name: z.string().optional(),
  started_at: time,
  finished_at: time,
  agent_execution: z.looseObject({ started_at: time }).nullish(),
});

const TrialNames = z.record(z.string(), z.array(z.string()));

/** `result.json` of a job. The counts beside the lists were renamed in version 0.8, so only the lists of trials are read. */
const JobResult = z.looseObject({
  stats: z.looseObject({
    evals: z.record(
      z.string(),
      z.looseObject({
        reward_stats: z.record(z.string(), TrialNames).nullish(),
        exception_stats: TrialNames.nullish(),
      }),
    ),
  }),
});

/**
 * A job of Harbor, with one sub-folder `<task>__<id>` a trial. A folder without a readable `result.json` is a trial without a
 * verdict, never a failure. Where the folders were not kept, the lists in the result of the job are read.
 */
export const harborResults: ResultReader = {
  id: 'harbor',
  looksFor: 'a job folder of Harbor with one folder <task>__<id> a trial',
  async recognizes(path) {
    return (await trialFolders(path)).length > 0 || (await jobResult(path)) !== null;
  },
  async read(path) {
    const names = await trialFolders(path);
    if (names.length > 0) return readFolders(path, names);
    const job = await jobResult(path);
    return job === null ? [] : trialsOf(nameOf(path), listedTrials(job));
  },
};

/** Repeats of a task are numbered by start time, because folder names end in random letters. */
async function readFolders(path: string, names: readonly string[]): Promise<Trial[]> {
  const trials = await Promise.all(names.map((name) => readTrial(path, name)));
  trials.sort(
    (one, other) => (one.started ?? '').localeCompare(other.started ?? '') || one.output.localeCompare(other.output),
  );
  return trialsOf(basename(path), trials);
}

const trialName = /^(.+)__[A-Za-z0-9]{6,}$/;

async function trialFolders(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const named = found.filter((entry) => entry.isDirectory() && trialName.test(entry.name)).map((entry) => entry.name);
  const kept = await Promise.all(named.map(async (name) => ((await isTrial(join(folder, name))) ? [name] : [])));
  return kept.flat();
}

/** SWE-bench instances have two underscores in their names too; only the folder's content tells them from trials. */
async function isTrial(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch(() => [] as string[]);
  const known = ['result.json', 'config.json', 'trial.log', 'agent', 'verifier', 'exception.txt'];
  return files.length === 0 || files.some((file) => known.includes(file));
}

async function readTrial(folder: string, name: string): Promise<FoundTrial> {
  const text = await readTextIfPresent(join(folder, name, 'result.json'));
  const head = headOf(text);
  const result = text === undefined ? undefined : parseResult(text, `${name}/result.json`);
  const trace = `${name}/agent/trajectory.json`;
  const reward = result?.reward ?? null;
  const missing = { type: 'ResultMissing', message: result?.problem ?? `${name} has no result.json.` };
  const started = head.agent_execution?.started_at;
  return {
    task: head.task_name ?? trialName.exec(name)?.[1] ?? name,
    verdict: reward === null ? 'missing' : reward >= 1 ? 'pass' : 'fail',
    reward,
    exception: result?.exception ?? (reward === null ? missing : null),
    // An agent that never started was kept from it; one that was stopped at work did that itself.
    infrastructure: reward === null && !(result?.exception && started),
    started: head.started_at,
    seconds: secondsBetween(head.started_at, head.finished_at),
    tokens: result?.tokens ?? null,
    costUsd: result?.costUsd ?? null,
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

function jobResult(path: string): Promise<z.infer<typeof JobResult> | null> {
  return readDocument(basename(path) === 'result.json' ? path : join(path, 'result.json'), JobResult);
}

function nameOf(path: string): string {
  return basename(basename(path) === 'result.json' ? dirname(path) : path);
}

/** A trial may be in a list of rewards and in one of exceptions: it passed although it was stopped. */
function listedTrials(job: z.infer<typeof JobResult>): FoundTrial[] {
  const found = new Map<string, FoundTrial>();
  for (const { reward_stats, exception_stats } of Object.values(job.stats.evals)) {
    const rewards = reward_stats ?? {};
    const metric = 'reward' in rewards ? 'reward' : Object.keys(rewards)[0];
    for (const [value, names] of Object.entries((metric && rewards[metric]) || {})) {
      const reward = Number(value);
      for (const name of names) {
        found.set(name, { ...listed(name), verdict: reward >= 1 ? 'pass' : 'fail', reward });
      }
    }
    for (const [type, names] of Object.entries(exception_stats ?? {})) {
      for (const name of names) {
        found.set(name, { ...(found.get(name) ?? listed(name)), exception: { type, message: '' } });
      }
    }
  }
  return [...found.values()].sort((one, other) => one.output.localeCompare(other.output));
}

function listed(name: string): FoundTrial {
  return { task: trialName.exec(name)?.[1] ?? name, verdict: 'missing', output: name };
}
