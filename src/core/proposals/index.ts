export { type ApplyResult, type ApplyTarget, applyAccepted } from './apply';
export { branchOf } from './applyBranch';
export { ChangeManifest, exportChangeManifest } from './changeManifest';
export { commitAccepted, commitTaken, type ProposalCommit } from './commit';
export { composeFile, composeText } from './compose';
export { contentHash } from './contentHash';
export { type EffectiveHunk, effectiveHunks } from './editedText';
export { checkEditPath, normalizeEditPath, readEditable, type UnsavedTexts } from './editPaths';
export type { PlaceFacts, UnitFacts } from './evidence';
export { type GateContext, runGates } from './gates';
export { type GatherSources, type GatherSubject, gatherProposal } from './gather';
export { type HunkStatus, hunkStates } from './hunkStates';
export { type BaseTexts, hunksOf } from './hunks';
export { type ImportOptions, importDiff } from './importDiff';
export { listProposals, type ProposalList } from './list';
export { Decision, Edit, EvidenceRef, GateResult, Hunk, HunkState, Prediction, Proposal, Review } from './model';
export { findOverlaps } from './overlaps';
export type { LeftHunk } from './plan';
export { ProposalDamagedError, ProposalEmptyError, ReviewError } from './proposalErrors';
export {
  loadProposal,
  newProposalId,
  openProposal,
  proposalFolder,
  type StoredProposal,
  saveProposal,
  touchedFiles,
} from './proposalStore';
export { gateContext, type ProposeInput, propose } from './propose';
export { ProposerAnswer } from './proposerAnswer';
export type { Premise } from './proposerPrompt';
export { type DecidedState, decideHunks, numbersIn, reviewOf, setEdited, stateOf } from './review';
export { canUndo, undoApplied } from './undo';
export { exportUnifiedDiff } from './unifiedDiff';
