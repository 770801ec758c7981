import type { Preamble, RunMetrics, StepMetrics, StepRelations } from '../core/traces';
import { counted, money } from './words';

/** Numbers of a run in a few lines. */
export function metricsText(metrics: Omit<RunMetrics, 'steps'>): string[] {
  const { tokens, fingerprint: print, preamble } = metrics;
  const lines = [
    `tokens: ${tokens.input ?? 'no'} in, ${tokens.output ?? 'no'} out${tokens.cached === null ? '' : `, ${tokens.cached} cached`}; cost: ${cost(metrics.costUsd, metrics.costOrigin)}${metrics.seconds === null ? '' : `; ${duration(metrics.seconds)}`}`,
    `${counted(print.turns, 'turn')}, ${print.noActionTurns} without action; ${counted(print.calls, 'call')}, ${counted(print.toolErrors, 'error')}, ${counted(print.repeats, 'repeat')}, ${print.retries} retried; ${counted(print.truncatedResults, 'truncated result')}, ${counted(print.compactions, 'compaction')}`,
  ];
  if (print.tools.length > 0)
    lines.push(`tools: ${print.tools.map(({ name, calls }) => `${name} ${calls}`).join(', ')}`);
  if (preamble !== null) lines.push(preambleLine(preamble));
  return lines;
}

function preambleLine(preamble: Preamble): string {
  const parts = [
    `first call, step ${preamble.step}: ${preamble.recordedInput ?? 'no'} tokens of input recorded`,
    preamble.systemPrompt === null ? 'system prompt not in the trace' : `system prompt about ${preamble.systemPrompt}`,
    preamble.toolSchemas === null
      ? 'tool schemas not in the trace'
      : `tool schemas about ${preamble.toolSchemas}${preamble.toolSchemasOrigin === 'remainder' ? ' (what remains)' : ''}`,
  ];
  if (preamble.userMessages !== null) parts.push(`user messages about ${preamble.userMessages}`);
  return `${parts.join(', ')} (estimates: ${preamble.estimate})`;
}

/** Numbers of one step in a line. */
export function stepMetricsLine(metrics: StepMetrics): string {
  const parts: string[] = [];
  const { tokens } = metrics;
  if (tokens !== null) parts.push(`${tokens.input ?? 'no'} tokens in, ${tokens.output ?? 'no'} out`);
  parts.push(`about ${counted(metrics.estimatedTokens, 'token')} of text`);
  if (metrics.costUsd !== null) parts.push(cost(metrics.costUsd, metrics.costOrigin));
  if (metrics.seconds !== null)
    parts.push(
      `${duration(metrics.seconds)}${metrics.secondsOrigin === 'timestamps' ? ' since the time stamp before' : ''}`,
    );
  return parts.join('; ');
}

function cost(usd: number | null, origin: string | null): string {
  if (usd === null) return 'not recorded, and no price is known';
  return origin === 'recorded' || origin === null ? money(usd) : `${money(usd)} (${origin})`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 0))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** What a step has to do with others, a line each. */
export function relationLines(relations: StepRelations): string[] {
  const lines: string[] = [];
  if (relations.retryOf !== undefined) lines.push(`tries again what failed in step ${relations.retryOf}`);
  if (relations.repeatOf !== undefined) lines.push(`repeats the call of step ${relations.repeatOf}`);
  if (relations.causedByError !== undefined) lines.push(`answers the error in step ${relations.causedByError}`);
  for (const flow of relations.flow ?? []) {
    const where = { prompt: 'prompt', observation: 'observation', model: 'first used by the model', nowhere: '' };
    const from = flow.step === null ? 'nothing before it holds it' : `${where[flow.origin]}, step ${flow.step}`;
    lines.push(`value ${flow.value}: ${from}${flow.nameOnly ? ' (only the last part of the path)' : ''}`);
  }
  const { context } = relations;
  if (context?.copied) lines.push('context: copied from an earlier run');
  if (context?.compacted)
    lines.push(`context: steps ${context.compacted.from} to ${context.compacted.to} were compacted away`);
  for (const { mark, missing } of context?.truncated ?? [])
    lines.push(
      `context: truncated by the harness, ${missing ? counted(missing.count, missing.unit) : 'amount not told'}: ${mark}`,
    );
  if (context?.input) {
    const { since, kept, added, dropped, shortened } = context.input;
    lines.push(
      `context: since the model call of step ${since}, ${counted(kept, 'message')} kept, ${added} new, ${dropped} gone, ${shortened} shortened`,
    );
  }
  for (const { run } of relations.starts ?? []) lines.push(`starts a sub-agent${run === null ? '' : `: ${run}`}`);
  if (relations.branch) lines.push('the run goes on from here on another branch');
  return lines;
}
