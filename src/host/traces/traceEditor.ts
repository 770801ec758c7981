import * as vscode from 'vscode';
import type { ToTracePage } from '../../../webview/shared/protocol';
import type { TraceRun } from '../../core/traces/model';
import { registerCommand, setting, settingScope } from '../commands';
import { DisposableStore } from '../disposable';
import { CodePlaces } from '../handbook/codePlaces';
import type { StepTarget } from '../ids';
import { customEditorId } from '../ids';
import type { HostContribution, Services } from '../services';
import { setUpPage } from '../webview/pageSetup';
import { besides } from './compareSession';
import { DifferencePanel } from './differencePanel';
import { pickRun } from './runPick';
import { traceAddress } from './traceAddress';
import { stepTarget } from './traceCommands';
import { TraceSession } from './traceSession';
import { runName } from './words';

/** Pause between two looks whether the file of a page grew. */
const lookMilliseconds = 1000;

interface TraceDocument extends vscode.CustomDocument {
  session: TraceSession | null;
}

/** The trace page as a read-only custom editor, and the command that opens a run at a step. */
export const traceEditorContribution: HostContribution = {
  name: 'trace page',
  activate(services: Services) {
    const store = new DisposableStore();
    const pages = new TracePages(services, store.add(new CodePlaces()), store.add(new DifferencePanel(services)));
    store.add(
      vscode.window.registerCustomEditorProvider(customEditorId, pages, { supportsMultipleEditorsPerDocument: false }),
    );
    store.add(services.traces.onDidChange(() => pages.refresh()));
    store.add(services.traces.onDidStopAt(({ run, step }) => pages.goTo(run, step)));
    store.add(
      registerCommand('harnessmith.openTrace', services.log, async (node) => {
        await services.traces.ensure();
        const target = stepTarget(node) ?? (await anyRun(services));
        if (target) await pages.open(target.run, target.step);
      }),
    );
    store.add(
      registerCommand('harnessmith.compareTraces', services.log, async (node) => {
        await services.traces.ensure();
        const target = stepTarget(node) ?? (await anyRun(services));
        const run = target && services.traces.run(target.run);
        const other = run && (await otherRun(services, run));
        if (run && other) await pages.compare(run, other);
      }),
    );
    return store;
  },
};

class TracePages implements vscode.CustomReadonlyEditorProvider<TraceDocument> {
  private readonly sessions = new Map<string, TraceSession>();
  /** Where a page that is about to open should go, by file. */
  private readonly wanted = new Map<string, { run: string; step?: number }>();
  /** Run to lay beside the page that is about to open, by file. */
  private readonly wantedOther = new Map<string, string>();
  private refreshing: NodeJS.Timeout | undefined;

  constructor(
    private readonly services: Services,
    private readonly places: CodePlaces,
    private readonly differences: DifferencePanel,
  ) {}

  async open(run: string, step: number | undefined): Promise<void> {
    const file = this.services.traces.run(run)?.file ?? run.replace(/#\d+$/, '');
    this.wanted.set(file, { run, step });
    const session = this.sessions.get(file);
    await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(file), customEditorId, columnOfTraces());
    if (session) await session.goTo(run, step);
  }

  /** Moves the page of a run that is open; opens none. */
  goTo(run: string, step: number | undefined): void {
    void this.sessions.get(this.services.traces.run(run)?.file ?? '')?.goTo(run, step);
  }

  async compare(run: TraceRun, other: TraceRun): Promise<void> {
    this.wantedOther.set(run.file, other.id);
    const session = this.sessions.get(run.file);
    await this.open(run.id, undefined);
    if (!session) return;
    this.wantedOther.delete(run.file);
    await session.compare(run.id, other.id);
  }

  openCustomDocument(uri: vscode.Uri): TraceDocument {
    return { uri, session: null, dispose: () => {} };
  }

  resolveCustomEditor(document: TraceDocument, panel: vscode.WebviewPanel): void {
    const file = document.uri.fsPath;
    let codeColumn: vscode.ViewColumn | null = null;
    const { services } = this;
    const session = new TraceSession(file, {
      work: services.work,
      log: services.log,
      harnessRoot: () => (services.harness.map ? services.harness.root : null),
      knownRuns: () => services.traces.catalog?.runs ?? [],
      post: (message: ToTracePage) => void panel.webview.postMessage(message),
      showCode: async (root, place, focus) => {
        const editor = await this.places.show(root, place, { focus, column: codeColumn ?? vscode.ViewColumn.Beside });
        codeColumn = editor.viewColumn ?? codeColumn;
        return true;
      },
      openRun: (run) => this.open(run, undefined),
      clearCode: () => this.places.clear(),
      chooseRun: (run) => otherRun(services, run),
      showDifference: (left, right) => this.differences.show(left, right),
      codeIsShown: () =>
        setting('traces.followCode', settingScope(services.harness)) &&
        codeColumn !== null &&
        vscode.window.visibleTextEditors.some((editor) => editor.viewColumn === codeColumn),
      openSource: async (path) => {
        await vscode.commands.executeCommand(
          'vscode.openWith',
          vscode.Uri.file(path),
          'default',
          vscode.ViewColumn.Active,
        );
      },
      copy: async (text) => vscode.env.clipboard.writeText(text),
      linkTo: (run, step) => traceAddress(vscode.env.uriScheme, services.context.extension.id, { run, step }),
    });
    this.sessions.set(file, session);
    const wanted = this.wanted.get(file);
    this.wanted.delete(file);
    if (wanted) void session.goTo(wanted.run, wanted.step);
    const other = this.wantedOther.get(file);
    this.wantedOther.delete(file);
    if (wanted && other) void session.compare(wanted.run, other);
    panel.webview.onDidReceiveMessage((message) => void session.receive(message));
    const looking = setInterval(() => {
      if (panel.visible) void session.look();
    }, lookMilliseconds);
    panel.onDidDispose(() => {
      clearInterval(looking);
      if (this.sessions.get(file) === session) this.sessions.delete(file);
      session.close().catch((error: unknown) => services.log.debug(`Closing ${file}: ${String(error)}`));
    });
    setUpPage(panel.webview, services.context.extensionUri, 'trace', 'Trace', { images: true });
    // Links need the handbook; the page opens without waiting for it and is told when they are there.
    void services.traces.ensure().catch((error: unknown) => services.log.error('No links for the trace', error));
  }

  /** Tells all pages that links changed; several changes in a row are one. */
  refresh(): void {
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(() => {
      for (const session of this.sessions.values()) {
        session.refresh().catch((error: unknown) => this.services.log.error('A trace page could not refresh', error));
      }
    }, 200);
  }
}

/** The column where a trace page is already, so that whoever comes from the code still sees it beside the page. */
function columnOfTraces(): vscode.ViewColumn {
  const isTrace = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputCustom && input.viewType === customEditorId;
  const group = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isTrace));
  return group?.viewColumn ?? vscode.ViewColumn.Active;
}

async function anyRun(services: Services): Promise<StepTarget | undefined> {
  const run = await pickRun(services.traces.catalog?.runs ?? [], 'Open which trace?');
  return run ? { run: run.id } : undefined;
}

/** The run to lay beside another; runs of the same task that ended otherwise come first. */
function otherRun(services: Services, run: TraceRun): Promise<TraceRun | null> {
  return pickRun(besides(run, services.traces.catalog?.runs ?? []), `Compare ${runName(run)} with which trace?`);
}
