import { diffLines } from 'diff';
import type { Step } from '../model';

/** Two texts for a diff view, and how much differs. */
export interface PromptDiff {
  before: { step: number; text: string };
  after: { step: number; text: string };
  /** Lines that stand on one side only; null when the texts are too different to count them quickly. */
  added: number | null;
  removed: number | null;
  /** Lines of `after` that stand in `before` too, as a share of its lines; 1 for equal texts. */
  kept: number;
}

/** Edits after which two texts have little in common. */
const MOST_EDITS = 4000;

/**
 * The texts of two steps of one run or of two: what each says, its results, and its calls as JSON. Nothing is shortened, so a
 * diff view can show all of it.
 */
export function promptDiff(first: Step, second: Step): PromptDiff {
  const [before, after] = [promptText(first), promptText(second)];
  const changes = diffLines(before, after, { maxEditLength: MOST_EDITS });
  const count = (one: 'added' | 'removed') =>
    changes === undefined
      ? null
      : changes.filter((change) => change[one]).reduce((sum, change) => sum + change.count, 0);
  const lines = after.split('\n');
  const known = new Set(before.split('\n'));
  return {
    before: { step: first.n, text: before },
    after: { step: second.n, text: after },
    added: count('added'),
    removed: count('removed'),
    kept: lines.filter((line) => known.has(line)).length / lines.length,
  };
}

/** What a step put before the model: its text, the results in it, and the calls as JSON. */
function promptText(step: Step): string {
  const parts = [step.text, ...step.results.map((result) => result.text)];
  for (const call of step.calls) parts.push(`${call.name} ${JSON.stringify(call.args, null, 2)}`);
  return parts.filter((part) => part !== '').join('\n\n');
}
