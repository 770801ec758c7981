import type { Step } from '../../core/traces/model';

/** True when every word occurs in the step's texts, names or arguments, in any case. No word fits every step. */
export function matchesWords(step: Step, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const haystack = searchable(step).toLowerCase();
  return words.every((word) => haystack.includes(word));
}

function searchable(step: Step): string {
  const calls = step.calls.flatMap((call) => [call.name, ...argumentTexts(call.args)]);
  const results = step.results.map((result) => result.text);
  return [step.text, step.reasoning ?? '', step.event ?? '', ...calls, ...results].join('\n');
}

/**
 * Strings as they are, not as JSON writes them: a search for `"a"` must find it in a command. Arguments nest as deep as
 * whoever wrote them liked, deeper than calls may.
 */
function argumentTexts(args: unknown): string[] {
  const texts: string[] = [];
  const waiting = [args];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) texts.push(String(value));
    else if (Array.isArray(value)) for (const one of value) waiting.push(one);
    else {
      for (const [key, one] of Object.entries(value)) {
        texts.push(key);
        waiting.push(one);
      }
    }
  }
  return texts;
}
