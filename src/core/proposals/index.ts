export { composeFile, composeText } from './compose';
export { type BaseTexts, hunksOf } from './hunks';
export { Decision, Edit, EvidenceRef, GateResult, Hunk, HunkState, Prediction, Proposal, Review } from './model';
export { findOverlaps } from './overlaps';
export { ProposalDamagedError, ProposalEmptyError, ReviewError } from './proposalErrors';
