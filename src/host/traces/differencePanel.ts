import * as vscode from 'vscode';
import { type Difference, FromDifferencePage } from '../../../webview/shared/differenceProtocol';
import type { DisposableLike } from '../disposable';
import type { Services } from '../services';
import { setUpPage } from '../webview/pageSetup';
import { differenceOf } from './difference';
import type { TitledText } from './traceSession';

/** The page that shows how two texts differ; made on first use, then used again. */
export class DifferencePanel implements DisposableLike {
  private panel: vscode.WebviewPanel | null = null;
  private shown: Difference | null = null;

  constructor(private readonly services: Services) {}

  show(before: TitledText, after: TitledText): void {
    this.shown = differenceOf(before, after);
    const title = `${before.title} - ${after.title}`.slice(0, 80);
    if (this.panel) {
      this.panel.title = title;
      this.panel.reveal();
      this.post();
      return;
    }
    const panel = vscode.window.createWebviewPanel('harnessmith.difference', title, vscode.ViewColumn.Active, {});
    this.panel = panel;
    panel.onDidDispose(() => {
      this.panel = null;
    });
    panel.webview.onDidReceiveMessage((raw: unknown) => {
      // The page asks again whenever it is drawn anew.
      if (FromDifferencePage.safeParse(raw).success) this.post();
    });
    // The editor of the page draws lines with inline styles and compares in a worker that comes as a blob.
    const rights = { inlineStyles: true, blobWorkers: true };
    setUpPage(panel.webview, this.services.context.extensionUri, 'difference', 'Difference', rights);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private post(): void {
    if (this.shown) void this.panel?.webview.postMessage({ type: 'difference', difference: this.shown });
  }
}
