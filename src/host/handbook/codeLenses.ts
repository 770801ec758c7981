import * as vscode from 'vscode';
import { setting } from '../commands';
import { DisposableStore } from '../disposable';
import { relativeTo } from '../harness/harnessChoice';
import type { HostContribution, Services } from '../services';
import { lensPlan, lensText, type PlannedLens } from './lenses';

/** A lens that knows what it stands for; its words are made when it comes into view. */
class PlannedCodeLens extends vscode.CodeLens {
  constructor(
    range: vscode.Range,
    readonly planned: PlannedLens,
  ) {
    super(range);
  }
}

/** One CodeLens above the anchor of a unit or above code that failing steps lead to; a click lists steps or opens the page. */
export const codeLensContribution: HostContribution = {
  name: 'code lenses',
  activate(services: Services) {
    const store = new DisposableStore();
    const changed = store.add(new vscode.EventEmitter<void>());
    const provider: vscode.CodeLensProvider<vscode.CodeLens> = {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: (document) => provide(services, document),
      resolveCodeLens: (lens) => (lens instanceof PlannedCodeLens ? resolve(services, lens) : lens),
    };
    store.add(vscode.languages.registerCodeLensProvider({ scheme: 'file' }, provider));
    store.add(services.traces.onDidChange(() => changed.fire()));
    store.add(services.harness.onDidChange((state) => state.status === 'ready' && changed.fire()));
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
  const { root, map } = services.harness;
  if (!root || !map || !setting('codeLens.enabled', document.uri)) return [];
  const file = relativeTo(root, document.uri.fsPath);
  if (file === null) return [];
  // A file that was edited since the last save is ahead of the map; names lead to the lines as they are now.
  const edited = document.isDirty ? document.getText().split(/\r?\n/) : null;
  return lensPlan(map, file, services.traces.diagnosis.touches, edited).map((planned) => {
    const line = Math.max(0, Math.min(planned.line, document.lineCount) - 1);
    return new PlannedCodeLens(new vscode.Range(line, 0, line, 0), planned);
  });
}

function resolve(services: Services, lens: PlannedCodeLens): vscode.CodeLens {
  const { map } = services.harness;
  const text = map && lensText(lens.planned, map, services.traces.diagnosis.touches);
  if (text)
    lens.command = { command: text.command, title: text.title, tooltip: text.tooltip, arguments: text.arguments };
  return lens;
}
