import { useEffect, useRef } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';

interface View {
  list: { current: VirtualizerHandle | null };
  rows: { current: HTMLElement | null };
  /** Position of the selected step in the list; -1 when it is filtered out. */
  index: number;
  run: string | undefined;
}

/** Scrolls so that the selected step is seen, and keeps it in view when the page gets another width. */
export function useKeepInView({ list, rows, index, run }: View): void {
  const shown = useRef({ index: -1, run });
  useEffect(() => {
    if (index < 0) return;
    // One step on keeps the page still where it can; a jump puts the step on top, with its text below.
    const jumped = shown.current.run !== run || Math.abs(shown.current.index - index) > 1;
    shown.current = { index, run };
    list.current?.scrollToIndex(index, { align: jumped ? 'start' : 'nearest' });
  }, [index, run]);

  useEffect(() => {
    // Code opening beside makes the page narrow and rows taller; the selected step must stay in view.
    const element = rows.current;
    if (!element) return;
    let width: number | null = null;
    const observer = new ResizeObserver(([entry]) => {
      const before = width;
      width = entry?.contentRect.width ?? null;
      const { index: at } = shown.current;
      const handle = list.current;
      if (at < 0 || !handle || before === null) return;
      const tall = handle.getItemSize(at) > handle.viewportSize;
      handle.scrollToIndex(at, { align: tall ? 'start' : 'nearest' });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [run]);
}
