import { relative, sep } from 'node:path';
import * as vscode from 'vscode';

/** Texts of files below a folder that are changed in an editor and not saved, by path with `/`. */
export function unsavedFiles(root: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.uri.scheme !== 'file') continue;
    const path = relative(root, document.uri.fsPath);
    if (path !== '' && !path.startsWith('..')) texts[path.split(sep).join('/')] = document.getText();
  }
  return texts;
}
