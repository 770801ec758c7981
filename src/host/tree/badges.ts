import * as vscode from 'vscode';
import { schemes } from '../ids';
import { badgeAddress, badgeOf } from './badgeWords';
import type { TreeNode } from './treeNode';

/** Address that makes the editor draw the badge of a row; undefined for a row without one. */
export function badgeUri(badge: TreeNode['badge']): vscode.Uri | undefined {
  const path = badge && badgeAddress(badge);
  return path ? vscode.Uri.from({ scheme: schemes.badge, path }) : undefined;
}

/** Draws the badges of tree rows. They repeat what the descriptions say. */
export function registerBadges(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) => {
      if (uri.scheme !== schemes.badge) return undefined;
      const badge = badgeOf(uri.path);
      if (!badge) return undefined;
      const color = badge.color ? new vscode.ThemeColor(badge.color) : undefined;
      return new vscode.FileDecoration(badge.text, badge.tooltip, color);
    },
  });
}
