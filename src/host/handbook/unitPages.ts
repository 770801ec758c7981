import * as vscode from 'vscode';
import { DisposableStore } from '../disposable';
import { schemes } from '../ids';
import type { Services } from '../services';

/** Address of a unit's page. The title is the file name people see on the tab. */
export function unitPageUri(unit: string, title: string): vscode.Uri {
  const name = title.replace(/[\\/:?#%]+/g, ' ').trim() || 'unit';
  return vscode.Uri.from({ scheme: schemes.handbook, path: `/${name}.md`, query: encodeURIComponent(unit) });
}

/** Handbook pages as read-only Markdown documents; they follow the map. */
export function registerUnitPages(services: Services): DisposableStore {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  const open = new Set<string>();
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      await services.harness.ensure();
      const root = services.harness.root;
      if (!root) return 'There is no harness in this window. Open a folder with one.';
      open.add(uri.toString());
      return services.work.call('unitPage', { root, unit: decodeURIComponent(uri.query) });
    },
  };
  store.add(vscode.workspace.registerTextDocumentContentProvider(schemes.handbook, provider));
  store.add(
    services.harness.onDidChange((state) => {
      if (state.status !== 'ready') return;
      for (const uri of open) changed.fire(vscode.Uri.parse(uri));
    }),
  );
  return store;
}
