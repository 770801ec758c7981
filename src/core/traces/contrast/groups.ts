import { z } from 'zod';
import type { TraceRun } from '../model';

/** What must be the same in two runs for their difference to be chance or the task. */
export const RunConfiguration = z.object({
  agent: z.string().nullable(),
  agentVersion: z.string().nullable(),
  model: z.string().nullable(),
  /** Version of the harness, where an optimizer tries several. */
  candidate: z.string().nullable(),
});
export type RunConfiguration = z.infer<typeof RunConfiguration>;

/** Runs of one task under one configuration. */
export interface RunGroup {
  /** Null for runs without a task name; such a group never flips. */
  task: string | null;
  configuration: RunConfiguration;
  runs: TraceRun[];
  passed: number;
  /** Runs with a verdict; a missing one is no failure. */
  judged: number;
  /** Both passes and failures: chance decides, so a comparison of two of them shows what on. */
  flips: boolean;
}

/** A group as documents have it. */
export const RunGroupDocument = z.object({
  task: z.string().nullable(),
  configuration: RunConfiguration,
  runs: z.array(z.string()),
  passed: z.int(),
  judged: z.int(),
  flips: z.boolean(),
});

/**
 * Runs in groups of one task and one configuration: flipping ones first, then those with failures, then the others; by task
 * and configuration within. Runs of sub-agents stand in the group of the run that started them.
 */
export function groupRuns(runs: readonly TraceRun[]): RunGroup[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const groups = new Map<string, RunGroup>();
  for (const run of runs) {
    const main = mainRun(run, byId);
    const configuration = configurationOf(main);
    const task = main.task ?? null;
    const key = JSON.stringify([task, configuration]);
    const group = groups.get(key) ?? { task, configuration, runs: [], passed: 0, judged: 0, flips: false };
    group.runs.push(run);
    const { verdict } = run.outcome;
    if (verdict === 'pass') group.passed += 1;
    if (verdict === 'pass' || verdict === 'fail') group.judged += 1;
    group.flips = task !== null && group.passed > 0 && group.passed < group.judged;
    groups.set(key, group);
  }
  return [...groups]
    .sort(([a, one], [b, other]) => rank(one) - rank(other) || order(one.task, other.task) || (a < b ? -1 : 1))
    .map(([, group]) => group);
}

/** The group with ids instead of runs. */
export function groupDocument(group: RunGroup): z.infer<typeof RunGroupDocument> {
  return { ...group, runs: group.runs.map((run) => run.id) };
}

function configurationOf(run: TraceRun): RunConfiguration {
  return {
    agent: run.agent ?? null,
    agentVersion: run.agentVersion ?? null,
    model: run.model ?? null,
    candidate: run.candidate ?? null,
  };
}

/** Sub-agents start sub-agents; a circle of names ends at the run itself. */
function mainRun(run: TraceRun, byId: ReadonlyMap<string, TraceRun>): TraceRun {
  const seen = new Set<string>();
  let main = run;
  for (let parent = byId.get(main.memberOf ?? ''); parent !== undefined; parent = byId.get(main.memberOf ?? '')) {
    if (seen.has(parent.id)) return run;
    seen.add(parent.id);
    main = parent;
  }
  return main;
}

function rank(group: RunGroup): number {
  if (group.flips) return 0;
  return group.passed < group.judged ? 1 : 2;
}

function order(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return a === null ? 1 : b === null ? -1 : a.localeCompare(b, 'en');
}
