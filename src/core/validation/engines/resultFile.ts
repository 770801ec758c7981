import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { messageOf } from '../../errors';
import { realInside } from '../../harness';
import { describeIssues, isMissing } from '../../store';

/** A verifier writes a few numbers; anything larger is something else. */
const maximumBytes = 4 * 1024 * 1024;

const OptionalNumber = z.number().nullish();

/**
 * Either our own short form (`reward`, and optionally `tokens`, `costUsd`, `exception`) or the result of a Harbor trial.
 * Rewards are taken as they are here and checked afterwards, so that the message can say what was wrong.
 */
const ResultFile = z.looseObject({
  reward: z.unknown().optional(),
  tokens: OptionalNumber,
  costUsd: OptionalNumber,
  exception: z.object({ type: z.string(), message: z.string().default('') }).nullish(),
  verifier_result: z.looseObject({ rewards: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  exception_info: z.looseObject({ exception_type: z.string(), exception_message: z.string().nullish() }).nullish(),
  agent_result: z
    .looseObject({ n_input_tokens: OptionalNumber, n_output_tokens: OptionalNumber, cost_usd: OptionalNumber })
    .nullish(),
});
type ResultFile = z.infer<typeof ResultFile>;

/** The three axes of an outcome stay apart: a trial may have an exception and a reward, or neither. */
export interface FileResult {
  reward: number | null;
  exception: { type: string; message: string } | null;
  tokens: number | null;
  costUsd: number | null;
  /** Why there is no reward; null when there is one. */
  problem: string | null;
  /** True when the file is there and cannot be used: the measuring is broken, not the harness. */
  malformed: boolean;
}

/** Reads the result file of a trial. Never throws for what the command wrote; see `problem`. */
export async function readResultFile(out: string, file: string): Promise<FileResult> {
  let text: string;
  try {
    const full = await realInside(out, file);
    const found = await stat(full);
    if (!found.isFile()) return without(`The result ${file} is not a file.`, true);
    if (found.size > maximumBytes) return without(`The result file ${file} is over 4 MB.`, true);
    text = await readFile(full, 'utf8');
  } catch (error) {
    if (isMissing(error)) return without(`The command wrote no result file ${file}.`, false);
    return without(`The result file ${file} cannot be read: ${messageOf(error)}`, true);
  }
  return parseResult(text, file);
}

/** Reads the text of a result file; `source` is named in messages. */
export function parseResult(text: string, source: string): FileResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return without(`The result file ${source} is not valid JSON: ${messageOf(error)}`, true);
  }
  const parsed = ResultFile.safeParse(value);
  if (!parsed.success) {
    return without(`The result file ${source} is not as expected: ${describeIssues(parsed.error)}`, true);
  }
  const { reward, problem } = rewardOf(parsed.data, source);
  const stopped = parsed.data.exception_info;
  const usage = parsed.data.agent_result;
  return {
    reward,
    problem,
    malformed: problem !== null && hasReward(parsed.data),
    exception: stopped
      ? { type: stopped.exception_type, message: stopped.exception_message ?? '' }
      : (parsed.data.exception ?? null),
    tokens: parsed.data.tokens ?? sumOfKnown(usage?.n_input_tokens, usage?.n_output_tokens),
    costUsd: parsed.data.costUsd ?? usage?.cost_usd ?? null,
  };
}

function hasReward(result: ResultFile): boolean {
  return (result.reward ?? undefined) !== undefined || Object.keys(result.verifier_result?.rewards ?? {}).length > 0;
}

function rewardOf(result: ResultFile, source: string): { reward: number | null; problem: string | null } {
  const rewards = result.verifier_result?.rewards ?? {};
  const keys = Object.keys(rewards);
  // Harbor lets a verifier name its rewards; one of any name, or the one called "reward", is the verdict.
  const named = keys.length === 1 && keys[0] !== undefined ? rewards[keys[0]] : rewards.reward;
  const value = result.reward ?? named;
  if (value === undefined || value === null) {
    const several = keys.length > 1 ? ` It has ${keys.join(', ')}, none named "reward".` : '';
    return { reward: null, problem: `The result file ${source} has no reward.${several}` };
  }
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    const shown = typeof value === 'number' ? String(value) : JSON.stringify(value).slice(0, 80);
    return { reward: null, problem: `The reward in ${source} is ${shown}, not a number from 0 to 1.` };
  }
  return { reward: value, problem: null };
}

function sumOfKnown(...values: (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === 'number');
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function without(problem: string, malformed: boolean): FileResult {
  return { reward: null, exception: null, tokens: null, costUsd: null, problem, malformed };
}
