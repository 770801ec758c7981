import { diffLines } from 'diff';

/** Shorter texts are read faster than a note about them. */
const fewestCharacters = 300;
const fewestLines = 4;
/** Texts of more lines are shown whole; comparing them would take longer than reading on. */
const mostLines = 5000;
/** Share of lines that an earlier text must have in common. */
const enoughInCommon = 0.6;
/** Prompts that are remembered; a run has few kinds of them. */
const remembered = 6;

interface Prompt {
  n: number;
  lines: Set<string>;
}

/** Finds texts that repeat an earlier one with a few lines changed, as prompts do that are sent again each turn. */
export class RepeatedPrompts {
  private readonly prompts: Prompt[] = [];

  /** The earlier step that this text mostly repeats, with the number of lines that differ; null for a new text. */
  add(n: number, text: string): { of: number; changed: number } | null {
    if (text.length < fewestCharacters) return null;
    const lines = linesOf(text);
    if (lines.size < fewestLines || lines.size > mostLines) return null;
    let best: { of: number; changed: number; common: number } | null = null;
    for (const prompt of this.prompts) {
      let common = 0;
      for (const line of lines) if (prompt.lines.has(line)) common++;
      const share = common / Math.max(lines.size, prompt.lines.size);
      if (share < enoughInCommon || (best && best.common >= common)) continue;
      best = { of: prompt.n, changed: lines.size - common + (prompt.lines.size - common), common };
    }
    if (best) return { of: best.of, changed: best.changed };
    this.prompts.push({ n, lines });
    if (this.prompts.length > remembered) this.prompts.shift();
    return null;
  }
}

function linesOf(text: string): Set<string> {
  return new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  );
}

/** Edits that `diffLines` may need; beyond them the texts have little in common. */
const mostEdits = 2000;

/** The lines that a text adds to (`+`) and drops from (`-`) an earlier one; null when they are too different. */
export function changedLines(before: string, after: string): string | null {
  const changes = diffLines(before, after, { maxEditLength: mostEdits });
  if (!changes) return null;
  return changes
    .filter((change) => change.added || change.removed)
    .flatMap((change) =>
      change.value
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${change.added ? '+' : '-'} ${line}`),
    )
    .join('\n');
}
