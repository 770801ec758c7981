export { addSuite } from './addSuite';
export { compareResultFiles, compareRuns, compareSets, reportOnFiles, reportOnRuns } from './compare';
export { engineOf, type TrialOutcome, type ValidationEngine } from './engines';
export { Arm, Candidate, isNoiseRun, RunManifest, Split, TaskComparison, Trial, Verdict, VerdictRule } from './model';
export { executorAt, type WorkerOptions, workForQueue } from './queue';
export {
  equalBudget,
  factLines,
  type GainReport,
  gainReport,
  type HistoryEntry,
  historyOf,
  orderedTasks,
  type PredictionScore,
  paretoPicks,
  type ReportFormat,
  type RunReport,
  reportFormats,
  scorePrediction,
  shareWords,
  writeReport,
} from './report';
export { readTrialSet, type TrialSet } from './results';
export {
  baselineReruns,
  type CreateRunRequest,
  cancelRun,
  cleanLeftovers,
  createRun,
  type ExecuteOptions,
  executeRun,
  extendRun,
  keyOf,
  type Leftovers,
  listRuns,
  looksAt,
  overrideVerdict,
  planTrials,
  type RunList,
  RunLockedError,
  type RunRecord,
  type RunResult,
  readManifest,
  readRun,
  readTrials,
  screeningWeights,
  type TrialExecutor,
  type WatchOptions,
  watchRun,
} from './runs';
export { points, pValue } from './sentence';
export { splitsOf } from './splits';
export * as statistics from './statistics';
export { type SuggestedSuite, suggestSuites } from './suggestSuites';
export { findSuite, listTasks, suiteNames, type TaskTexts, taskTexts } from './suites';
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
export { withheldTasks } from './withheldTasks';
export { type Snapshot, snapshotWorkingTree } from './worktrees';
