import type { Step } from '../../core/traces/model';

/** True when every word occurs in the step's texts, names or arguments, in any case. No word fits every step. */
export function matchesWords(step: Step, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const haystack = searchable(step).toLowerCase();
  return words.every((word) => haystack.includes(word));
}

function searchable(step: Step): string {
  const calls = step.calls.flatMap((call) => [call.name, ...argumentTexts(call.args, 0)]);
  const results = step.results.map((result) => result.text);
  return [step.text, step.reasoning ?? '', step.event ?? '', ...calls, ...results].join('\n');
}

/** Arguments nest; deeper ones than these are found in their JSON. */
const deepest = 8;

/** Strings as they are, not as JSON writes them: a search for `"a"` must find it in a command. */
function argumentTexts(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (depth > deepest) return [JSON.stringify(value) ?? ''];
  if (Array.isArray(value)) return value.flatMap((one) => argumentTexts(one, depth + 1));
  return Object.entries(value).flatMap(([key, one]) => [key, ...argumentTexts(one, depth + 1)]);
}
