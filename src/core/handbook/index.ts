export { buildHandbook, deriveMap } from './build';
export { checkHandbook, HandbookCheck, HandbookProblem } from './check';
export { loadSources, Sources } from './derive/sources';
export {
  BehaviourMap,
  HandbookOverlay,
  Register,
  RegisterSite,
  Site,
  SiteState,
  Stage,
  StageKind,
  Unit,
  UnitKind,
} from './model';
export { applyOverlay, loadOverlay, saveOverlay } from './overlay';
export { mapFileName, type Page, readMap, renderPages, unitPagePath, writePages } from './pages';
export { type FoundSite, linesOf, locateSite, siteHash, siteOf, siteState } from './site';
export { unitAt } from './unitAt';
export { isForeignFile, isTestFile, kindWords, wordsOf } from './vocabulary';
