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
}

export interface TrialPlan {
  /** Program and arguments; never given to a shell. */
  argv: [string, ...string[]];
  cwd: string;
  /** Variables on top of those of this process. */
  environment: Record<string, string>;
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

/** One way to run trials. A new engine is one file and one line in the registry. */
export interface ValidationEngine {
  id: SuiteConfig['engine'];
  plan(request: TrialRequest): TrialPlan;
  parse(end: TrialEnd, request: TrialRequest): Promise<TrialOutcome>;
}
