export type { LinkContext } from './context';
export { buildLinkIndex, type LinkIndex } from './linkIndex';
export { linkOneStep, linkRun } from './linkRun';
export { linkStep } from './linkStep';
export { Link, LinkKind, SiteTouches } from './model';
export { siteTouches } from './touches';
