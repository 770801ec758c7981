import * as vscode from 'vscode';
import { setting } from '../commands';
import { DisposableStore } from '../disposable';
import { relativeTo } from '../harness/harnessChoice';
import type { HostContribution, Services } from '../services';
import { lensesOf } from './touches';

/** One CodeLens above harness code that failing steps lead to; a click lists the steps. */
export const stepLensContribution: HostContribution = {
  name: 'code lenses',
  activate(services: Services) {
    const store = new DisposableStore();
    const changed = store.add(new vscode.EventEmitter<void>());
    const provider: vscode.CodeLensProvider = {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: (document) => provide(services, document),
    };
    store.add(vscode.languages.registerCodeLensProvider({ scheme: 'file' }, provider));
    store.add(services.traces.onDidChange(() => changed.fire()));
    store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('harnessmith.codeLens')) changed.fire();
      }),
    );
    return store;
  },
};

/** Answers from what is known already: opening a file must not start the indexing of a folder nobody asked about. */
function provide(services: Services, document: vscode.TextDocument): vscode.CodeLens[] {
  const { root } = services.harness;
  if (!root || !setting('codeLens.enabled', document.uri)) return [];
  const file = relativeTo(root, document.uri.fsPath);
  if (file === null) return [];
  return lensesOf(file, services.traces.diagnosis.touches).map((lens) => {
    const line = Math.min(lens.start, document.lineCount) - 1;
    return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
      command: 'harnessmith.showSteps',
      title: lens.words,
      tooltip: 'Steps of traces that lead to this code',
      arguments: [file, lens.start],
    });
  });
}
