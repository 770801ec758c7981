import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import { registerCommand, trusted, withProgress } from '../commands';
import { DisposableStore } from '../disposable';
import type { HostContribution, Services } from '../services';
import { readPackedExample } from './exampleFiles';

/** Choosing and setting up the harness, the log, the example. */
export const harnessContribution: HostContribution = {
  name: 'harness',
  activate(services: Services) {
    const { log } = services;
    const store = new DisposableStore();
    store.add(registerCommand('harnessmith.showLog', log, () => services.channel.show(true)));
    store.add(registerCommand('harnessmith.chooseHarness', log, () => chooseHarness(services)));
    store.add(registerCommand('harnessmith.createConfiguration', log, () => createConfiguration(services)));
    store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        if (services.harness.get().status !== 'idle') void services.harness.refresh();
      }),
    );
    store.add(registerCommand('harnessmith.openExample', log, () => openExample(services)));
    return store;
  },
};

async function chooseHarness(services: Services): Promise<void> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  if (folders.length === 0) {
    await vscode.commands.executeCommand('vscode.openFolder');
    return;
  }
  const picked = await vscode.window.showQuickPick(
    folders.map((folder) => ({
      label: folder.name,
      description: folder.uri.fsPath === services.harness.root ? 'chosen now' : '',
      detail: folder.uri.fsPath,
    })),
    { title: 'Which folder is the harness?' },
  );
  if (picked) await services.harness.choose(picked.detail);
}

async function createConfiguration(services: Services): Promise<void> {
  if (!trusted('Writing the configuration')) return;
  await services.harness.ensure();
  const root = services.harness.root;
  if (!root) {
    throw new InputError('There is no folder to set up.', {
      code: 'no-harness',
      nextStep: 'Open the folder of the harness first.',
    });
  }
  const file = await services.work.call('createConfiguration', { root });
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

/** Puts the example into a folder the person picks, so that it can be changed freely, and opens it. */
async function openExample(services: Services): Promise<void> {
  const packed = vscode.Uri.joinPath(services.context.extensionUri, 'dist', 'example.json');
  const files = readPackedExample(new TextDecoder().decode(await vscode.workspace.fs.readFile(packed)));
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: 'Put the example here',
    title: 'Folder for a copy of the example harness',
  });
  if (!chosen?.[0]) return;
  const target = await freeName(chosen[0]);
  await withProgress('Copying the example', async () => {
    for (const { path, text } of files) {
      const uri = vscode.Uri.joinPath(target, ...path.split('/'));
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    }
    await services.work.call('startRepository', { root: target.fsPath });
  });
  await vscode.commands.executeCommand('vscode.openFolder', target, { forceNewWindow: false });
}

/** `tinker`, or `tinker-2` and so on when that is taken. */
async function freeName(folder: vscode.Uri): Promise<vscode.Uri> {
  const entries = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name));
  let name = 'tinker';
  for (let n = 2; entries.has(name); n++) name = `tinker-${n}`;
  return vscode.Uri.joinPath(folder, name);
}
