import type { Step, TraceRun } from '../../core/traces/model';
import { argumentsText } from './stepBody';
import { runName, whoSpeaks } from './words';

/** Longer texts are not put on the clipboard; the file can be opened as text. */
export const copyLimit = 20_000_000;

/** A step as JSON, in the shape of `harnessmith traces show --json`. */
export function stepAsJson(step: Step): string {
  return `${JSON.stringify(step, null, 2)}\n`;
}

/** A step as Markdown to paste into an issue: where it is from, then its texts in fences that they cannot leave. */
export function stepAsMarkdown(step: Step, run: TraceRun): string {
  const who = whoSpeaks(step.kind, step.event, step.n, false);
  const parts = [`**Step ${step.n} (${who})** of ${inline([run.task, runName(run)].filter(Boolean).join(' - '))}`];
  if (step.reasoning) parts.push(`reasoning:\n\n${fenced(step.reasoning)}`);
  if (step.text) parts.push(fenced(step.text));
  for (const call of step.calls) parts.push(`call ${inline(call.name)}:\n\n${fenced(argumentsText(call.args))}`);
  for (const result of step.results) parts.push(`result${result.isError ? ' (error)' : ''}:\n\n${fenced(result.text)}`);
  return `${parts.join('\n\n')}\n`;
}

/** The texts of a step one below the other, to compare with another step's. */
export function stepAsText(step: Step): string {
  const calls = step.calls.map((call) => `${call.name}\n${argumentsText(call.args)}`);
  return [step.reasoning ?? '', step.text, ...calls, ...step.results.map((result) => result.text)]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** A code block with a fence longer than any inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function inline(text: string): string {
  return `\`${text.replace(/\s+/g, ' ').replaceAll('`', "'")}\``;
}
