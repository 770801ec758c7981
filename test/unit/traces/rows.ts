import type { Step } from '../../../src/core/traces';

/** A step in one line: what it is, what was said and thought, calls with arguments, results, tokens, cost, duration. */
export function rowOf(step: Step): string {
  const parts = [step.event === undefined ? step.kind : `${step.kind} ${step.event}`];
  if (step.text !== '') parts.push(JSON.stringify(step.text));
  if (step.reasoning !== undefined) parts.push(`thinks ${JSON.stringify(step.reasoning)}`);
  for (const call of step.calls) parts.push(`calls ${call.id} ${call.name} ${JSON.stringify(call.args)}`);
  for (const result of step.results)
    parts.push(`${result.isError ? 'fails' : 'answers'} ${result.callId} ${JSON.stringify(result.text)}`);
  if (step.model !== undefined) parts.push(`by ${step.model}`);
  const { tokens } = step;
  if (tokens !== undefined) {
    const cache = [tokens.cached, tokens.cacheWrite].filter((count) => count !== undefined && count !== null).join('+');
    parts.push(`tokens ${tokens.input}${cache === '' ? '' : `(${cache})`}/${tokens.output}`);
  }
  if (step.costUsd !== undefined && step.costUsd !== null) parts.push(`costs ${step.costUsd}`);
  if (step.seconds !== undefined) parts.push(`takes ${step.seconds}`);
  if (step.startsRun !== undefined) parts.push(`starts ${step.startsRun}`);
  return parts.join(' | ');
}
