import type { SuiteConfig } from '../../harness';
import type { Arm, Trial } from '../model';

/** What an engine is told about one trial. */
export interface TrialRequest {
  suite: SuiteConfig;
  task: string;
  arm: Arm;
  repeat: number;
  seed: number;
  /** Root of the harness inside the worktree of the arm, absolute. */
  worktree: string;
  /** Empty folder of this trial, absolute. */
  out: string;
  /** Version of the engine's tool; null for engines without one. */
  version: string | null;
}

/** Program and arguments; never given to a shell. */
export type CommandLine = [string, ...string[]];

export interface TrialPlan {
  argv: CommandLine;
  cwd: string;
  /** Variables on top of those of this process. */
  environment: Record<string, string>;
  /** Files to write before the start, by path relative to `out`. */
  files?: Record<string, string>;
  /** Started in `out` when the first command has ended by itself; its end is the one that is judged. */
  verify?: CommandLine;
}

/** How the process of a trial ended. */
export type TrialEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: string }
  | { kind: 'timed out'; seconds: number }
  | { kind: 'not started'; message: string };

/** The part of a trial record that the engine reads from how it ended and what it left. */
export type TrialOutcome = Pick<Trial, 'verdict' | 'reward' | 'exception' | 'infrastructure' | 'tokens' | 'costUsd'> & {
  /** Absolute path of the trace, null when there is none. */
  trace: string | null;
};

/** The program that an engine drives. */
export interface EngineTool {
  /** Its name on the path, where the suite has no `program`. */
  program: CommandLine;
  /** What prints its version, for the program that is used. Ends with exit code 0 where the tool is there. */
  versionCommand(program: readonly string[]): string[];
  /** Whether the adapter knows the command line and the results of a version; null where the tool prints none. */
  knows(version: string | null): boolean;
  /** The versions it knows, for people. */
  known: string;
  /** What to do where it is missing. */
  install: string;
}

/** One way to run trials. A new engine is one file and one line in the registry. */
export interface ValidationEngine {
  id: SuiteConfig['engine'];
  /** Null for engines that run what the suite says. */
  tool: EngineTool | null;
  plan(request: TrialRequest): TrialPlan;
  parse(end: TrialEnd, request: TrialRequest): Promise<TrialOutcome>;
}
