/** A place in a file of the harness; lines from 1, both ends included. */
export interface SitePlace {
  /** Relative to the harness root, with `/`. */
  file: string;
  start: number;
  end: number;
  symbol?: string;
}

/** What a tree node stands for; commands read it. */
export type NodeTarget =
  | { kind: 'unit'; unit: string }
  | { kind: 'stage'; stage: string }
  | { kind: 'site'; place: SitePlace }
  | { kind: 'orphan'; key: string }
  | { kind: 'task'; task: string }
  | { kind: 'run'; run: string; step?: number }
  | { kind: 'unknownFiles' }
  | { kind: 'flaw'; flaw: string }
  | { kind: 'proposal'; proposal: string }
  | { kind: 'decision'; proposal: string; decision: string }
  | { kind: 'file'; proposal: string; decision: string; file: string }
  | { kind: 'hunk'; proposal: string; decision: string; file: string; hunk: number };

/** One row of a tree view, free of `vscode` so that the trees can be tested without an editor. */
export interface TreeNode {
  /** Stable over refreshes, or the expansion state is lost. */
  id: string;
  label: string;
  description?: string;
  tooltip?: string;
  /** Codicon name, with the theme colour that repeats what the icon already says. */
  icon?: { name: string; color?: string };
  /** What the mark at the end of the row counts: failing steps, else that the code changed. The description says it in words. */
  badge?: { failing: number; state: 'moved' | 'stale' | null };
  /** Whether the box in front of the row is ticked; no box when absent. */
  checked?: boolean;
  /** For `view/item/context` menus. */
  context?: string;
  state: 'leaf' | 'collapsed' | 'expanded';
  command?: { id: string; title: string; arguments: unknown[] };
  target?: NodeTarget;
  children?: () => TreeNode[];
  /** Read out instead of label and description where those lean on icons. */
  spoken?: string;
}

/** Finds a node by id, looking into children only when needed; undefined when the tree has no such node. */
export function findNode(nodes: readonly TreeNode[], id: string): TreeNode | undefined {
  for (const node of nodes) {
    if (node.id === id) return node;
    const found = node.children ? findNode(node.children(), id) : undefined;
    if (found) return found;
  }
  return undefined;
}
