export { cleanLeftovers, type Leftovers } from './cleanLeftovers';
export { type CreateRunRequest, createRun } from './createRun';
export { type ExecuteOptions, executeRun, RunLockedError, type RunResult } from './executeRun';
export { listRuns, type RunList, type RunRecord, readManifest, readRun } from './runStore';
export { keyOf, planTrials, readTrials, type TrialKey, uniqueTrials } from './trialLog';
