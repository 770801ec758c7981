/**
 * A syntax tree copied out of the parser. Plain objects make the walk cheap, let the parser's memory go at once, and
 * never recurse, so that no nesting depth can overflow the stack.
 */
export interface SyntaxNode {
  type: string;
  /** Field name in the parent, empty when it has none. */
  field: string;
  /** Offsets in UTF-16 units. */
  start: number;
  end: number;
  named: boolean;
  /** The parser put it in to go on. */
  missing?: boolean;
  parent: SyntaxNode | null;
  children: SyntaxNode[];
}

export class SyntaxTree {
  private readonly lineStarts: number[];

  constructor(
    readonly root: SyntaxNode,
    readonly source: string,
    readonly hasErrors: boolean,
  ) {
    this.lineStarts = lineStartsOf(source);
  }

  get lines(): number {
    return this.lineStarts.length;
  }

  text(node: SyntaxNode): string {
    return this.source.slice(node.start, node.end);
  }

  /** Line of an offset, from 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  line(node: SyntaxNode): number {
    return this.lineAt(node.start);
  }

  endLine(node: SyntaxNode): number {
    return this.lineAt(Math.max(node.start, node.end - 1));
  }

  /** One line of text for the node, white space collapsed, at most `limit` characters. */
  shortText(node: SyntaxNode, limit = 200): string {
    const raw = this.source.slice(node.start, Math.min(node.end, node.start + limit * 2));
    const text = raw.includes('\n') ? raw.replace(/\s+/g, ' ') : raw;
    return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  }
}

function lineStartsOf(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  if (starts.length > 1 && starts.at(-1) === source.length) starts.pop();
  return starts;
}

/** The first child in a field. */
export function childIn(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field);
}

export function childrenIn(node: SyntaxNode, field: string): SyntaxNode[] {
  return node.children.filter((child) => child.field === field);
}

export function childOfType(node: SyntaxNode, ...types: string[]): SyntaxNode | undefined {
  return node.children.find((child) => types.includes(child.type));
}

export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((child) => child.named && child.type !== 'comment');
}

export interface Visitor {
  /** Returning false leaves the children out; `leave` is still called. */
  enter(node: SyntaxNode): boolean;
  leave(node: SyntaxNode): void;
}

/** Visits a tree in source order without recursion. */
export function walk(root: SyntaxNode, visitor: Visitor): void {
  const open: { node: SyntaxNode; next: number }[] = [];
  const enter = (node: SyntaxNode) => {
    const children = visitor.enter(node) ? 0 : Number.POSITIVE_INFINITY;
    open.push({ node, next: children });
  };
  enter(root);
  while (open.length > 0) {
    const top = open.at(-1)!;
    const child = top.node.children[top.next];
    if (child) {
      top.next += 1;
      enter(child);
    } else {
      open.pop();
      visitor.leave(top.node);
    }
  }
}
