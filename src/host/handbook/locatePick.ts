import * as vscode from 'vscode';
import { runCommand } from '../commands';
import { DisposableStore } from '../disposable';
import type { Services } from '../services';
import type { LocateView } from '../work/methods';
import { LiveSearch, type SearchNews } from './liveSearch';
import { type LocateItem, locateItems } from './locateItems';

interface PickItem extends vscode.QuickPickItem {
  item?: LocateItem;
}

const placesAsked = 15;
const pageButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('book'),
  tooltip: 'Open the page of the behaviour unit',
};

/**
 * "Where does it live?": searches while somebody types. Enter opens the code, the button of a row the page of its unit.
 * Resolves when it is closed.
 */
export function showLocatePick(services: Services, given: string | undefined): Promise<void> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<PickItem>());
  pick.title = 'Where does this behaviour live?';
  pick.placeholder = 'Say a behaviour or a change in your own words, such as: show the model that its output was cut';
  pick.matchOnDescription = false;
  pick.matchOnDetail = false;
  const search = store.add(
    new LiveSearch<LocateView>(
      async (request, signal) => {
        const root = services.harness.root;
        if (!root) return { request, units: [], sites: [], alsoLookAt: [], premises: [] };
        return services.work.call('locate', { root, request, limit: placesAsked }, { signal });
      },
      (news) => show(services, pick, news),
    ),
  );
  store.add(pick.onDidChangeValue((text) => search.ask(text)));
  store.add(
    pick.onDidAccept(() => {
      const place = pick.activeItems[0]?.item?.place;
      if (!place) return;
      pick.hide();
      void runCommand('harnessmith.openSite', place);
    }),
  );
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      if (!item.item?.unit) return;
      pick.hide();
      void runCommand('harnessmith.openUnitPage', item.item.unit);
    }),
  );
  if (given) pick.value = given;
  search.ask(given ?? '', true);
  pick.show();
  return new Promise((resolve) => {
    store.add(
      pick.onDidHide(() => {
        store.dispose();
        resolve();
      }),
    );
  });
}

function show(services: Services, pick: vscode.QuickPick<PickItem>, news: SearchNews<LocateView>): void {
  pick.busy = news.state === 'searching';
  // What was found before stays on the screen while the next search runs.
  if (news.state === 'searching') return;
  if (news.state === 'idle') pick.items = [];
  else if (news.state === 'failed') pick.items = [{ label: `$(error) ${news.message}`, alwaysShow: true }];
  else {
    const { map } = services.harness;
    const items = map ? locateItems(news.value, map) : [];
    pick.items = items.length ? items.map(rowOf) : [nothingFound(news.text)];
  }
}

function rowOf(item: LocateItem): PickItem {
  if (item.heading) return { label: item.label, kind: vscode.QuickPickItemKind.Separator };
  return {
    label: item.label,
    description: item.description,
    detail: item.detail,
    // The words of a request need not occur in the place it leads to.
    alwaysShow: true,
    buttons: item.unit ? [pageButton] : [],
    item,
  };
}

function nothingFound(text: string): PickItem {
  return {
    label: `$(info) No place in the harness matches "${text}"`,
    detail: 'Try other words, or a symbol name.',
    alwaysShow: true,
  };
}
