import * as vscode from 'vscode';
import { setContext, setting, settingScope, showError } from '../commands';
import { DisposableStore } from '../disposable';
import { viewIds } from '../ids';
import type { HostContribution, Services } from '../services';
import { NodeTree } from '../tree/nodeTree';
import { importPaths, registerTraceCommands, type TraceViewState } from './traceCommands';
import { traceTree } from './traceTree';
import { count } from './words';

/** The Traces view and its commands. */
export const tracesContribution: HostContribution = {
  name: 'traces',
  activate(services: Services) {
    const store = new DisposableStore();
    const state: TraceViewState = { filter: '' };
    const load = () =>
      services.traces.ensure().catch((error: unknown) => services.log.error('The traces could not be loaded', error));
    const tree = store.add(
      new NodeTree(
        viewIds.traces,
        () => roots(services, state),
        () => void load(),
        (paths) =>
          void importPaths(services, paths).catch((error: unknown) => showError(error, services.log, 'dropped traces')),
      ),
    );
    const show = () => {
      const { catalog, isLoading } = services.traces;
      const found = (catalog?.runs.length ?? 0) + (catalog?.unknown.length ?? 0);
      setContext('harnessmith.traces', catalog ? (found ? 'some' : 'empty') : 'loading');
      tree.view.message = message(services, state, isLoading);
      tree.refresh();
    };
    store.add(services.traces.onDidChange(show));
    store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('harnessmith.traces')) show();
      }),
    );
    store.add(registerTraceCommands(services, state, show));
    show();
    return store;
  },
};

function roots(services: Services, state: TraceViewState) {
  const { catalog, diagnosis } = services.traces;
  if (!catalog) return [];
  return traceTree({
    catalog,
    findings: diagnosis.findings,
    map: services.harness.map,
    grouping: setting('traces.groupBy', settingScope(services.harness)),
    filter: state.filter,
  });
}

function message(services: Services, state: TraceViewState, loading: boolean): string | undefined {
  const { catalog } = services.traces;
  if (!catalog) return loading ? 'Reading the traces.' : undefined;
  if (state.filter) return `Filter: ${state.filter} (of ${count(catalog.runs.length, 'run')})`;
  return undefined;
}
