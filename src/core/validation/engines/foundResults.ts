import { join } from 'node:path';
import type { Trial } from '../model';
import type { ResultReader } from '../results/resultReader';
import { exceptionOf, isInfrastructure } from './ends';
import type { TrialEnd, TrialOutcome, TrialRequest } from './engine';
import { existingInside } from './judged';

/**
 * The outcome of one trial from the results that a tool left below `{out}`. A tool may say by its exit code that the task
 * was not solved, so the end of the process matters only where there is no verdict.
 */
export async function outcomeFrom(
  reader: ResultReader,
  folder: string,
  end: TrialEnd,
  { task, out }: TrialRequest,
): Promise<TrialOutcome> {
  const path = await existingInside(out, folder);
  const trials = path !== null && (await reader.recognizes(path)) ? await reader.read(path) : [];
  const own = trials.filter((trial) => isOf(trial, task));
  const found = own.find(({ verdict }) => verdict !== 'missing') ?? own[0];
  const left = found ?? noResult(folder);
  const stopped = end.kind === 'exited' ? null : exceptionOf(end);
  const missing = left.verdict === 'missing';
  return {
    verdict: left.verdict,
    reward: left.reward,
    exception: stopped ?? left.exception ?? (missing ? exceptionOf(end) : null),
    infrastructure: missing && (isInfrastructure(end) || (end.kind === 'exited' && left.infrastructure)),
    tokens: left.tokens,
    costUsd: left.costUsd,
    trace: left.trace === null ? null : await existingInside(out, join(folder, left.trace)),
  };
}

/** Tools put the name of a dataset or an organization before the name of a task. */
function isOf(trial: Trial, task: string): boolean {
  return trial.task === task || trial.task.endsWith(`/${task}`);
}

function noResult(folder: string): Pick<Trial, keyof TrialOutcome & keyof Trial> {
  return {
    verdict: 'missing',
    reward: null,
    exception: { type: 'ResultMissing', message: `The tool left no result of the task in ${folder}.` },
    infrastructure: true,
    tokens: null,
    costUsd: null,
    trace: null,
  };
}
