import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import type { Outcome } from '../model';
import { parseLenient } from '../reading/lenientJson';
import {
  InstanceReport,
  KeyedReport,
  RewardFile,
  RunSummary,
  TerminalBenchResult,
  TerminalBenchResults,
} from './schemas';

/** A verdict without its source, or null when the file says nothing about this run. */
export type Verdict = Pick<Outcome, 'verdict' | 'reward' | 'exception'> & {
  task?: string | null;
  trial?: string | null;
};

const SIDECAR_CAP = 64 * 1024 * 1024;

/** Text of a small file beside a trace, or null when it is missing, too large or unreadable. */
export async function sidecarText(file: string): Promise<string | null> {
  try {
    const stats = await stat(file);
    return stats.isFile() && stats.size <= SIDECAR_CAP ? await readFile(file, 'utf8') : null;
  } catch {
    return null;
  }
}

/** The file as JSON of a schema, or null when it is missing or something else. */
export async function sidecarJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await sidecarText(file);
  const value = text === null ? null : parseLenient(text.replace(/^\uFEFF/, ''));
  const checked = value === null ? null : schema.safeParse(value.value);
  return checked?.success ? checked.data : null;
}

/**
 * The verdict of rewards by name: `reward` when there is one, else the lowest. Full reward (1) passes; a fraction
 * does not, and is shown as the number it is.
 */
export function verdictOfRewards(rewards: Readonly<Record<string, number | null>>): Verdict | null {
  const numbers = Object.values(rewards).filter((value) => value !== null);
  const reward = rewards.reward ?? (numbers.length === 0 ? null : Math.min(...numbers));
  return reward === null ? null : verdictOf(reward);
}

/** The verdict of one reward; without one it is missing. */
export function verdictOf(reward: number | null): Verdict {
  return { verdict: reward === null ? 'missing' : reward >= 1 ? 'pass' : 'fail', reward, exception: null };
}

/** `reward.txt`: one number; an empty file is a missing verdict. */
export async function readRewardText(file: string): Promise<Verdict | null> {
  const text = (await sidecarText(file))?.trim();
  if (text === undefined) return null;
  const reward = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(reward) ? verdictOfRewards({ reward }) : verdictOf(null);
}

export async function readRewardJson(file: string): Promise<Verdict | null> {
  const value = await sidecarJson(file, RewardFile);
  return value === null ? null : verdictOfRewards(typeof value === 'number' ? { reward: value } : value);
}

/** SWE-bench `report.json`: the inner object of one instance, or keyed by instance id. */
export async function readReport(file: string, task: string | null): Promise<Verdict | null> {
  const keyed = await sidecarJson(file, KeyedReport);
  const entry = keyed === null || task === null ? undefined : keyed[task];
  if (entry !== undefined) return resolved(entry.resolved);
  const inner = await sidecarJson(file, InstanceReport);
  return inner === null ? null : resolved(inner.resolved);
}

/** A summary of a whole run. Instances that were not submitted have no verdict: that is not a failure. */
export async function readSummary(file: string, task: string | null): Promise<Verdict | null> {
  const summary = task === null ? null : await sidecarJson(file, RunSummary);
  if (summary === null || task === null) return null;
  const has = (...lists: (readonly string[] | number | null | undefined)[]) =>
    lists.some((list) => Array.isArray(list) && list.includes(task));
  if (has(summary.resolved_ids, summary.resolved, summary.resolved_instances)) return resolved(true);
  if (has(summary.error_ids)) return verdictOf(null);
  const judged = has(
    summary.unresolved_ids,
    summary.unresolved_instances,
    summary.completed_ids,
    summary.completed_instances,
    summary.submitted_ids,
    summary.empty_patch_ids,
  );
  return judged ? resolved(false) : null;
}

/** terminal-bench 1: one trial, or the trial of this name in a list. A timeout is no verdict of its own. */
export async function readTerminalBench(file: string, names: readonly string[]): Promise<Verdict | null> {
  const list = (await sidecarJson(file, TerminalBenchResults))?.results;
  const one = list?.find((result) => names.includes(result.trial_name ?? '') || names.includes(result.task_id ?? ''));
  const found = one ?? (list === undefined ? await sidecarJson(file, TerminalBenchResult) : null);
  if (!found) return null;
  const exception = ['unset', 'none', ''].includes(found.failure_mode ?? '') ? null : (found.failure_mode ?? null);
  const about = { task: found.task_id ?? null, trial: found.trial_name ?? null };
  const verdict = found.is_resolved === null ? verdictOf(null) : resolved(found.is_resolved);
  return { ...verdict, exception, ...about };
}

function resolved(passed: boolean): Verdict {
  return verdictOf(passed ? 1 : 0);
}
