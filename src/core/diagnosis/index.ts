export { consolidate } from './consolidate';
export { type DiagnoseInput, diagnoseRun } from './diagnoseRun';
export { type DiagnoseRunsInput, diagnoseRuns, type RunsDiagnosis } from './diagnoseRuns';
export { Finding, FlawRecord, SkippedRun, WhyLabel } from './model';
