import * as vscode from 'vscode';
import { DisposableStore } from '../disposable';
import { relativeTo } from '../harness/harnessChoice';
import type { HostContribution, Services } from '../services';
import { UnitFinder } from './anchors';
import { hoverMarkdown, linkCommands, searchUnits } from './unitWords';

/** Most units one search for symbols gives. */
const symbolLimit = 200;

/** Units where people look for code: on hover, and among the symbols of the workspace. Both only tell what is known. */
export const unitProvidersContribution: HostContribution = {
  name: 'unit providers',
  activate(services: Services) {
    const store = new DisposableStore();
    store.add(
      vscode.languages.registerHoverProvider(
        { scheme: 'file' },
        { provideHover: (document, position) => hover(services, document, position) },
      ),
    );
    store.add(
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) => symbols(services, query),
      }),
    );
    return store;
  },
};

function hover(services: Services, document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  const { root, map } = services.harness;
  const file = root && map ? relativeTo(root, document.uri.fsPath) : null;
  if (!map || file === null) return undefined;
  const range = document.getWordRangeAtPosition(position);
  const word = range && document.getText(range);
  const unit = UnitFinder.of(map).anchoredAt(file, position.line + 1, word);
  if (!unit) return undefined;
  const text = new vscode.MarkdownString(hoverMarkdown(unit, map, services.traces.diagnosis.touches));
  text.isTrusted = { enabledCommands: [...linkCommands] };
  return new vscode.Hover(text, range);
}

/** Units by title, symbol or file; nothing before the handbook was asked for. */
function symbols(services: Services, query: string): vscode.SymbolInformation[] {
  const { root, map } = services.harness;
  if (!root || !map) return [];
  const finder = UnitFinder.of(map);
  const folder = vscode.Uri.file(root);
  return searchUnits(map.units, query)
    .slice(0, symbolLimit)
    .map((unit) => {
      const site = unit.sites[0]!;
      const range = new vscode.Range(site.start - 1, 0, site.start - 1, 0);
      const uri = vscode.Uri.joinPath(folder, ...site.file.split('/'));
      const container = `Handbook: ${finder.stageOf(unit)?.title ?? unit.stage}`;
      return new vscode.SymbolInformation(
        unit.title,
        vscode.SymbolKind.Event,
        container,
        new vscode.Location(uri, range),
      );
    });
}
