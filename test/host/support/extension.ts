import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { HarnessmithApi } from '../../../src/extension';

/** The extension under test, as installed in this window. */
export function extensionUnderTest(): vscode.Extension<HarnessmithApi> {
  const extension = vscode.extensions.getExtension<HarnessmithApi>('harnessmith.harnessmith');
  assert.ok(extension, 'the extension is installed in this window');
  return extension;
}

/** What the started extension gives to tests. */
export async function api(): Promise<HarnessmithApi> {
  return extensionUnderTest().activate();
}

/** What package.json contributes under one point, for example `commands`. */
export function contributed<T>(point: string): T[] {
  const contributes = extensionUnderTest().packageJSON.contributes ?? {};
  return contributes[point] ?? [];
}

/** Waits until `probe` gives something that is not undefined or false; fails with `what` after the time is over. */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) assert.fail(`${what}: not within ${timeoutMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Shows one of the views and waits until its first load is over. */
export async function showView(view: 'handbook' | 'traces' | 'proposals'): Promise<void> {
  await vscode.commands.executeCommand(`harnessmith.${view}.focus`);
}

/** The root folder of the only open folder. */
export function openFolder(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'a folder is open');
  return folder.uri.fsPath;
}
