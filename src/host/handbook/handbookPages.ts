import * as vscode from 'vscode';
import { DisposableStore } from '../disposable';
import { schemes } from '../ids';
import { userMessage } from '../log';
import type { HostContribution, Services } from '../services';
import { pageAddress, pageOfAddress, sourceBase } from './pageLinks';

/** The pages of the handbook as documents that lie nowhere; they are drawn anew when the map changes. */
export const handbookPagesContribution: HostContribution = {
  name: 'handbook pages',
  activate(services: Services) {
    const store = new DisposableStore();
    const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
    const provider: vscode.TextDocumentContentProvider = {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => textOf(services, uri),
    };
    store.add(vscode.workspace.registerTextDocumentContentProvider(schemes.page, provider));
    store.add(
      services.harness.onDidChange((state) => {
        if (state.status !== 'ready') return;
        for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === schemes.page) changed.fire(uri);
      }),
    );
    return store;
  },
};

/** Shows a page, of a unit or of the whole handbook, in the preview of the editor. */
export async function openPage(services: Services, unit: string | null): Promise<void> {
  const { root, head } = services.harness;
  if (!root) return;
  const page = await services.work.call('handbookPage', { root, unit });
  const uri = vscode.Uri.from({ scheme: schemes.page, path: pageAddress(head?.name ?? 'harness', page) });
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}

/** A failure becomes the text of the page: an empty tab would not say why. */
async function textOf(services: Services, uri: vscode.Uri): Promise<string> {
  const path = pageOfAddress(uri.path);
  if (path === null) return 'There is no such page in the handbook.\n';
  try {
    // A page of an earlier session is read only when somebody opens it, and so may start the indexing.
    await services.harness.ensure();
    const { root } = services.harness;
    if (!root) return 'There is no handbook in this window. Open the folder of a harness.\n';
    const first = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? root;
    const text = await services.work.call('handbookPageText', { root, path, base: sourceBase(first, root) });
    return text ?? 'The handbook has no such page any more: the code it stood for was moved or removed.\n';
  } catch (error) {
    services.log.error(`Page ${path}`, error);
    const message = userMessage(error);
    return `${message?.text ?? 'Reading the page was cancelled.'} ${message?.nextStep ?? ''}\n`;
  }
}
