import { join } from 'node:path';
import { importTraces } from '../../traces';
import { exceptionOf, isInfrastructure } from './ends';
import type { TrialEnd, TrialOutcome, TrialRequest } from './engine';
import { existingInside, judged } from './judged';

/**
 * The outcome where the tool only leaves a trace below `{out}`: tokens, cost and the trace from there, the verdict from
 * what `verify` said. Without a `verify` there is none: a submission is no success.
 */
export async function unjudged(folder: string, end: TrialEnd, request: TrialRequest): Promise<TrialOutcome> {
  const { suite, out } = request;
  const place = await existingInside(out, folder);
  const run = place === null ? undefined : (await importTraces([place])).runs.find(({ memberOf }) => !memberOf);
  const verdict = suite.verify === undefined ? withoutVerdict(end) : await judged(end, request);
  const { input = null, output = null } = run?.tokens ?? {};
  return {
    ...verdict,
    tokens: verdict.tokens ?? (input === null && output === null ? null : (input ?? 0) + (output ?? 0)),
    costUsd: verdict.costUsd ?? run?.costUsd ?? null,
    trace: verdict.trace ?? (run ? join(run.file) : null),
  };
}

function withoutVerdict(end: TrialEnd): TrialOutcome {
  const message = 'The tool gives no verdict. Add "verify" to the suite: the command that judges what it left.';
  return {
    verdict: 'missing',
    reward: null,
    exception: exceptionOf(end) ?? { type: 'NoVerdict', message },
    infrastructure: isInfrastructure(end),
    tokens: null,
    costUsd: null,
    trace: null,
  };
}
