export { cleanLeftovers, type Leftovers } from './cleanLeftovers';
export { cancelRun, overrideVerdict, type WatchOptions, watchRun } from './control';
export { type CreateRunRequest, createRun } from './createRun';
export { baselineReruns, looksAt } from './earlierRuns';
export { type ExecuteOptions, executeRun, RunLockedError, type RunResult } from './executeRun';
export { extendRun } from './extendRun';
export { listRuns, type RunList, type RunRecord, readManifest, readRun } from './runStore';
export { screeningWeights } from './tasksToRun';
export { keyOf, planTrials, readTrials, uniqueTrials } from './trialLog';
