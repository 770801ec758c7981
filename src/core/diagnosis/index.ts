export { consolidate } from './consolidate';
export { type DiagnoseInput, diagnoseRun } from './diagnoseRun';
export { Finding, FlawRecord, WhyLabel } from './model';
