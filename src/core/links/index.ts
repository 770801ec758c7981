export { type LinkContext, TraceRoot } from './context';
export { buildLinkIndex, type LinkIndex, type LinkSettings } from './linkIndex';
export { linkOneStep, linkRun } from './linkRun';
export { linkStep } from './linkStep';
export { Link, LinkKind, LinkPart, SiteTouches } from './model';
export { type ModelFunction, modelFunctions, recordedRun, recordingFile, runRecorded } from './recording';
export { siteTouches } from './touches';
export { rootsOf } from './traceRoots';
export { type Checkout, checkoutOf, driftOf, driftText, type VersionDrift } from './versions';
