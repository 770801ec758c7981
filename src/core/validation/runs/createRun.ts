import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { InputError } from '../../errors';
import type { Harness } from '../../harness';
import { currentPerson, ensureStore, Ledger, storePaths } from '../../store';
import type { Candidate, RunManifest, Split } from '../model';
import { splitsOf } from '../splits';
import { findSuite, listTasks } from '../suites';
import { type RuleChoices, ruleFor } from '../verdicts';
import { firstParent, protectCommit, requireRepository, resolveCommit, snapshotWorkingTree } from '../worktrees';
import { looksAt } from './earlierRuns';
import { writeManifest } from './runStore';
import { drawnTasks, splitToRun } from './tasksToRun';

export interface CreateRunRequest {
  harness: Harness;
  /** May be left out when the configuration has one suite. */
  suiteName?: string;
  /** Id of the proposal that the candidate comes from. */
  proposal?: string | null;
  /**
   * Commit with the accepted hunks on top of the baseline. `same` tries the baseline against itself with other seeds (an
   * A/A run, which shows the noise). Without a candidate only the baseline is measured.
   */
  candidate?: { commit: string; label?: string } | 'same' | null;
  /** Commit of the baseline: when absent the parent of the candidate, or without one the working tree as it is. */
  baseline?: string;
  /** Repeats of each task and arm; those of the suite when absent. */
  trials?: number;
  /** A part of the suite's tasks; all when absent. */
  tasks?: string[];
  /**
   * Split of the suite to run. When absent: selection for a candidate, search for the baseline alone, where the suite has
   * splits and `tasks` are not named.
   */
  split?: Split;
  /** The sealed split is scored once a campaign; it is opened only when this is said. */
  openSealed?: boolean;
  /**
   * Draws about so many tasks by weight instead of all, to screen a candidate. What is drawn is never sealed, and such a run
   * admits nothing.
   */
  screen?: { size: number; weights?: Record<string, number>; why?: string; seed?: number };
  /** Differences from the default accept rule, declared before the run. */
  rule?: RuleChoices;
}

/**
 * Fixes everything about a run before it starts: suite, tasks, commits of both arms and the accept rule. Writes the
 * manifest and returns it; `executeRun` makes the trials.
 * @throws EnvironmentError without git; InputError for unknown suites, tasks or commits.
 */
export async function createRun(request: CreateRunRequest): Promise<RunManifest> {
  const { harness } = request;
  const facts = await requireRepository(harness.root);
  const { name, suite } = findSuite(harness, request.suiteName);
  const all = await listTasks(harness.root, name, suite);
  const taskSplits = splitsOf(name, suite, all);
  const split = await splitToRun(harness.root, name, suite, taskSplits, request);
  const within = split === undefined ? all : all.filter((task) => taskSplits?.[task] === split);
  const { tasks, screening } = drawnTasks(chosenTasks(within, name, request.tasks), request.screen);
  const trials = request.trials ?? suite.trials;
  if (!Number.isInteger(trials) || trials < 1 || trials > 1000) {
    throw new InputError(`${trials} is no number of trials.`, { code: 'trials-wrong', nextStep: 'Give 1 to 1000.' });
  }

  await ensureStore(harness.root);
  const arms = await armsOf(request, trials);
  const id = newRunId();
  const manifest: RunManifest = {
    schemaVersion: 1,
    id,
    createdAt: new Date().toISOString(),
    suiteName: name,
    suite,
    tasks,
    trials,
    arms,
    proposal: request.proposal ?? null,
    rule: ruleFor(trials, request.rule),
    state: 'interrupted', // until a runner takes it
    finishedAt: null,
    warnings: warningsOf(facts.submodules, arms),
    ...(split === undefined ? {} : { split }),
    ...(taskSplits === undefined ? {} : { taskSplits: pick(taskSplits, tasks) }),
    ...(screening === undefined ? {} : { screening }),
    earlierLooks: (await looksAt(harness.root, name, split)).length,
  };
  await mkdir(storePaths(harness.root).run(id), { recursive: true });
  for (const arm of arms) await protectCommit(harness.root, id, arm);
  await writeManifest(harness.root, manifest);
  const ledger = await Ledger.open(harness.root);
  await ledger.append({
    kind: 'run',
    at: manifest.createdAt,
    by: currentPerson(),
    run: id,
    proposal: manifest.proposal,
    state: 'created',
    ...(split === undefined ? {} : { suite: name, split, campaign: suite.campaign ?? '' }),
  });
  return manifest;
}

function pick<T>(record: Record<string, T>, keys: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)));
}

/** Sorts by time; the random part keeps two windows apart. */
function newRunId(): string {
  const time = new Date().toISOString().replace(/[-:]|\.\d+Z$/g, '');
  return `r-${time}-${randomBytes(2).toString('hex')}`;
}

function chosenTasks(all: string[], suiteName: string, wanted: string[] | undefined): string[] {
  if (wanted === undefined) return all;
  const unknown = wanted.filter((task) => !all.includes(task));
  if (unknown.length > 0 || wanted.length === 0) {
    throw new InputError(
      wanted.length === 0 ? 'No task was chosen.' : `Suite "${suiteName}" has no task ${unknown.join(', ')}.`,
      {
        code: 'task-unknown',
        nextStep: `Known tasks: ${all.slice(0, 20).join(', ')}${all.length > 20 ? ', ...' : ''}.`,
      },
    );
  }
  return all.filter((task) => wanted.includes(task));
}

async function armsOf(request: CreateRunRequest, trials: number): Promise<Candidate[]> {
  const { root } = request.harness;
  const { candidate } = request;
  const tried = candidate && candidate !== 'same' ? await resolveCommit(root, candidate.commit) : undefined;
  const named = request.baseline ?? (tried && (await firstParent(root, tried.commit)));
  const baseline = named
    ? { ...(await resolveCommit(root, named)), label: `commit ${named.slice(0, 12)}` }
    : await snapshotWorkingTree(root);
  const arms: Candidate[] = [{ arm: 'baseline', ...baseline }];
  if (candidate === 'same') {
    arms.push({ ...baseline, arm: 'candidate', label: 'the baseline with other seeds', seedOffset: trials });
  } else if (candidate && tried) {
    arms.push({ arm: 'candidate', ...tried, label: candidate.label ?? request.proposal ?? tried.commit.slice(0, 12) });
  }
  return arms;
}

function warningsOf(submodules: string[], arms: readonly Candidate[]): string[] {
  const warnings: string[] = [];
  if (submodules.length > 0) {
    warnings.push(
      `The submodules ${submodules.join(', ')} are empty in the worktrees; ` +
        'add "git submodule update --init" to "prepare" of the suite if trials need them.',
    );
  }
  const [baseline, candidate] = arms;
  if (candidate && baseline?.tree === candidate.tree) {
    warnings.push('Baseline and candidate are the same files: this run shows the noise, not an effect.');
  }
  return warnings;
}
