import { SuiteConfig } from '../../../src/core/harness';
import { type Arm, defaultRule, type RunManifest, type Trial } from '../../../src/core/validation';

/** A trial with the fields a test does not care about filled in. */
export function trial(
  task: string,
  arm: Arm,
  repeat: number,
  verdict: Trial['verdict'],
  more: Partial<Trial> = {},
): Trial {
  return {
    run: 'r-1',
    task,
    arm,
    repeat,
    seed: repeat,
    verdict,
    reward: verdict === 'missing' ? null : verdict === 'pass' ? 1 : 0,
    exception: null,
    infrastructure: false,
    exitCode: null,
    started: '2026-01-01T00:00:00.000Z',
    seconds: 1,
    tokens: null,
    costUsd: null,
    commit: 'c',
    trace: null,
    output: 'o',
    ...more,
  };
}

const letters = { p: 'pass', f: 'fail', '-': 'missing' } as const;

/** `trialsOf({ a: ['ppf', 'p-f'] })`: outcomes of a task in baseline and candidate; p passed, f failed, - missing. */
export function trialsOf(outcomes: Record<string, readonly [string, string]>): Trial[] {
  return Object.entries(outcomes).flatMap(([task, arms]) =>
    (['baseline', 'candidate'] as const).flatMap((arm, index) =>
      [...(arms[index] ?? '')].map((letter, position) =>
        trial(task, arm, position + 1, letters[letter as keyof typeof letters]),
      ),
    ),
  );
}

export function manifestOf(tasks: string[], trials: number, more: Partial<RunManifest> = {}): RunManifest {
  return {
    schemaVersion: 1,
    id: 'r-1',
    createdAt: '2026-01-01T00:00:00.000Z',
    suiteName: 'main',
    suite: SuiteConfig.parse({ tasks, command: ['run'] }),
    tasks,
    trials,
    arms: [
      { arm: 'baseline', commit: 'b', tree: 'b', label: 'HEAD' },
      { arm: 'candidate', commit: 'c', tree: 'c', label: 'p12' },
    ],
    proposal: null,
    rule: defaultRule(trials),
    state: 'finished',
    finishedAt: null,
    ...more,
  };
}
