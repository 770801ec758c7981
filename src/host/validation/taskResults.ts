import type { RunManifest, Trial } from '../../core/validation/model';

/** How a task ended, in the terms of the Testing view. */
export interface TaskResult {
  task: string;
  state: 'passed' | 'failed' | 'errored';
  /** "candidate 2 of 5, baseline 4 of 5" */
  words: string;
  /** "2/5" of the arm that is judged, and of the baseline beside it; null where only one arm ran. */
  judged: string;
  baseline: string | null;
  seconds: number;
}

interface Tally {
  passed: number;
  of: number;
  missing: number;
}

/** Results of the tasks whose trials are all there. Infrastructure failures are errors, never failures. */
export function finishedTasks(manifest: RunManifest, trials: readonly Trial[]): TaskResult[] {
  return manifest.tasks.flatMap((task) => {
    const own = trials.filter((trial) => trial.task === task);
    if (own.length < manifest.trials * manifest.arms.length) return [];
    const tallies = manifest.arms.map(({ arm }) => ({ arm, ...tally(own.filter((trial) => trial.arm === arm)) }));
    const judged = tallies.at(-1)!;
    const words = [...tallies].reverse().map(armWords).join(', ');
    const state = judged.of === 0 ? 'errored' : judged.passed * 2 > judged.of ? 'passed' : 'failed';
    const before = tallies.length > 1 ? tallies[0] : undefined;
    return [
      {
        task,
        state,
        words,
        judged: `${judged.passed}/${judged.of}`,
        baseline: before ? `${before.passed}/${before.of}` : null,
        seconds: own.reduce((sum, trial) => sum + trial.seconds, 0),
      } as const,
    ];
  });
}

function tally(trials: readonly Trial[]): Tally {
  const judged = trials.filter((trial) => trial.verdict !== 'missing');
  return {
    passed: judged.filter((trial) => trial.verdict === 'pass').length,
    of: judged.length,
    missing: trials.length - judged.length,
  };
}

function armWords({ arm, passed, of, missing }: Tally & { arm: string }): string {
  if (of === 0) return `${arm} no verdict in ${missing}`;
  return `${arm} passed ${passed} of ${of}${missing ? `, no verdict in ${missing}` : ''}`;
}

/**
 * One line of output for a trial; line ends as the Testing view wants them. It is shown by a terminal, and nothing that a
 * harness or a task wrote may steer that.
 */
export function trialLine(trial: Trial): string {
  const message = trial.exception?.message.split(/[\r\n]/)[0];
  const reason = trial.exception ? ` (${trial.exception.type}: ${message})` : '';
  const verdict = trial.verdict === 'missing' ? 'no verdict' : trial.verdict === 'pass' ? 'passed' : 'failed';
  const line = `${trial.task}  ${trial.arm} ${trial.repeat}  ${verdict}${reason}  ${trial.seconds.toFixed(1)} s`;
  return `${line.replace(/\p{Cc}/gu, ' ')}\r\n`;
}

/** Trace of the newest failed trial of a task, of the candidate where there is one; null without a trace. */
export function failingTrace(trials: readonly Trial[], task: string): string | null {
  const failed = trials.filter((trial) => trial.task === task && trial.verdict !== 'pass' && trial.trace !== null);
  return (failed.findLast((trial) => trial.arm === 'candidate') ?? failed.at(-1))?.trace ?? null;
}
