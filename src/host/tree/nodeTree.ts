import * as vscode from 'vscode';
import type { DisposableLike } from '../disposable';
import { DisposableStore } from '../disposable';
import { badgeUri } from './badges';
import type { TreeNode } from './treeNode';

const states = {
  leaf: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const;

const uriList = 'text/uri-list';

function dropController(onDrop: (paths: string[]) => void): vscode.TreeDragAndDropController<TreeNode> {
  return {
    dropMimeTypes: [uriList],
    dragMimeTypes: [],
    handleDrop: async (_target, data) => {
      const list = (await data.get(uriList)?.asString()) ?? '';
      const uris = list.split(/\r?\n/).filter((line) => line && !line.startsWith('#'));
      const files = uris.map((line) => vscode.Uri.parse(line)).filter((uri) => uri.scheme === 'file');
      if (files.length > 0) onDrop(files.map((uri) => uri.fsPath));
    },
  };
}

/** Shows `TreeNode`s in a view of the editor. Roots are computed when the view asks, never before. */
export class NodeTree implements vscode.TreeDataProvider<TreeNode>, DisposableLike {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly checks = new vscode.EventEmitter<readonly { node: TreeNode; checked: boolean }[]>();
  /** A person ticked boxes of rows, or took ticks away. */
  readonly onDidCheck = this.checks.event;
  private readonly parents = new WeakMap<TreeNode, TreeNode>();
  private readonly store = new DisposableStore();
  readonly view: vscode.TreeView<TreeNode>;
  private roots: TreeNode[] = [];

  constructor(
    viewId: string,
    private readonly rootNodes: () => TreeNode[],
    onFirstVisible: () => void,
    /** Takes files and folders that are dropped on the view. */
    onDrop?: (paths: string[]) => void,
  ) {
    this.view = this.store.add(
      vscode.window.createTreeView(viewId, {
        treeDataProvider: this,
        showCollapseAll: true,
        manageCheckboxStateManually: true,
        dragAndDropController: onDrop && dropController(onDrop),
      }),
    );
    this.store.add(
      this.view.onDidChangeCheckboxState(({ items }) => {
        const ticked = vscode.TreeItemCheckboxState.Checked;
        this.checks.fire(items.map(([node, state]) => ({ node, checked: state === ticked })));
      }),
    );
    let seen = false;
    const notice = () => {
      if (seen || !this.view.visible) return;
      seen = true;
      onFirstVisible();
    };
    this.store.add(this.view.onDidChangeVisibility(notice));
    notice();
  }

  refresh(): void {
    this.changed.fire();
  }

  getChildren(node?: TreeNode): TreeNode[] {
    const children = node ? (node.children?.() ?? []) : this.rootNodes();
    if (node) for (const child of children) this.parents.set(child, node);
    else this.roots = children;
    return children;
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.parents.get(node);
  }

  /** Selects the node at the end of a path of ids from the root down and shows it; false when the tree has none. */
  async reveal(path: readonly string[], options: { focus?: boolean } = {}): Promise<boolean> {
    let node: TreeNode | undefined;
    for (const id of path) {
      const nodes = node ? this.getChildren(node) : this.roots.length ? this.roots : this.getChildren();
      node = nodes.find((one) => one.id === id);
      if (!node) return false;
    }
    if (!node) return false;
    await this.view.reveal(node, { select: true, focus: options.focus ?? false, expand: true });
    return true;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = new vscode.TreeItem(node.label, states[node.state]);
    item.id = node.id;
    item.description = node.description;
    // Plain text: tooltips may quote traces and model answers, which must not become links.
    item.tooltip = node.tooltip;
    item.contextValue = node.context;
    if (node.checked !== undefined) {
      const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
      item.checkboxState = node.checked ? Checked : Unchecked;
    }
    item.resourceUri = badgeUri(node.badge);
    if (node.icon) {
      item.iconPath = new vscode.ThemeIcon(
        node.icon.name,
        node.icon.color ? new vscode.ThemeColor(node.icon.color) : undefined,
      );
    }
    if (node.command) {
      item.command = { command: node.command.id, title: node.command.title, arguments: node.command.arguments };
    }
    // Without it, the tooltip is read out in place of label and description.
    const spoken = node.spoken ?? [node.label, node.description].filter(Boolean).join(', ');
    item.accessibilityInformation = { label: spoken };
    return item;
  }

  dispose(): void {
    this.store.dispose();
    this.changed.dispose();
    this.checks.dispose();
  }
}
