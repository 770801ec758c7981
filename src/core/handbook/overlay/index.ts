export { changeOverlay } from './change';
export {
  describeUnit,
  mergeUnits,
  moveMember,
  moveUnit,
  type OverlayTarget,
  pinUnit,
  removeOrphan,
  renameUnit,
  unmergeUnit,
} from './edits';
export { loadOverlay, overlayText, saveOverlay } from './file';
export { HandbookOverlay, ModelWords, OverlayEntry } from './model';
export { putModelWords, removeModelWords } from './modelWords';
export { placeOverlay } from './place';
export { undoOverlay } from './undo';
export { textOf, withWords } from './words';
