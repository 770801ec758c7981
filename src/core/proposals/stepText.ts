import type { Step } from '../traces';

/** A step as a model is shown it: what was said, called and answered. */
export function stepText(step: Step): string {
  const calls = step.calls.map((call) => `call ${call.name} ${JSON.stringify(call.args)}`);
  const results = step.results.map((result) => `${result.isError ? 'error' : 'result'}: ${result.text}`);
  return [step.text, ...calls, ...results].filter(Boolean).join('\n');
}
