export { type ApplyResult, type ApplyTarget, applyAccepted } from './apply';
export { branchOf } from './applyBranch';
export { type EditorPlan, planForEditor, recordEditorApply } from './applyEditor';
export { ChangeManifest, exportChangeManifest } from './changeManifest';
export { commitAccepted, commitTaken, type ProposalCommit } from './commit';
export { composeFile, composeText } from './compose';
export { contentHash } from './contentHash';
export { type EffectiveHunk, effectiveHunks } from './editedText';
export { checkEditPath, normalizeEditPath, readEditable, type UnsavedTexts } from './editPaths';
export type { PlaceFacts, UnitFacts } from './evidence';
export { type GateContext, runGates, type TaskFacts } from './gates';
export { type GatherSources, type GatherSubject, gatherProposal } from './gather';
export { type HunkStatus, hunkStates } from './hunkStates';
export { type BaseTexts, hunksOf } from './hunks';
export { importBranch, isRevision } from './importBranch';
export { type ImportOptions, importDiff } from './importDiff';
export { listProposals, type ProposalList } from './list';
export { Decision, Edit, EvidenceRef, GateResult, Hunk, HunkState, Prediction, Proposal, Review } from './model';
export { findOverlaps } from './overlaps';
export { partGates } from './partGates';
export type { LeftHunk } from './plan';
export { type CostEstimate, contextText, estimateCost, type ProposalContext, proposalContext } from './proposalContext';
export { NoChangeNeededError, ProposalDamagedError, ProposalEmptyError, ReviewError } from './proposalErrors';
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
export { type ProposedSet, proposeMany } from './proposeMany';
export { ProposerAnswer } from './proposerAnswer';
export type { Premise } from './proposerPrompt';
export { recheckGates } from './recheck';
export { exportRepairPlan, RepairPlan } from './repairPlan';
export { type DecidedState, decideHunks, numbersIn, reviewOf, setEdited, stateOf } from './review';
export { gatherRevision } from './revise';
export { revisionDiff } from './revisionDiff';
export { canUndo, undoApplied } from './undo';
export { exportUnifiedDiff } from './unifiedDiff';
