import type { Step } from '../model';
import { isTime } from '../reading/fields';
import { costOf } from './cost';
import type { StepMetrics } from './model';
import type { PriceTable } from './prices';

/** Characters of a token in English text and code, roughly; other languages have fewer. */
export const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text, estimated by its length. */
export function estimatedTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Numbers of a step. `before` is the last time stamp before it; `model` the run's, for steps that name none. */
export function metricsOfStep(
  step: Step,
  prices: PriceTable,
  model: string | null,
  before: string | null,
): StepMetrics {
  const recorded = step.costUsd ?? null;
  const computed = recorded === null ? costOf(step.tokens, step.model ?? model, prices) : null;
  const measured = secondsBetween(before, step.time ?? null);
  const seconds = step.seconds ?? measured;
  const texts = [step.text, step.reasoning ?? '', ...step.results.map((result) => result.text)];
  for (const call of step.calls) texts.push(JSON.stringify(call.args) ?? '');
  return {
    step: step.n,
    tokens: step.tokens ?? null,
    costUsd: recorded ?? computed?.usd ?? null,
    costOrigin: recorded === null ? (computed?.origin ?? null) : 'recorded',
    seconds,
    secondsOrigin: seconds === null ? null : step.seconds === undefined ? 'timestamps' : 'recorded',
    estimatedTokens: texts.reduce((sum, text) => sum + estimatedTokens(text), 0),
  };
}

/** Seconds from one time stamp to the next; null when one is missing or the clock went back. */
export function secondsBetween(before: string | null, after: string | null): number | null {
  if (!isTime(before) || !isTime(after)) return null;
  const seconds = (Date.parse(after) - Date.parse(before)) / 1000;
  return seconds < 0 ? null : seconds;
}
