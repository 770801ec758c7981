import { firstSentence } from '../../syntax/factsBuilder';
import type { SyntaxNode, SyntaxTree } from '../../syntax/tree';

/** What stands before an item: its attributes, and the text of its documentation. */
export interface Before {
  attributes: string[];
  nodes: SyntaxNode[];
  doc: string | undefined;
  /** First line of what belongs to the item. */
  start: number;
}

/** Attributes and doc comments right before an item. They belong to it: an edit there changes it. */
export function before(tree: SyntaxTree, item: SyntaxNode): Before {
  const siblings = item.parent?.children ?? [];
  const attributes: SyntaxNode[] = [];
  const doc: string[] = [];
  let start = tree.line(item);
  for (let at = siblings.indexOf(item) - 1; at >= 0; at--) {
    const node = siblings[at]!;
    const text = node.type === 'attribute_item' ? '' : tree.text(node);
    if (node.type === 'attribute_item') {
      attributes.unshift(node);
      start = tree.line(node);
    } else if (node.type === 'line_comment' && /^\/\/\/(?!\/)/.test(text))
      doc.unshift(text.trimEnd().slice(3).replace(/^ /, ''));
    else if (node.type === 'block_comment' && /^\/\*\*(?!\*)/.test(text))
      doc.unshift(text.replace(/^\/\*\*|\*\/$/g, '').replace(/^\s*\* ?/gm, ''));
    else if (!/comment$/.test(node.type)) break;
  }
  const texts = attributes.map((node) => tree.shortText(node));
  const documented = texts.flatMap((text) => /^#\[doc\s*=\s*"([^"]*)"/.exec(text)?.[1] ?? []);
  return { attributes: texts, nodes: attributes, doc: [...documented, ...doc].join('\n').trim() || undefined, start };
}

/** Whether an item is compiled for tests only. */
export function isTest(attributes: readonly string[]): boolean {
  return attributes.some((text) =>
    /^#\[(?:cfg\((?:all\()?test\b|(?:[\w:]+::)?(?:test|rstest|test_case|bench|proptest)\b)/.test(text),
  );
}

/** First sentence of documentation. */
export function summary(doc: string | undefined): string | undefined {
  return doc === undefined ? undefined : firstSentence(doc);
}

/** The text that an attribute gives a key: `name = "x"`. */
export function attributeValue(attributes: readonly string[], key: string): string | undefined {
  for (const text of attributes) {
    const found = new RegExp(`\\b${key}\\s*=\\s*"((?:\\\\.|[^"\\\\])*)"`).exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a `derive` names one of these. */
export function derives(attributes: readonly string[], names: RegExp): boolean {
  return attributes.some((text) => /^#\[derive\b/.test(text) && names.test(text));
}
