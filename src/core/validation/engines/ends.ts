import type { TrialEnd, TrialOutcome } from './engine';

/** Why a process ended otherwise than by exit code 0 or 1; null when it did not. */
export function exceptionOf(end: TrialEnd): TrialOutcome['exception'] {
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

/** A timeout is the harness's own doing; all other ends than exit 0 and 1 are blamed on the environment. */
export function isInfrastructure(end: TrialEnd): boolean {
  return end.kind === 'signalled' || end.kind === 'not started' || (end.kind === 'exited' && end.code > 1);
}

/** Rewards below 1 are kept, and are no pass: partial credit does not solve a task. */
export function verdictOf(reward: number | null): TrialOutcome['verdict'] {
  if (reward === null) return 'missing';
  return reward >= 1 ? 'pass' : 'fail';
}

/** How a process ended, for a sentence about it. */
export function endWords(end: TrialEnd): string {
  switch (end.kind) {
    case 'exited':
      return `ended with exit code ${end.code}`;
    case 'signalled':
      return `was ended by ${end.signal}`;
    case 'timed out':
      return `was still running after ${end.seconds} s`;
    case 'not started':
      return `did not start: ${end.message}`;
  }
}
