export { type CommitTree, commitTree } from './commitTree';
export { EngineId, HarnessConfig, ModelConfig, SuiteConfig } from './config';
export { type HarnessFile, looksBinary, readListed, type SkippedFile, type WalkResult, walkFiles } from './files';
export { GateConfig, GateId } from './gateConfig';
export { GitError, type GitFacts, type GitOptions, type GitResult, git, gitFacts } from './git';
export { type Harness, openHarness, readHarnessFile, realInside, resolveInside } from './harness';
export { type HistoryOptions, PastChange, readHistory } from './history';
