import type { BaseTexts } from '../hunks';
import type { GateResult, Hunk, Proposal } from '../model';
import type { Premise } from '../proposerPrompt';
import type { GateSettings } from './settings';

/** What must not find its way into a harness, because a harness is measured by it. */
export interface TaskFacts {
  names: readonly string[];
  /** Texts that tell the agent what to do. */
  instructions: readonly string[];
  /** Names of the files that tasks bring along. */
  files?: readonly string[];
  /** Values that verifiers look for. */
  answers?: readonly string[];
  /** Paths of the folders that hold tasks and their verifiers, relative to the harness. */
  folders?: readonly string[];
}

/** A definition of a text, as `symbolsIn` of core/graph gives it; lines from 1, both ends included. */
export interface Definition {
  qualname: string;
  start: number;
  end: number;
}

/** What a gate may look at. Nothing in it may be changed. */
export interface GateContext {
  proposal: Pick<Proposal, 'id' | 'decisions' | 'declares'>;
  hunks: readonly Hunk[];
  /** Text of each touched file before, and with all hunks; null for "does not exist". */
  baseTexts: BaseTexts;
  proposedTexts: BaseTexts;
  /** Text of each touched file as it is now; absent when that was not looked at. */
  currentTexts?: BaseTexts;
  /** Patterns of `protected` in harness.json. */
  protectedPatterns: readonly string[];
  tasks: TaskFacts;
  /** Texts of trace steps that the proposer was shown. */
  traceTexts?: readonly string[];
  premises: readonly Premise[];
  /** Syntax errors of a text, by the language of its path; absent where no parser is at hand. */
  syntaxErrors?: (path: string, text: string) => Promise<readonly { line: number; message: string }[]>;
  /** Definitions of a text; undefined where no parser reads such a path. */
  symbolsIn?: (path: string, text: string) => Promise<readonly Definition[] | undefined>;
  /** `gates` of harness.json; the defaults when absent. */
  settings?: GateSettings;
}

export type GateProblem = GateResult['problems'][number];

/** One check of a proposal. A failing gate labels the proposal and never hides it. */
export interface Gate {
  id: string;
  /** The problems, none when it passes; null when there is nothing it could check with. */
  check(context: GateContext, settings: GateSettings): GateProblem[] | null | Promise<GateProblem[] | null>;
}

export interface AddedLine {
  file: string;
  line: number;
  text: string;
}

/** Lines that hunks add, each with its line number in the proposed file. */
export function* addedLines(context: Pick<GateContext, 'hunks' | 'baseTexts'>): Generator<AddedLine> {
  for (const file of context.baseTexts.keys()) {
    let shift = 0;
    const own = context.hunks.filter((hunk) => hunk.file === file).sort((a, b) => a.baseStart - b.baseStart);
    for (const hunk of own) {
      for (const [index, text] of hunk.added.entries()) yield { file, line: hunk.baseStart + shift + index, text };
      shift += hunk.added.length - hunk.removed.length;
    }
  }
}
