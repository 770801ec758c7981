import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Trial } from '../model';
import { readDocument } from './document';
import { type FoundTrial, type ResultReader, secondsBetween, trialsOf } from './resultReader';

const time = z.string().nullish();

/** A record of terminal-bench 1 `results.json`, as its version 0.2 writes it. */
const TerminalBenchTrial = z.looseObject({
  trial_name: z.string().nullish(),
  task_id: z.string(),
  is_resolved: z.boolean().nullable(),
  failure_mode: z.string().nullish(),
  total_input_tokens: z.number().nullish(),
  total_output_tokens: z.number().nullish(),
  trial_started_at: time,
  trial_ended_at: time,
});
type TerminalBenchTrial = z.infer<typeof TerminalBenchTrial>;

const file = 'results.json';

const TerminalBenchRun = z.looseObject({ results: z.array(TerminalBenchTrial) });

/**
 * A run of terminal-bench 1 (`tb run`). `is_resolved: null` is a missing verdict, though the tool's own accuracy counts it
 * as a failure; an agent that ran out of time may still have passed.
 */
export const terminalBenchResults: ResultReader = {
  id: 'terminal-bench',
  looksFor: 'a run folder of terminal-bench with results.json',
  async recognizes(path) {
    return (await read(path)) !== null;
  },
  async read(path) {
    const run = await read(path);
    return run === null ? [] : trialsOf(run.name, run.records.map(foundTrial));
  },
};

async function read(path: string): Promise<{ name: string; records: TerminalBenchTrial[] } | null> {
  const document =
    (await readDocument(path, TerminalBenchRun)) ?? (await readDocument(join(path, file), TerminalBenchRun));
  if (document !== null)
    return { name: basename(basename(path) === file ? dirname(path) : path), records: document.results };
  // Killed before its end, a run has only the records of its trials, two folders down.
  const records = await unfinished(path);
  return records.length === 0 ? null : { name: basename(path), records };
}

async function unfinished(folder: string): Promise<TerminalBenchTrial[]> {
  const records: TerminalBenchTrial[] = [];
  for (const task of await foldersIn(folder)) {
    for (const trial of await foldersIn(join(folder, task))) {
      const record = await readDocument(join(folder, task, trial, file), TerminalBenchTrial);
      if (record !== null) records.push(record);
    }
  }
  return records;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

function foundTrial(record: TerminalBenchTrial): FoundTrial {
  const mode = record.failure_mode ?? 'unset';
  const counted = /\.(\d+)-of-\d+(?:\.|$)/.exec(record.trial_name ?? '')?.[1];
  const verdict: Trial['verdict'] = record.is_resolved === null ? 'missing' : record.is_resolved ? 'pass' : 'fail';
  const tokens = [record.total_input_tokens, record.total_output_tokens].filter((each) => typeof each === 'number');
  return {
    task: record.task_id,
    repeat: counted === undefined ? undefined : Number(counted),
    verdict,
    exception: mode === 'unset' || mode === 'none' ? null : { type: mode, message: '' },
    // Without a verdict the tests never gave their word; only the agent's own clock is the harness's doing.
    infrastructure: verdict === 'missing' && mode !== 'agent_timeout',
    started: record.trial_started_at,
    seconds: secondsBetween(record.trial_started_at, record.trial_ended_at),
    tokens: tokens.length === 0 ? null : tokens.reduce((sum, each) => sum + each, 0),
    output: record.trial_name ?? record.task_id,
  };
}
