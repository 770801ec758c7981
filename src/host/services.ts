import { userInfo } from 'node:os';
import * as vscode from 'vscode';
import { setting, settingScope, trusted, withProgress } from './commands';
import type { Contribution } from './contribution';
import type { DisposableStore } from './disposable';
import { SiteWatch } from './handbook/siteWatch';
import type { FolderFact } from './harness/harnessChoice';
import { HarnessService } from './harness/harnessService';
import { viewIds } from './ids';
import type { Log } from './log';
import { completeWithEditorModel } from './models/editorModel';
import { ProposalService } from './review/proposalService';
import { unsavedFiles } from './review/unsavedFiles';
import { TraceService } from './traces/traceService';
import { ValidationService } from './validation/validationService';
import { startThread } from './work/threadPort';
import { type CompleteText, WorkClient } from './work/workClient';

/** What every feature is given. */
export interface Services {
  context: vscode.ExtensionContext;
  log: Log;
  channel: vscode.LogOutputChannel;
  work: WorkClient;
  harness: HarnessService;
  /** Sites that changed since they were indexed. */
  sites: SiteWatch;
  traces: TraceService;
  proposals: ProposalService;
  validation: ValidationService;
}

export type HostContribution = Contribution<Services>;

const rememberedKey = 'harness.root';

/** Builds the services; nothing is read and no thread is started before a feature asks. */
export function buildServices(context: vscode.ExtensionContext, store: DisposableStore): Services {
  const channel = store.add(vscode.window.createOutputChannel('Harnessmith', { log: true }));
  const log = channelLog(channel);
  const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'hostWorker.cjs').fsPath;
  const complete: CompleteText = (messages, signal) => completeWithEditorModel(messages, signal, settingScope(harness));
  const work = store.add(new WorkClient(() => startThread(script), complete, log));
  const harness: HarnessService = new HarnessService(
    work,
    {
      folders: workspaceFolders,
      remembered: () => context.workspaceState.get<string>(rememberedKey),
      remember: (root) => void context.workspaceState.update(rememberedKey, root),
      withProgress: (title, task, asked) =>
        withProgress(title, task, asked ? vscode.ProgressLocation.Notification : { viewId: viewIds.handbook }),
    },
    log,
  );
  const traces = new TraceService(work, harness, log, (title, task) =>
    withProgress(title, task, { viewId: viewIds.traces }),
  );
  const sites = store.add(new SiteWatch(work, harness, log));
  const proposals = new ProposalService(work, harness, log, personName(), trusted, unsavedFiles);
  const cli = vscode.Uri.joinPath(context.extensionUri, 'dist', 'cli.cjs').fsPath;
  const validation = store.add(new ValidationService(work, harness, cli, log));
  return { context, log, channel, work, harness, sites, traces, proposals, validation };
}

/** The workspace folders on disk, each with whether it is set up as a harness. */
async function workspaceFolders(): Promise<FolderFact[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  return Promise.all(
    folders.map(async ({ uri, name }) => {
      const file = vscode.Uri.joinPath(uri, '.harnessmith', 'harness.json');
      const configured = await vscode.workspace.fs.stat(file).then(
        () => true,
        () => false,
      );
      return { root: uri.fsPath, name, configured };
    }),
  );
}

/** Name of the person for the ledger; the account name where the system tells one. */
function personName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'person';
  }
}

function channelLog(channel: vscode.LogOutputChannel): Log {
  return {
    debug: (message) => channel.debug(message),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, error) => {
      const detail = error instanceof Error ? (error.stack ?? error.message) : error === undefined ? '' : String(error);
      channel.error(detail ? `${message}\n${detail}` : message);
    },
  };
}

/** The target for Apply: the setting of the editor, else what the harness says. */
export function applyTarget(services: Services): 'branch' | 'workingTree' {
  const chosen = setting('review.applyTo', settingScope(services.harness));
  return chosen === 'harness' ? (services.harness.head?.applyTo ?? 'branch') : chosen;
}
