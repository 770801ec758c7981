import type { NodeTarget, SitePlace } from './tree/treeNode';
import type { ProposalSubject } from './work/methods';

/** What a tree hands to a command: the node itself, or nothing when the palette was used. */
export type FromTree = { target?: NodeTarget } | undefined;

/** A step of a run, for commands that lead into the trace page. */
export interface StepTarget {
  run: string;
  step?: number;
}

/** Every command of the extension with the arguments its handler takes. `package.json` is checked against this. */
export interface CommandArguments {
  'harnessmith.showMenu': [];
  'harnessmith.showLog': [];
  'harnessmith.openExample': [];
  'harnessmith.chooseHarness': [];
  'harnessmith.createConfiguration': [];
  'harnessmith.setModelKey': [];
  'harnessmith.removeModelKey': [];

  'harnessmith.refreshHandbook': [];
  'harnessmith.cancelIndexing': [];
  'harnessmith.searchHandbook': [];
  'harnessmith.locate': [request?: string];
  'harnessmith.openSite': [place: SitePlace, options?: { focus?: boolean; column?: number }];
  'harnessmith.openHandbook': [];
  'harnessmith.openUnitPage': [node?: FromTree | string];
  'harnessmith.openMap': [node?: FromTree | string];
  'harnessmith.showUnitSteps': [node?: FromTree | string];
  'harnessmith.revealInHandbook': [];
  'harnessmith.renameUnit': [node?: FromTree | string];
  'harnessmith.describeUnit': [node?: FromTree | string];
  'harnessmith.pinUnit': [node?: FromTree | string];
  'harnessmith.unpinUnit': [node?: FromTree | string];
  'harnessmith.moveUnit': [node?: FromTree | string];
  'harnessmith.mergeUnit': [node?: FromTree | string];
  'harnessmith.separateUnit': [node?: FromTree | string];
  'harnessmith.undoHandbookEdit': [];
  'harnessmith.removeOrphan': [node?: FromTree];
  'harnessmith.showSteps': [file: string, start: number];

  'harnessmith.importTraceFiles': [];
  'harnessmith.importTraceFolder': [];
  'harnessmith.refreshTraces': [];
  'harnessmith.groupTraces': [];
  'harnessmith.filterTraces': [];
  'harnessmith.openTrace': [node?: FromTree | StepTarget];
  'harnessmith.openTraceSource': [node?: FromTree];
  'harnessmith.showUnknownFiles': [];
  'harnessmith.compareTraces': [node?: FromTree | StepTarget];
  'harnessmith.showStepsHere': [];
  'harnessmith.debugTrace': [node?: FromTree | StepTarget];

  'harnessmith.chooseModel': [];
  'harnessmith.openModelRequests': [];
  'harnessmith.propose': [node?: FromTree];
  'harnessmith.proposeSeveral': [node?: FromTree];
  'harnessmith.askForChange': [];
  'harnessmith.proposeFromChat': [subject: ProposalSubject];
  'harnessmith.reviseHunk': [node?: FromTree];
  'harnessmith.overviewProposal': [node?: FromTree];
  'harnessmith.compareRevisions': [node?: FromTree];
  'harnessmith.importProposal': [];
  'harnessmith.exportProposal': [node?: FromTree];
  'harnessmith.undoProposal': [node?: FromTree];
  'harnessmith.rejectHunkBecause': [node?: FromTree];
  'harnessmith.refreshProposals': [];
  'harnessmith.reviewProposal': [node?: FromTree];
  'harnessmith.openHunk': [node?: FromTree];
  'harnessmith.acceptHunk': [node?: FromTree];
  'harnessmith.rejectHunk': [node?: FromTree];
  'harnessmith.reopenHunk': [node?: FromTree];
  'harnessmith.acceptDecision': [node?: FromTree];
  'harnessmith.rejectDecision': [node?: FromTree];
  'harnessmith.nextUndecided': [];
  'harnessmith.previousUndecided': [];
  'harnessmith.applyProposal': [node?: FromTree];
  'harnessmith.validateProposal': [node?: FromTree];

  'harnessmith.openResults': [run?: string];
  'harnessmith.openResultsJson': [run?: string];
  'harnessmith.openFailingStep': [item?: { id: string }];
  'harnessmith.resumeRun': [run?: string];
}
export type CommandId = keyof CommandArguments;

const commandTable: { [id in CommandId]: true } = {
  'harnessmith.showMenu': true,
  'harnessmith.showLog': true,
  'harnessmith.openExample': true,
  'harnessmith.chooseHarness': true,
  'harnessmith.createConfiguration': true,
  'harnessmith.setModelKey': true,
  'harnessmith.removeModelKey': true,
  'harnessmith.refreshHandbook': true,
  'harnessmith.cancelIndexing': true,
  'harnessmith.searchHandbook': true,
  'harnessmith.locate': true,
  'harnessmith.openSite': true,
  'harnessmith.openHandbook': true,
  'harnessmith.openUnitPage': true,
  'harnessmith.openMap': true,
  'harnessmith.showUnitSteps': true,
  'harnessmith.revealInHandbook': true,
  'harnessmith.renameUnit': true,
  'harnessmith.describeUnit': true,
  'harnessmith.pinUnit': true,
  'harnessmith.unpinUnit': true,
  'harnessmith.moveUnit': true,
  'harnessmith.mergeUnit': true,
  'harnessmith.separateUnit': true,
  'harnessmith.undoHandbookEdit': true,
  'harnessmith.removeOrphan': true,
  'harnessmith.showSteps': true,
  'harnessmith.importTraceFiles': true,
  'harnessmith.importTraceFolder': true,
  'harnessmith.refreshTraces': true,
  'harnessmith.groupTraces': true,
  'harnessmith.filterTraces': true,
  'harnessmith.openTrace': true,
  'harnessmith.openTraceSource': true,
  'harnessmith.showUnknownFiles': true,
  'harnessmith.compareTraces': true,
  'harnessmith.showStepsHere': true,
  'harnessmith.debugTrace': true,
  'harnessmith.chooseModel': true,
  'harnessmith.openModelRequests': true,
  'harnessmith.propose': true,
  'harnessmith.proposeSeveral': true,
  'harnessmith.askForChange': true,
  'harnessmith.proposeFromChat': true,
  'harnessmith.reviseHunk': true,
  'harnessmith.overviewProposal': true,
  'harnessmith.compareRevisions': true,
  'harnessmith.importProposal': true,
  'harnessmith.exportProposal': true,
  'harnessmith.undoProposal': true,
  'harnessmith.rejectHunkBecause': true,
  'harnessmith.refreshProposals': true,
  'harnessmith.reviewProposal': true,
  'harnessmith.openHunk': true,
  'harnessmith.acceptHunk': true,
  'harnessmith.rejectHunk': true,
  'harnessmith.reopenHunk': true,
  'harnessmith.acceptDecision': true,
  'harnessmith.rejectDecision': true,
  'harnessmith.nextUndecided': true,
  'harnessmith.previousUndecided': true,
  'harnessmith.applyProposal': true,
  'harnessmith.validateProposal': true,
  'harnessmith.openResults': true,
  'harnessmith.openResultsJson': true,
  'harnessmith.openFailingStep': true,
  'harnessmith.resumeRun': true,
};

/** All command ids, in the order of the table. */
export const commandIds = Object.keys(commandTable) as CommandId[];

/** Commands that need a node or arguments and are therefore kept out of the palette. */
export const commandsWithoutPalette: readonly CommandId[] = [
  'harnessmith.openFailingStep',
  'harnessmith.openSite',
  'harnessmith.showSteps',
  'harnessmith.removeOrphan',
  'harnessmith.openTraceSource',
  'harnessmith.openHunk',
  'harnessmith.proposeFromChat',
  'harnessmith.reviseHunk',
];

export const viewIds = {
  container: 'harnessmith',
  handbook: 'harnessmith.handbook',
  traces: 'harnessmith.traces',
  proposals: 'harnessmith.proposals',
} as const;

export const customEditorId = 'harnessmith.trace';
export const resultsPanelId = 'harnessmith.results';
export const mapPanelId = 'harnessmith.map';
export const testControllerId = 'harnessmith.validation';
export const walkthroughId = 'harnessmith.start';

export const schemes = {
  /** Left side of a review: the text the proposal was made on; never writable. */
  base: 'harnessmith-base',
  /** Right side of a review: writable, kept in `review.json`, never in the user's files. */
  proposed: 'harnessmith-proposed',
  /** What a model is going to be sent, read only. */
  context: 'harnessmith-context',
  /** Pages of the handbook, read only. */
  page: 'harnessmith-handbook',
  /** Stands for the badge of a tree row; never opened. */
  badge: 'harnessmith-badge',
} as const;

/** Context keys for `when` clauses, with the type of their value. */
export interface ContextKeys {
  /** `idle` until a view is opened or a command is run. */
  'harnessmith.state': 'idle' | 'none' | 'indexing' | 'ready' | 'error';
  'harnessmith.loopFound': boolean;
  'harnessmith.traces': 'loading' | 'empty' | 'some';
  'harnessmith.proposals': 'loading' | 'empty' | 'some';
  'harnessmith.reviewing': boolean;
  'harnessmith.undecided': number;
}
export type ContextKey = keyof ContextKeys;

/** Every setting with the type of its value; the defaults stand in `package.json`. */
export interface Settings {
  'model.provider': 'harness' | 'vscode' | 'openai-compatible' | 'anthropic' | 'recorded';
  'model.name': string;
  'model.baseUrl': string;
  'model.answers': string;
  'model.maxOutputTokens': number;
  'model.timeoutSeconds': number;
  'codeLens.enabled': boolean;
  'handbook.followEditor': boolean;
  'index.onSave': boolean;
  'traces.groupBy': 'task' | 'time' | 'outcome';
  'traces.followCode': boolean;
  'review.applyTo': 'harness' | 'branch' | 'workingTree';
  'review.comments': boolean;
  'validation.trials': number;
  'statusBar.enabled': boolean;
}
export type SettingId = keyof Settings;
