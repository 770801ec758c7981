import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import { registerCommand, setting, settingScope, trusted, withProgress } from '../commands';
import { DisposableStore } from '../disposable';
import type { FromTree, StepTarget } from '../ids';
import type { Services } from '../services';
import { pickStep } from './pickStep';
import { count } from './words';

export interface TraceViewState {
  filter: string;
}

/** Commands of the Traces view: import, group, filter, why a file was not recognised. */
export function registerTraceCommands(services: Services, state: TraceViewState, changed: () => void): DisposableStore {
  const { log, traces } = services;
  const store = new DisposableStore();
  store.add(registerCommand('harnessmith.importTraceFiles', log, () => importTraces(services, false)));
  store.add(registerCommand('harnessmith.importTraceFolder', log, () => importTraces(services, true)));
  store.add(
    registerCommand('harnessmith.refreshTraces', log, async () => {
      await services.harness.ensure();
      await traces.refresh();
    }),
  );
  store.add(
    registerCommand('harnessmith.groupTraces', log, async () => {
      const scope = settingScope(services.harness);
      const now = setting('traces.groupBy', scope);
      const picks = [
        { label: 'task', detail: 'Tasks that both passed and failed come first' },
        { label: 'time', detail: 'By day, newest first' },
        { label: 'outcome', detail: 'Failed, passed, no verdict' },
      ].map((pick) => ({ ...pick, description: pick.label === now ? 'now' : '' }));
      const picked = await vscode.window.showQuickPick(picks, { title: 'Group traces by' });
      if (!picked) return;
      const configuration = vscode.workspace.getConfiguration('harnessmith', scope);
      // A value of the folder wins over one of the workspace, so it is the one to change.
      const ofFolder = configuration.inspect('traces.groupBy')?.workspaceFolderValue !== undefined;
      const { Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
      await configuration.update('traces.groupBy', picked.label, ofFolder ? WorkspaceFolder : Workspace);
    }),
  );
  store.add(
    registerCommand('harnessmith.filterTraces', log, async () => {
      const filter = await vscode.window.showInputBox({
        title: 'Filter traces',
        prompt: 'Words that must occur in task, run, model or outcome; empty shows all',
        value: state.filter,
      });
      if (filter === undefined) return;
      state.filter = filter.trim();
      changed();
    }),
  );
  store.add(registerCommand('harnessmith.showUnknownFiles', log, () => showUnknown(services)));
  store.add(
    registerCommand('harnessmith.openTraceSource', log, async (node) => {
      const target = stepTarget(node);
      const run = target && traces.run(target.run);
      if (run) await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(run.file), 'default');
    }),
  );
  store.add(
    registerCommand('harnessmith.showSteps', log, async (file, start) => {
      const steps = traces.diagnosis.touches
        .filter((touch) => touch.file === file && touch.start === start)
        .flatMap((touch) => touch.steps);
      await pickStep(services, steps, `Steps behind ${file}:${start}`);
    }),
  );
  return store;
}

/** The run and step a command is about, from a tree node or given directly. */
export function stepTarget(node: FromTree | StepTarget): StepTarget | undefined {
  if (!node) return undefined;
  if ('run' in node) return node;
  return node.target?.kind === 'run' ? { run: node.target.run, step: node.target.step } : undefined;
}

async function importTraces(services: Services, folder: boolean): Promise<void> {
  if (!(await mayImport(services))) return;
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: !folder,
    canSelectFolders: folder,
    canSelectMany: true,
    openLabel: 'Import',
    title: folder ? 'Folders with traces' : 'Trace files',
  });
  if (chosen?.length)
    await importPaths(
      services,
      chosen.map((uri) => uri.fsPath),
    );
}

/** False, with a message, in an untrusted folder. @throws InputError when the window has no harness. */
async function mayImport(services: Services): Promise<boolean> {
  if (!trusted('Importing traces')) return false;
  await services.harness.ensure();
  if (services.harness.root) return true;
  throw new InputError('Traces are kept with a harness, and this window has none.', {
    code: 'no-harness',
    nextStep: 'Open a folder with a harness first.',
  });
}

/** Adds files and folders to the list and says what was found in them. */
export async function importPaths(services: Services, paths: string[]): Promise<void> {
  if (!(await mayImport(services))) return;
  const before = services.traces.catalog?.runs.length ?? 0;
  const catalog = await withProgress('Importing traces', (progress, signal) =>
    services.traces.import(paths, { progress, signal }),
  );
  if (!catalog) return;
  const added = Math.max(0, catalog.runs.length - before);
  const unknown = catalog.unknown.length ? `, ${count(catalog.unknown.length, 'file')} not recognised` : '';
  void vscode.window.setStatusBarMessage(`Harnessmith: ${count(added, 'run')} added${unknown}`, 8000);
}

/** The unknown files with their reasons, as a document that can be searched and copied. */
async function showUnknown(services: Services): Promise<void> {
  const unknown = services.traces.catalog?.unknown ?? [];
  const lines = unknown.flatMap(({ file, reason }) => [file, `    ${reason}`, '']);
  const head = `${count(unknown.length, 'file')} not recognised as traces, each with the reason.`;
  const document = await vscode.workspace.openTextDocument({
    content: [head, '', ...lines].join('\n'),
    language: 'plaintext',
  });
  await vscode.window.showTextDocument(document, { preview: true });
}
