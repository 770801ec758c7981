export { checkSteps, type StepCheck } from './adherence';
export { type Confirmation, confirmFlaws, consolidate } from './consolidate';
export { detectors } from './detectors';
export { type DiagnoseInput, diagnoseRun, promptTexts, viewOf } from './diagnoseRun';
export { type DiagnoseRunsInput, diagnoseRuns, type RunsDiagnosis } from './diagnoseRuns';
export { Finding, FlawRecord, Party, SkippedRun, WhyLabel } from './model';
