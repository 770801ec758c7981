import type { Trial } from '../model';

/** One kind of results that other tools leave on disk. A new kind is one file and one line in the registry. */
export interface ResultReader {
  id: string;
  /** What people should give, for the message when nothing was recognized. */
  looksFor: string;
  /** Tells by content whether a file or folder is of this kind. Never throws for what it finds there. */
  recognizes(path: string): Promise<boolean>;
  /** All trials, also those without a verdict, each repeat of a task with its own number. @throws InputError */
  read(path: string): Promise<Trial[]>;
}

/** What a result file may say about one trial. */
export interface FoundTrial {
  task: string;
  /** Counted in order of appearance when absent. */
  repeat?: number;
  verdict: Trial['verdict'];
  reward?: number | null;
  exception?: Trial['exception'];
  infrastructure?: boolean;
  started?: string | null;
  seconds?: number | null;
  tokens?: number | null;
  costUsd?: number | null;
  trace?: string | null;
  /** Place of the record, relative to what was read. */
  output: string;
}

/**
 * Records in our form. Repeats that carry no number are counted in the order given, so the caller sorts them first: result
 * files often list trials in the order they ended. Two records of one task and repeat are told apart, never dropped.
 */
export function trialsOf(run: string, found: readonly FoundTrial[]): Trial[] {
  const taken = new Map<string, Set<number>>();
  for (const { task, repeat } of found) {
    if (!taken.has(task)) taken.set(task, new Set());
    if (repeat !== undefined) taken.get(task)?.add(repeat);
  }
  const used = new Map<string, Set<number>>();
  return found.map((each) => {
    const own = used.get(each.task) ?? new Set<number>();
    used.set(each.task, own);
    const named = each.repeat !== undefined && !own.has(each.repeat) ? each.repeat : undefined;
    const repeat = named ?? firstFree(new Set([...own, ...(taken.get(each.task) ?? [])]));
    own.add(repeat);
    return trialOf(run, each, repeat);
  });
}

function firstFree(taken: ReadonlySet<number>): number {
  let repeat = 1;
  while (taken.has(repeat)) repeat++;
  return repeat;
}

function trialOf(run: string, found: FoundTrial, repeat: number): Trial {
  return {
    run,
    task: found.task,
    arm: 'baseline',
    repeat,
    seed: 0,
    verdict: found.verdict,
    reward: found.reward ?? (found.verdict === 'missing' ? null : Number(found.verdict === 'pass')),
    exception: found.exception ?? null,
    infrastructure: found.infrastructure ?? false,
    exitCode: null,
    started: found.started ?? '',
    seconds: found.seconds ?? 0,
    tokens: found.tokens ?? null,
    costUsd: found.costUsd ?? null,
    commit: '',
    trace: found.trace ?? null,
    output: found.output,
  };
}

/** Seconds from one time to another; 0 when one is missing or the clock went back. */
export function secondsBetween(start: string | null | undefined, end: string | null | undefined): number {
  const seconds = (Date.parse(end ?? '') - Date.parse(start ?? '')) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
