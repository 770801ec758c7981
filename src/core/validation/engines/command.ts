import { stat } from 'node:fs/promises';
import { realInside } from '../../harness';
import type { TrialEnd, TrialOutcome, TrialPlan, TrialRequest, ValidationEngine } from './engine';
import { type FileResult, readResultFile } from './resultFile';

type Exception = TrialOutcome['exception'];

/** One command a trial, judged by exit code or by a result file it leaves in `{out}`. Needs nothing installed. */
export const commandEngine: ValidationEngine = {
  id: 'command',

  plan({ suite, task, arm, repeat, seed, worktree, out }: TrialRequest): TrialPlan {
    const node = process.execPath;
    const values: Record<string, string> = { task, seed: String(seed), repeat: String(repeat), out, worktree, node };
    // One pass, so that a task named "{out}" is not expanded a second time.
    const filled = suite.command.map((part) =>
      part.replace(/\{(task|seed|repeat|out|worktree|node)\}/g, (whole, name: string) => values[name] ?? whole),
    );
    const [program = '', ...rest] = filled;
    return {
      argv: [program, ...rest],
      cwd: worktree,
      environment: {
        // Inside the desktop editor {node} is Electron, which is Node only when told so.
        ...(process.versions.electron && suite.command.includes('{node}') ? { ELECTRON_RUN_AS_NODE: '1' } : {}),
        ...suite.environment,
        HARNESSMITH_TASK: task,
        HARNESSMITH_ARM: arm,
        HARNESSMITH_SEED: String(seed),
        HARNESSMITH_REPEAT: String(repeat),
        HARNESSMITH_OUT: out,
      },
    };
  },

  async parse(end: TrialEnd, { suite, out }: TrialRequest): Promise<TrialOutcome> {
    const trace = suite.trace === undefined ? null : await existingInside(out, suite.trace);
    if (suite.result === 'exit-code') return { ...byExitCode(end), tokens: null, costUsd: null, trace };

    const found = await readResultFile(out, suite.result.file);
    const stopped = exceptionOf(end);
    return {
      verdict: verdictOf(found.reward),
      reward: found.reward,
      // What stopped the process explains more than what it left behind, so it comes first.
      exception: stopped ?? found.exception ?? problemOf(found),
      infrastructure: found.reward === null && (isInfrastructure(end) || found.malformed),
      tokens: found.tokens,
      costUsd: found.costUsd,
      trace,
    };
  },
};

/** Rewards below 1 are kept, and are no pass: partial credit does not solve a task. */
function verdictOf(reward: number | null): TrialOutcome['verdict'] {
  if (reward === null) return 'missing';
  return reward >= 1 ? 'pass' : 'fail';
}

function byExitCode(end: TrialEnd): Pick<TrialOutcome, 'verdict' | 'reward' | 'exception' | 'infrastructure'> {
  if (end.kind === 'exited' && end.code <= 1) {
    const reward = end.code === 0 ? 1 : 0;
    return { verdict: verdictOf(reward), reward, exception: null, infrastructure: false };
  }
  return { verdict: 'missing', reward: null, exception: exceptionOf(end), infrastructure: isInfrastructure(end) };
}

/** A timeout is the harness's own doing; all other ends than exit 0 and 1 are blamed on the environment. */
function isInfrastructure(end: TrialEnd): boolean {
  return end.kind === 'signalled' || end.kind === 'not started' || (end.kind === 'exited' && end.code > 1);
}

function exceptionOf(end: TrialEnd): Exception {
  switch (end.kind) {
    case 'exited':
      if (end.code <= 1) return null;
      return { type: 'CommandError', message: `The command ended with exit code ${end.code}.` };
    case 'signalled':
      return { type: 'CommandKilled', message: `The command was ended by ${end.signal}.` };
    case 'timed out':
      return { type: 'TrialTimeout', message: `The command was still running after ${end.seconds} s and was stopped.` };
    case 'not started':
      return { type: 'CommandNotStarted', message: end.message };
  }
}

function problemOf(found: FileResult): Exception {
  return found.problem === null ? null : { type: 'ResultMissing', message: found.problem };
}

async function existingInside(out: string, path: string): Promise<string | null> {
  try {
    const full = await realInside(out, path);
    await stat(full);
    return full;
  } catch {
    return null; // no trace, or one that leads outside {out}: the trial counts all the same
  }
}
