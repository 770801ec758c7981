import * as vscode from 'vscode';
import { registerCommand, setContext, setting } from '../commands';
import { DisposableStore } from '../disposable';
import { relativeTo } from '../harness/harnessChoice';
import { viewIds } from '../ids';
import type { HostContribution, Services } from '../services';
import { registerBadges } from '../tree/badges';
import { NodeTree } from '../tree/nodeTree';
import { CodePlaces } from './codePlaces';
import { registerEditCommands } from './editCommands';
import { registerHandbookCommands } from './handbookCommands';
import { failureNodes, handbookTree } from './handbookTree';
import { registerReveal } from './reveal';

/** The Handbook view, its pages and its commands. */
export const handbookContribution: HostContribution = {
  name: 'handbook',
  activate(services: Services) {
    const store = new DisposableStore();
    const places = store.add(new CodePlaces());
    store.add(registerBadges());
    const tree = store.add(
      new NodeTree(
        viewIds.handbook,
        () => roots(services),
        () => void services.harness.ensure(),
      ),
    );
    const show = () => {
      const state = services.harness.get();
      setContext('harnessmith.state', state.status);
      setContext('harnessmith.loopFound', (services.harness.map?.loops.length ?? 0) > 0);
      tree.view.message = message(services);
      tree.refresh();
    };
    store.add(services.harness.onDidChange(show));
    store.add(services.sites.onDidChange(() => tree.refresh()));
    store.add(services.traces.onDidChange(() => tree.refresh()));
    // "2 min ago" must not stay "2 min ago".
    const clock = setInterval(() => tree.view.visible && tree.refresh(), 60_000);
    store.add({ dispose: () => clearInterval(clock) });
    store.add(registerCommand('harnessmith.refreshHandbook', services.log, () => services.harness.refresh(true)));
    store.add(registerCommand('harnessmith.cancelIndexing', services.log, () => cancelIndexing(services)));
    store.add(registerHandbookCommands(services, places, tree));
    store.add(registerEditCommands(services));
    store.add(registerReveal(services, tree));
    store.add(refreshOnSave(services));
    show();
    return store;
  },
};

/** Ends an indexing nobody asked for in so many words, such as the first one or the one after a save. */
function cancelIndexing(services: Services): void {
  const words = services.harness.cancel() ? 'indexing cancelled' : 'nothing is being indexed';
  void vscode.window.setStatusBarMessage(`Harnessmith: ${words}`, 4000);
}

function roots(services: Services) {
  const state = services.harness.get();
  const map = services.harness.map;
  if (state.status === 'error' && !map) return failureNodes(state.message, state.nextStep);
  if (!map) return [];
  const refreshed = state.status === 'ready' ? `refreshed ${ago(Date.now() - state.refreshedAt)}` : 'refreshing';
  const { states } = services.sites;
  return handbookTree({ map, touches: services.traces.diagnosis.touches, states, refreshed });
}

/** Why the view is empty or old; undefined when it is neither. */
function message(services: Services): string | undefined {
  const state = services.harness.get();
  if (state.status === 'indexing' && !state.map)
    return `Indexing ${state.name}. Large folders take a minute the first time.`;
  if (state.status === 'ready' && state.map.loops.length === 0) {
    const { files, functions } = state.map.counts;
    return `No agent loop found. Harnessmith looked through ${functions} functions in ${files} files.`;
  }
  return undefined;
}

/** "just now", "2 min ago", "3 h ago". */
function ago(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

/** A saved file of the harness refreshes the map; the index reads only what changed. */
function refreshOnSave(services: Services): DisposableStore {
  const store = new DisposableStore();
  let timer: NodeJS.Timeout | undefined;
  const saved = new Set<string>();
  store.add(
    vscode.workspace.onDidSaveTextDocument((document) => {
      const { root, map } = services.harness;
      if (!root || !map || document.uri.scheme !== 'file' || !setting('index.onSave', document.uri)) return;
      const path = relativeTo(root, document.uri.fsPath);
      const ownFile = path?.startsWith('.harnessmith/') && !/^\.harnessmith\/(harness|handbook)\.json$/.test(path);
      if (path === null || ownFile || path.startsWith('.git/')) return;
      saved.add(path);
      clearTimeout(timer);
      timer = setTimeout(() => {
        void services.harness.refresh(false, [...saved]);
        saved.clear();
        // Other programs may have changed files too; looking at all of them can wait.
        timer = setTimeout(() => void services.harness.refresh(), 10_000);
      }, 300);
    }),
  );
  store.add({ dispose: () => clearTimeout(timer) });
  return store;
}
