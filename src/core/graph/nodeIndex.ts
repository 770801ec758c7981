import type { GraphNode } from './model';

type NodeList = readonly GraphNode[];

/**
 * Nodes by id, kept from one graph to the next: only lists that were not there before are gone through. An id stands in one
 * list only.
 */
export class NodeIndex {
  private readonly nodes = new Map<string, GraphNode>();
  private lists: readonly NodeList[] = [];
  private version = 0;

  get ids(): ReadonlyMap<string, GraphNode> {
    return this.nodes;
  }

  /** Takes these lists and no others. */
  update(lists: readonly NodeList[]): void {
    const before = this.lists;
    this.version += 1;
    this.lists = lists;
    const changed: number[] = [];
    for (let at = 0; at < Math.max(lists.length, before.length); at++) if (lists[at] !== before[at]) changed.push(at);
    for (const at of changed) for (const { id } of before[at] ?? []) this.nodes.delete(id);
    for (const at of changed) for (const node of lists[at] ?? []) this.nodes.set(node.id, node);
  }

  /** Looks up as long as the lists are those of now; undefined after that. */
  current(): () => ReadonlyMap<string, GraphNode> | undefined {
    const { version } = this;
    return () => (version === this.version ? this.nodes : undefined);
  }
}
