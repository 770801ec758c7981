import * as vscode from 'vscode';
import { registerCommand, setting } from './commands';
import { DisposableStore } from './disposable';
import type { CommandId } from './ids';
import type { HostContribution, Services } from './services';
import { statusText } from './statusText';

/** One status item: what is going on; a click shows what can be done. Hidden until something is asked of us. */
export const statusContribution: HostContribution = {
  name: 'status',
  activate(services: Services) {
    const store = new DisposableStore();
    const item = store.add(vscode.window.createStatusBarItem('harnessmith.status', vscode.StatusBarAlignment.Left, 10));
    item.name = 'Harnessmith';
    item.command = 'harnessmith.showMenu';
    const show = () => {
      const text = statusText(services.harness.get(), services.traces.catalog?.runs.length ?? null);
      if (!text || !setting('statusBar.enabled')) return item.hide();
      item.text = text.text;
      item.tooltip = text.tooltip;
      item.accessibilityInformation = { label: text.tooltip };
      item.show();
    };
    store.add(services.harness.onDidChange(show));
    store.add(services.traces.onDidChange(show));
    store.add(
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration('harnessmith.statusBar') && show(),
      ),
    );
    store.add(registerCommand('harnessmith.showMenu', services.log, showMenu));
    show();
    return store;
  },
};

async function showMenu(): Promise<void> {
  const entries: { label: string; command: CommandId }[] = [
    { label: '$(search) Where does it live?', command: 'harnessmith.locate' },
    { label: '$(book) Search the handbook', command: 'harnessmith.searchHandbook' },
    { label: '$(refresh) Refresh the handbook', command: 'harnessmith.refreshHandbook' },
    { label: '$(cloud-download) Import traces from a folder', command: 'harnessmith.importTraceFolder' },
    { label: '$(lightbulb) Propose a change', command: 'harnessmith.propose' },
    { label: '$(root-folder) Choose the harness', command: 'harnessmith.chooseHarness' },
    { label: '$(output) Show the log', command: 'harnessmith.showLog' },
  ];
  const picked = await vscode.window.showQuickPick(entries, { title: 'Harnessmith' });
  if (picked) await vscode.commands.executeCommand(picked.command);
}
