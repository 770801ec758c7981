import * as vscode from 'vscode';
import { relativeTo } from '../harness/harnessChoice';

/** Texts of files below a folder that are changed in an editor and not saved, by path with `/`. */
export function unsavedFiles(root: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.uri.scheme !== 'file') continue;
    const path = relativeTo(root, document.uri.fsPath);
    if (path !== null) texts[path] = document.getText();
  }
  return texts;
}
