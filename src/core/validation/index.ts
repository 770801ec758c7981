export { compareResultFiles, compareRuns, compareSets } from './compare';
export { engineOf, type TrialOutcome, type ValidationEngine } from './engines';
export { Arm, Candidate, isNoiseRun, RunManifest, Split, TaskComparison, Trial, Verdict, VerdictRule } from './model';
export { readTrialSet, type TrialSet } from './results';
export {
  type CreateRunRequest,
  cancelRun,
  cleanLeftovers,
  createRun,
  type ExecuteOptions,
  executeRun,
  keyOf,
  type Leftovers,
  listRuns,
  overrideVerdict,
  planTrials,
  type RunList,
  RunLockedError,
  type RunRecord,
  type RunResult,
  readManifest,
  readRun,
  readTrials,
  type WatchOptions,
  watchRun,
} from './runs';
export { points, pValue } from './sentence';
export * as statistics from './statistics';
export { findSuite, listTasks, suiteNames, taskTexts } from './suites';
export { compareTasks, majorityPasses } from './taskTable';
export {
  type BaselineReruns,
  defaultRule,
  type JudgeOptions,
  judge,
  levelAt,
  type RuleChoices,
  ruleFor,
  ruleWords,
} from './verdicts';
export { type Snapshot, snapshotWorkingTree } from './worktrees';
