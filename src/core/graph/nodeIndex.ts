import type { GraphNode } from './model';

type NodeList = readonly GraphNode[];

/**
 * Nodes by id, kept from one graph to the next: only lists that were not there before are gone through. An id stands in one
 * list only.
 */
export class NodeIndex {
  private readonly nodes = new Map<string, GraphNode>();
  private lists = new Set<NodeList>();
  private version = 0;

  get ids(): ReadonlyMap<string, GraphNode> {
    return this.nodes;
  }

  /** Takes these lists and no others. */
  update(lists: readonly NodeList[]): void {
    const next = new Set(lists);
    this.version += 1;
    for (const list of this.lists) if (!next.has(list)) for (const { id } of list) this.nodes.delete(id);
    for (const list of next) if (!this.lists.has(list)) for (const node of list) this.nodes.set(node.id, node);
    this.lists = next;
  }

  /** Looks up as long as the lists are those of now; undefined after that. */
  current(): () => ReadonlyMap<string, GraphNode> | undefined {
    const { version } = this;
    return () => (version === this.version ? this.nodes : undefined);
  }
}
