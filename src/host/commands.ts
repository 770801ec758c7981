import * as vscode from 'vscode';
import type { DisposableLike } from './disposable';
import type { CommandArguments, CommandId, ContextKey, ContextKeys, SettingId, Settings } from './ids';
import { type Log, userMessage } from './log';

/** Registers a command whose failures are shown to the person and kept with their stack in the log. */
export function registerCommand<K extends CommandId>(
  id: K,
  log: Log,
  handler: (...args: CommandArguments[K]) => unknown,
): DisposableLike {
  return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      return await handler(...(args as CommandArguments[K]));
    } catch (error) {
      // Not awaited: whoever ran the command must not wait until the person has read the message.
      void showError(error, log, id);
      return undefined;
    }
  });
}

/** Runs one of our commands with checked arguments. */
export function runCommand<K extends CommandId>(id: K, ...args: CommandArguments[K]): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}

/** Shows what happened and what to do; cancellations are not shown. */
export async function showError(error: unknown, log: Log, where: string): Promise<void> {
  const message = userMessage(error);
  if (!message) return;
  log.error(`${where}: ${message.text}`, error);
  const text = message.nextStep ? `${message.text} ${message.nextStep}` : message.text;
  const chosen = await vscode.window.showErrorMessage(text, 'Show the log');
  if (chosen) await runCommand('harnessmith.showLog');
}

export function setContext<K extends ContextKey>(key: K, value: ContextKeys[K]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}

/** Where settings of the harness are looked up: with several folders, each may have its own. */
export function settingScope(harness: { readonly root: string | null }): vscode.Uri | undefined {
  return harness.root === null ? undefined : vscode.Uri.file(harness.root);
}

/** The value of one of our settings, with the default of `package.json`. */
export function setting<K extends SettingId>(id: K, scope?: vscode.Uri): Settings[K] {
  return vscode.workspace.getConfiguration('harnessmith', scope).get(id) as Settings[K];
}

/** Runs a task with a cancellable progress notification. */
export function withProgress<T>(
  title: string,
  task: (
    report: (update: { message: string; done?: number; total?: number }) => void,
    signal: AbortSignal,
  ) => Promise<T>,
  location: vscode.ProgressOptions['location'] = vscode.ProgressLocation.Notification,
): Promise<T> {
  const options = { title, location, cancellable: true };
  return Promise.resolve(
    vscode.window.withProgress(options, (progress, token) => {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => controller.abort());
      let shown = 0;
      const run = task((update) => {
        const percent = update.total ? Math.min(100, ((update.done ?? 0) / update.total) * 100) : shown;
        const known = update.total ? ` (${update.done ?? 0} of ${update.total})` : '';
        progress.report({ message: `${update.message}${known}`, increment: Math.max(0, percent - shown) });
        shown = Math.max(shown, percent);
      }, controller.signal);
      return run.finally(() => subscription.dispose());
    }),
  );
}

/**
 * False, with a message that says why, when the workspace is not trusted. Reading never asks this. The message is not
 * waited for: who grants trust runs the command again.
 */
export function trusted(what: string): boolean {
  if (vscode.workspace.isTrusted) return true;
  const manage = 'Manage workspace trust';
  const text = `${what} runs code or writes files of this folder, and the folder is not trusted. Reading the handbook and traces works without trust.`;
  void vscode.window.showWarningMessage(text, manage).then((chosen) => {
    if (chosen === manage) void vscode.commands.executeCommand('workbench.trust.manage');
  });
  return false;
}
