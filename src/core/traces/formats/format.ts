import type { WorkOptions } from '../../progress';
import type { Outcome, Step, Tokens } from '../model';
import type { TraceHead } from '../reading/head';
import type { ByteRange, TraceSource } from '../reading/source';

/** Facts about a run that a format finds in the trace itself; what is not there stays null. */
export interface RunFacts {
  formatVersion: string | null;
  sessionId: string | null;
  /** A short text to recognise the run by when it has no task, such as the first user message. */
  title: string | null;
  task: string | null;
  trial: string | null;
  agent: string | null;
  agentVersion: string | null;
  model: string | null;
  exitStatus: string | null;
  tokens: Tokens;
  costUsd: number | null;
  /** For formats that hold the verdict themselves, such as evaluation logs. */
  outcome: Outcome | null;
  /** Scores by name, as recorded. */
  scores: Record<string, unknown> | null;
  /** Set by the format when it knows better than the rules of the tally. */
  endsTruncated: boolean;
  /** Class names of harness parts, when the header gives them. */
  components: string[];
  /** Files that sub-agents of this run wrote. */
  memberFiles: string[];
  /** Files that hold parts of this run, one record each; they are no runs of their own. */
  partFiles: string[];
  /** True for a run that the first run of the same file started. */
  ofFirst: boolean;
  /** The version of the harness that made the run, where an optimizer tries several. */
  candidate: string | null;
  /** When known for the run as a whole; else the sum over the steps counts. */
  subagentRuns: number | null;
}

/** A step without its number and place; those are added by whoever collects the steps. */
export type StepBody = Omit<Step, 'n' | 'raw'>;

/** What a step adds to the counts of its run. Results and errors are counted from the body. */
export interface StepCounts {
  modelTurn?: boolean;
  userMessage?: boolean;
  compaction?: boolean;
  subagentRuns?: number;
}

/** What must be remembered of a step to build it again from its records. */
export type StepHint = string | number | readonly (string | number)[] | undefined;

export interface StepDraft {
  body: StepBody;
  ranges: ByteRange[];
  hint?: StepHint;
  counts: StepCounts;
}

/** Where a format puts what it reads of one run. */
export interface TraceSink {
  facts(facts: Partial<RunFacts>): void;
  step(draft: StepDraft): void;
  /** A time seen in the trace; the earliest and latest become the start and end of the run. */
  time(iso: string | null): void;
  warn(message: string): void;
}

/** What a format is given: the sink of the file's one run, and sinks of more runs where a file holds several. */
export interface FileSink extends TraceSink {
  /** The run with this key, in order of first use. When no run is asked for, the sink itself is the only run. */
  run(key: string): TraceSink;
  /**
   * True when another run of the file was asked for, so that this one need not be read. It must be asked for each run in
   * the order of the file; it then counts as a run.
   */
  skip(key: string): boolean;
  /** Says that the file is of this format but holds no run, and why; it is listed as not read then. */
  nothing(reason: string): void;
}

/** One trace format: one file in this folder and one line in the registry. */
export interface TraceFormat {
  id: string;
  /** What people call it. */
  title: string;
  /** What was looked for, in words, for the reason given for unknown files. */
  looksFor: string;
  /** True when files of this format hold verdicts only; such a run is left out where a trace uses the verdict. */
  verdictOnly?: boolean;
  /** True when records are handed on as text instead of being parsed as JSON. */
  text?: boolean;
  /** How sure the content is of this format, 0 (no) to 1. */
  sniff(head: TraceHead): number;
  /** Reads the whole trace in one pass, step by step; bad places become warnings, never errors. */
  read(source: TraceSource, head: TraceHead, sink: FileSink, work: WorkOptions): Promise<void>;
  /** Builds one step again from its records, in the order of its ranges. */
  stepOf(records: readonly unknown[], hint: StepHint): StepBody;
}
