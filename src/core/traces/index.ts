export { addToCatalog, type Catalog, loadCatalog, removeFromCatalog } from './catalog';
export { compareTraces, TraceComparison } from './compare';
export { compareRuns } from './contrast/compareRuns';
export { groupDocument, groupRuns, RunConfiguration, type RunGroup, RunGroupDocument } from './contrast/groups';
export { AlignedRow, RunAlignment, RunDivergence, TurnSummary } from './contrast/model';
export { type PromptDiff, promptDiff } from './contrast/promptDiff';
export { digestTrace } from './digest';
export { type DigestOptions, digestRuns } from './digestRuns';
export { type FollowedTrace, followTrace, type Growth } from './follow';
export { type ImportResult, importTraces, type OutcomeFile } from './import';
export { type MeasuredRun, measureRun, measureStep } from './metrics/measureRun';
export { Fingerprint, Preamble, RunMetrics, StepMetrics } from './metrics/model';
export { loadPrices, type PriceTable, priceTable } from './metrics/prices';
export {
  Outcome,
  RawRange,
  Step,
  StepKind,
  StepSummary,
  Tokens,
  ToolCall,
  ToolResult,
  TraceRun,
  UnknownFile,
} from './model';
export { openTrace, type TraceReader } from './open';
export { RunRelations, StepRelations } from './relations/model';
export { relateRun, relationsOfStep } from './relations/relateRun';
export { summaryOf } from './summary';
