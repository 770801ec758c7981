export { buildHandbook, deriveMap } from './build';
export { checkHandbook, HandbookCheck, HandbookProblem } from './check';
export { loadSources, Sources } from './derive/sources';
export {
  exportHandbook,
  HandbookExport,
  type HandbookFormat,
  handbookFormats,
  handbookHtml,
  handbookJson,
} from './export';
export {
  Author,
  BehaviourMap,
  OverlayPlacement,
  Register,
  RegisterSite,
  RunStep,
  Site,
  SiteState,
  Stage,
  StageKind,
  Unit,
  UnitKind,
  UnitWords,
} from './model';
export { type OpenedHarness, openedHarness } from './openedHarness';
export {
  changeOverlay,
  describeUnit,
  HandbookOverlay,
  loadOverlay,
  ModelWords,
  mergeUnits,
  moveMember,
  moveUnit,
  OverlayEntry,
  type OverlayTarget,
  pinUnit,
  removeModelWords,
  removeOrphan,
  renameUnit,
  saveOverlay,
  undoOverlay,
  unmergeUnit,
} from './overlay';
export { mapFileName, type Page, readMap, renderPages, unitPagePath, writePages } from './pages';
export {
  estimateRefinement,
  RefineCost,
  RefinedUnit,
  RefineEstimate,
  type RefineInput,
  type RefineOptions,
  RefineResult,
  refineHandbook,
  type TokenPrice,
} from './refine';
export { type FoundSite, linesOf, locateSite, siteHash, siteOf, siteState, siteStates } from './site';
export { unitAt } from './unitAt';
export { isForeignFile, isTestFile, kindWords, wordsOf } from './vocabulary';
