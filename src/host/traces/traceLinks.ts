import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { runCommand, showError } from '../commands';
import { DisposableStore } from '../disposable';
import type { StepTarget } from '../ids';
import type { HostContribution, Services } from '../services';
import { matchesInLine, type TerminalMatch, targetOfAddress, targetOfMatch } from './traceAddress';

interface TraceTerminalLink extends vscode.TerminalLink {
  match: TerminalMatch;
  file: string;
}

/** Ways into the trace page from outside it: addresses of the editor, and places in a terminal. */
export const traceLinksContribution: HostContribution = {
  name: 'trace links',
  activate(services: Services) {
    const store = new DisposableStore();
    store.add(
      vscode.window.registerUriHandler({
        handleUri: (uri) => openAddress(services, uri),
      }),
    );
    store.add(
      vscode.window.registerTerminalLinkProvider({
        provideTerminalLinks: (context) => terminalLinks(context),
        // The editor hands back what it was given, whatever its type says.
        handleTerminalLink: (link) => openMatch(services, link as TraceTerminalLink),
      }),
    );
    return store;
  },
};

/** Anybody can make a person click an address, so a file outside the folder and the known traces is asked about. */
async function openAddress(services: Services, uri: vscode.Uri): Promise<void> {
  try {
    const target = targetOfAddress(uri.path, uri.query);
    if (!target) {
      void vscode.window.showWarningMessage(
        'This address opens nothing in Harnessmith. It should end in /trace?run=FILE&step=NUMBER.',
      );
      return;
    }
    await services.traces.ensure();
    if (!services.traces.run(target.run) && !(await allowed(target))) return;
    await runCommand('harnessmith.openTrace', target);
  } catch (error) {
    await showError(error, services.log, 'address');
  }
}

async function allowed({ run }: StepTarget): Promise<boolean> {
  const file = run.replace(/#\d+$/, '');
  if (!isAbsolute(file) || !existsSync(file)) {
    void vscode.window.showWarningMessage(`There is no trace ${file}.`);
    return false;
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.some((folder) => !relative(folder.uri.fsPath, file).startsWith('..'))) return true;
  const open = 'Open the trace';
  const question = `A link wants to open ${file}, which is outside the folders of this window.`;
  return (await vscode.window.showWarningMessage(question, { modal: true }, open)) === open;
}

/** Only names of files that exist become links. */
function terminalLinks({ line, terminal }: vscode.TerminalLinkContext): TraceTerminalLink[] {
  return matchesInLine(line).flatMap((match) => {
    const file = fileOf(match.file, terminal);
    if (!file) return [];
    return [{ startIndex: match.start, length: match.length, tooltip: 'Open the trace at this step', match, file }];
  });
}

function fileOf(name: string, terminal: vscode.Terminal): string | undefined {
  const path = name.startsWith('~/') ? join(homedir(), name.slice(2)) : name;
  if (isAbsolute(path)) return existsSync(path) ? path : undefined;
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const here = terminal.shellIntegration?.cwd?.fsPath;
  return [...(here ? [here] : []), ...folders].map((folder) => join(folder, path)).find(existsSync);
}

async function openMatch(services: Services, { file, match }: TraceTerminalLink): Promise<void> {
  try {
    await services.traces.ensure();
    const runs = services.traces.catalog?.runs.filter((run) => run.file === file).map((run) => run.id) ?? [];
    await runCommand('harnessmith.openTrace', targetOfMatch(file, match.numbers, runs));
  } catch (error) {
    await showError(error, services.log, 'terminal link');
  }
}
