import { type ComponentChild, Fragment, h } from 'preact';
import { useMemo } from 'preact/hooks';
import { Text } from '../shared/Text';
import { type MarkdownNode, markdownTree } from './markdownTree';

/** A text of a trace as Markdown; only the elements of the tree are drawn, and they have no attributes. */
export function Markdown({ value }: { value: string }) {
  const tree = useMemo(() => markdownTree(value), [value]);
  return <div class="markdown">{tree.map(draw)}</div>;
}

function draw(node: MarkdownNode, index: number): ComponentChild {
  if (typeof node === 'string') {
    return (
      <Fragment key={index}>
        <Text value={node} />
      </Fragment>
    );
  }
  return h(
    node.tag,
    { key: index, ...(node.start === undefined ? {} : { start: node.start }) },
    node.children.length > 0 ? node.children.map(draw) : undefined,
  );
}
