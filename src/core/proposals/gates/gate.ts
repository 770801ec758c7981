import type { BaseTexts } from '../hunks';
import type { GateResult, Hunk, Proposal } from '../model';
import type { Premise } from '../proposerPrompt';

/** What a gate may look at. Nothing in it may be changed. */
export interface GateContext {
  proposal: Pick<Proposal, 'id' | 'decisions' | 'declares'>;
  hunks: readonly Hunk[];
  /** Text of each touched file before, and with all hunks; null for "does not exist". */
  baseTexts: BaseTexts;
  proposedTexts: BaseTexts;
  /** Patterns of `protected` in harness.json. */
  protectedPatterns: readonly string[];
  /** Names of the tasks of the suites, and the texts that tell the agent what to do. */
  tasks: { names: readonly string[]; instructions: readonly string[] };
  premises: readonly Premise[];
  /** Syntax errors of a text, by the language of its path; absent where no parser is at hand. */
  syntaxErrors?: (path: string, text: string) => Promise<readonly { line: number; message: string }[]>;
}

export type GateProblem = GateResult['problems'][number];

/** One check of a proposal. A failing gate labels the proposal and never hides it. */
export interface Gate {
  id: string;
  /** The problems, none when it passes; null when there is nothing it could check with. */
  check(context: GateContext): GateProblem[] | null | Promise<GateProblem[] | null>;
}

/** Lines that hunks add, each with its line number in the proposed file. */
export function* addedLines(context: GateContext): Generator<{ file: string; line: number; text: string }> {
  for (const file of context.baseTexts.keys()) {
    let shift = 0;
    const own = context.hunks.filter((hunk) => hunk.file === file).sort((a, b) => a.baseStart - b.baseStart);
    for (const hunk of own) {
      for (const [index, text] of hunk.added.entries()) yield { file, line: hunk.baseStart + shift + index, text };
      shift += hunk.added.length - hunk.removed.length;
    }
  }
}
