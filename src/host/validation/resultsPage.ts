import { join } from 'node:path';
import * as vscode from 'vscode';
import { FromResultsPage, type ToResultsPage } from '../../../webview/shared/protocol';
import { registerCommand, runCommand, showError } from '../commands';
import { DisposableStore } from '../disposable';
import { relativeTo } from '../harness/harnessChoice';
import { resultsPanelId } from '../ids';
import { userMessage } from '../log';
import type { HostContribution, Services } from '../services';
import { setUpPage } from '../webview/pageSetup';
import { resultsAction } from './resultsActions';
import { resultsView } from './resultsModel';
import { pickRun } from './testView';

/** The results page of a run, kept up to date while the run is under way, and its JSON. */
export const resultsContribution: HostContribution = {
  name: 'results page',
  activate(services: Services) {
    const store = new DisposableStore();
    const pages = new ResultsPages(services);
    store.add(services.validation.onDidChange((run) => pages.refresh(run)));
    store.add(
      vscode.window.registerWebviewPanelSerializer(resultsPanelId, {
        deserializeWebviewPanel: async (panel: vscode.WebviewPanel, state: unknown) => {
          pages.attach(panel, runOfState(state));
        },
      }),
    );
    store.add(
      registerCommand('harnessmith.openResults', services.log, async (given) => {
        await services.harness.ensure();
        const run = typeof given === 'string' ? given : await pickRun(services, 'Results of which run?');
        if (run) pages.open(run);
      }),
    );
    store.add(
      registerCommand('harnessmith.openResultsJson', services.log, async (given) => {
        await services.harness.ensure();
        const run = typeof given === 'string' ? given : await pickRun(services, 'Results of which run?');
        if (!run) return;
        const { manifest, trials, verdict } = await services.validation.read(run);
        const content = `${JSON.stringify({ schemaVersion: 1, manifest, verdict, trials }, null, 2)}\n`;
        const document = await vscode.workspace.openTextDocument({ content, language: 'json' });
        await vscode.window.showTextDocument(document, { preview: true });
      }),
    );
    return store;
  },
};

function runOfState(state: unknown): string | null {
  return typeof state === 'object' && state !== null && 'run' in state && typeof state.run === 'string'
    ? state.run
    : null;
}

class ResultsPages {
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  constructor(private readonly services: Services) {}

  open(run: string): void {
    const shown = this.panels.get(run);
    if (shown) {
      shown.reveal(undefined, true);
      return;
    }
    const options = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
    this.attach(vscode.window.createWebviewPanel(resultsPanelId, `Results ${run}`, options), run);
  }

  attach(panel: vscode.WebviewPanel, known: string | null): void {
    let run = known;
    if (run) this.panels.set(run, panel);
    const take = async (raw: unknown) => {
      const message = FromResultsPage.safeParse(raw);
      if (!message.success) {
        this.services.log.error('The results page sent an unknown message', message.error);
        return;
      }
      if (message.data.type === 'ready') {
        run ??= message.data.run;
        if (run) {
          this.panels.set(run, panel);
          await this.services.harness.ensure();
          await this.post(panel, run);
        }
        return;
      }
      if (!run) return;
      if (message.data.type === 'openTrace') await runCommand('harnessmith.openTrace', { run: message.data.file });
      else if (message.data.type === 'openOutput') await this.openOutput(run, message.data.file);
      else if (message.data.type === 'openJson') await runCommand('harnessmith.openResultsJson', run);
      else if (message.data.type === 'resume') await runCommand('harnessmith.resumeRun', run);
      else if (message.data.type === 'openRun') this.open(message.data.run);
      else await resultsAction(this.services, run, message.data).then(() => this.post(panel, run ?? ''));
    };
    panel.webview.onDidReceiveMessage((raw: unknown) =>
      take(raw).catch((error: unknown) => showError(error, this.services.log, 'Results page')),
    );
    panel.onDidDispose(() => run && this.panels.delete(run));
    setUpPage(panel.webview, this.services.context.extensionUri, 'results', 'Results');
  }

  refresh(run: string): void {
    const panel = this.panels.get(run);
    if (panel) void this.post(panel, run);
  }

  /** Only files of the run are opened: the path comes from a page. */
  private async openOutput(run: string, file: string): Promise<void> {
    const { folder } = await this.services.validation.read(run);
    if (relativeTo(folder, file) === null || file.includes('..')) return;
    await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: true });
  }

  private async post(panel: vscode.WebviewPanel, run: string): Promise<void> {
    let message: ToResultsPage;
    try {
      message = { type: 'results', view: await this.view(run) };
    } catch (error) {
      this.services.log.error(`Results of ${run}`, error);
      const shown = userMessage(error);
      message = { type: 'failed', message: shown?.text ?? 'Cancelled.', nextStep: shown?.nextStep ?? null };
    }
    await panel.webview.postMessage(message);
  }

  private async view(run: string) {
    const { manifest, trials, verdict, folder } = await this.services.validation.read(run);
    if (manifest.proposal) await this.services.proposals.ensure();
    const proposal = manifest.proposal ? this.services.proposals.proposal(manifest.proposal)?.proposal : undefined;
    return resultsView({
      manifest,
      trials,
      verdict,
      prediction: proposal?.prediction ?? null,
      proposalTitle: proposal?.title ?? null,
      tracePath: (relative) => join(folder, ...relative.split('/')),
      history: await this.services.validation.history(manifest.suiteName),
    });
  }
}
