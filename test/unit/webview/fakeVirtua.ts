import type { ComponentChild } from 'preact';

/** Where the list was scrolled to, as indexes into it. Emptied by each test. */
export const scrolled: number[] = [];

const handle = {
  getItemSize: () => 20,
  scrollSize: 2000,
  scrollOffset: 0,
  viewportSize: 1000,
  findItemIndex: (offset: number) => offset,
  scrollToIndex: (index: number) => scrolled.push(index),
};

interface Props {
  data: unknown[];
  ref: { current: typeof handle };
  children: (item: unknown, index: number) => ComponentChild;
}

/** Stands for the list that draws what is in view: without a layout every row is, and it only says where it went. */
export function Virtualizer({ data, ref, children }: Props): ComponentChild {
  ref.current = handle;
  return data.map((item, index) => children(item, index));
}
