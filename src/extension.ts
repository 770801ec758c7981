import type * as vscode from 'vscode';
import { chatContribution } from './host/chat/chatParticipant';
import { type StartReport, startContributions } from './host/contribution';
import { DisposableStore } from './host/disposable';
import { codeLensContribution } from './host/handbook/codeLenses';
import { handbookPagesContribution } from './host/handbook/handbookPages';
import { handbookContribution } from './host/handbook/handbookView';
import { unitProvidersContribution } from './host/handbook/unitProviders';
import { harnessContribution } from './host/harness/harnessCommands';
import { mapContribution } from './host/map/mapPanel';
import { modelContribution } from './host/models/modelKeys';
import { proposalsContribution } from './host/review/proposalView';
import { buildServices, type HostContribution, type Services } from './host/services';
import { statusContribution } from './host/status';
import { debugContribution } from './host/traces/debugSession';
import { stepMarksContribution } from './host/traces/stepMarks';
import { traceEditorContribution } from './host/traces/traceEditor';
import { traceLinksContribution } from './host/traces/traceLinks';
import { tracesContribution } from './host/traces/traceView';
import { resultsContribution } from './host/validation/resultsPage';
import { validationContribution } from './host/validation/testView';

const contributions: HostContribution[] = [
  harnessContribution,
  statusContribution,
  handbookContribution,
  handbookPagesContribution,
  codeLensContribution,
  unitProvidersContribution,
  mapContribution,
  tracesContribution,
  traceEditorContribution,
  traceLinksContribution,
  stepMarksContribution,
  debugContribution,
  modelContribution,
  proposalsContribution,
  chatContribution,
  validationContribution,
  resultsContribution,
];

/** What tests and other extensions get; everything else is reached through commands. */
export interface HarnessmithApi {
  version: 1;
  /** How long each part took to start, in milliseconds, with its error if it failed. */
  started: readonly StartReport[];
  services: Pick<Services, 'harness' | 'sites' | 'traces' | 'proposals' | 'validation' | 'work'>;
}

/** Starts the parts. Nothing is awaited and nothing is read; work begins when a view opens or a command runs. */
export function activate(context: vscode.ExtensionContext): HarnessmithApi {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const began = performance.now();
  const services = buildServices(context, store);
  const started = startContributions(contributions, services, store, services.log);
  services.log.info(`Started ${started.length} parts in ${(performance.now() - began).toFixed(1)} ms`);
  return { version: 1, started, services };
}
