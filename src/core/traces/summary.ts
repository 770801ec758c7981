import type { Step, StepSummary } from './model';

const PREVIEW = 400;
const CALL_PREVIEW = 160;

/** What a row of the list shows of a step. A step without text shows its first result or its reasoning. */
export function summaryOf(step: Step): StepSummary {
  const result = step.results.map((one) => one.text).join('\n');
  const shown = [step.text, result, step.reasoning ?? ''].find((text) => text.trim() !== '') ?? '';
  return {
    n: step.n,
    kind: step.kind,
    ...(step.event === undefined ? {} : { event: step.event }),
    preview: plain(shown, PREVIEW),
    textLength: step.text.length + result.length,
    calls: step.calls.map((call) => ({
      name: plain(call.name, 80),
      preview: plain(argumentsPreview(call.args), CALL_PREVIEW),
    })),
    isError: step.results.some((one) => one.isError) || step.event === 'format_error' || step.event === 'exception',
    tokensOut: step.tokens?.output ?? null,
    ...(step.time === undefined ? {} : { time: step.time }),
    ...(step.copied === undefined ? {} : { copied: step.copied }),
  };
}

/** The one argument that says most (a command, a path), else the arguments as JSON. */
function argumentsPreview(args: unknown): string {
  if (typeof args === 'string') return args;
  const values = typeof args === 'object' && args !== null ? Object.values(args) : [];
  if (values.length === 1 && typeof values[0] === 'string') return values[0];
  return JSON.stringify(args) ?? '';
}

/** One line without control characters, cut to `limit`; never ends in half a surrogate pair. */
function plain(text: string, limit: number): string {
  const cleaned = text
    .slice(0, limit * 4)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal output holds escape sequences and bells
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim();
  return cleaned.length <= limit ? cleaned : cleaned.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}
